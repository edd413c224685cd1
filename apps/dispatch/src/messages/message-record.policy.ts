import {
  type MessageDetails,
  type MessageRecord,
  type MessageSnapshot,
  type MessageState,
  publicStatus,
  REASON_SENTENCES,
  timeOrNull,
  timeText,
  type TimelineHop,
} from '@watchword/contracts';
import { channelOf } from '../channels/channels.js';
import type { Verdict } from './anti-spam-verdict.js';
import { type Attempt, chargedOf, type Message } from './message.js';
import { visibleState } from './message-change.policy.js';

/** The record as others may see it at this moment. */
export function snapshot(message: Message): MessageSnapshot {
  const { content } = message;
  const state = visibleState(message);
  const reason = message.settledAt === null ? null : message.reason;
  return {
    id: message.id,
    workspace_id: message.workspaceId,
    kind: content.kind,
    family: message.family,
    test_mode: message.testMode,
    destination: message.destination,
    country_code: message.countryCode,
    network: message.network,
    sender_id: message.senderId,
    ...channelOf(content).snapshot(content),
    state,
    credits: message.credits,
    provider: shownProvider(message),
    provider_message_id: message.providerMessageId,
    reason,
    refunded: reason === null ? null : message.refunded,
    error_code: reason,
    error_message: reason === null ? null : REASON_SENTENCES[reason],
    antispam: visibleVerdict(message),
    metadata: message.metadata,
    created_at: timeText(message.createdAt),
    sent_at: timeOrNull(message.sentAt),
    delivered_at: timeOrNull(message.deliveredAt),
  };
}

/** A test message names the provider of its last attempt, whatever came of it, so that failover can be seen. */
function shownProvider({ testMode, attempts, provider }: Message): string | null {
  if (!testMode) return provider;
  return attempts.findLast(({ outcome }) => outcome !== null)?.provider ?? provider;
}

/** The whole record as reads render it. */
export function messageRecord(message: Message): MessageRecord {
  const { content } = message;
  const expired = channelOf(content).isContentExpired(content);
  return {
    ...snapshot(message),
    ...messageDetails(message),
    shown_sender: message.shownSender,
    content_expired: expired,
  };
}

/** Returns what a read shows besides the snapshot. */
export function messageDetails(message: Message): MessageDetails {
  const { content, verifiedAt } = message;
  const isFailed = publicStatus(visibleState(message), message.family) === 'failed';
  return {
    updated_at: timeText(message.updatedAt),
    failed_at: isFailed ? timeOrNull(message.endedAt) : null,
    ...channelOf(content).details(content, verifiedAt),
    timeline: timeline(message),
    provider_attempts: message.attempts.map(providerAttempt),
    ...madeResends(message),
    cost: costOf(message),
    send_at: timeOrNull(message.sendAt),
  };
}

/** Returns the cost at acceptance, which a later price does not change. */
function costOf({ creditPrice, credits }: Message): MessageDetails['cost'] {
  if (creditPrice === null) return null;
  return { amount_kobo: credits * creditPrice.amount, currency: creditPrice.currency };
}

/** Returns when it began to wait for a provider. A scheduled message begins when it is due. */
export function queuedAt({ sendAt, createdAt, attempts }: Message): Date | null {
  return sendAt === null ? createdAt : (attempts[0]?.startedAt ?? null);
}

/** The hops that were reached, oldest first, in the words of the family that made the message. */
export function timeline(message: Message): TimelineHop[] {
  const state = visibleState(message);
  const queued = queuedAt(message);
  const hops: TimelineHop[] =
    queued === null ? [] : [{ status: 'queued', timestamp: timeText(queued) }];
  const add = (hop: MessageState, moment: Date | null, more: Partial<TimelineHop> = {}) => {
    if (moment === null) return;
    const status = publicStatus(hop, message.family);
    hops.push({ status, timestamp: timeText(moment), ...more });
  };
  add('sent', message.sentAt, carriedBy(providerThatSent(message)));
  add('delivered', message.deliveredAt, carriedBy(message.provider));
  add('verified', message.verifiedAt);
  if (state === 'expired') add('expired', message.endedAt);
  else if (message.settledAt !== null) add(state, message.endedAt, endingOf(message));
  return hops;
}

function carriedBy(provider: string | null): Partial<TimelineHop> {
  return provider === null ? {} : { provider };
}

/**
 * The message names the provider that delivered it, which can be that of a resend, or one that was given up
 * as silent: the hop `sent` keeps whose answer it was, the last one accepted until then.
 */
function providerThatSent({ attempts, sentAt, provider }: Message): string | null {
  let sender: Attempt | undefined;
  for (const attempt of attempts) {
    const { outcome, finishedAt } = attempt;
    if (outcome !== 'accepted' || finishedAt === null || sentAt === null) continue;
    if (finishedAt <= sentAt && finishedAt >= (sender?.finishedAt ?? finishedAt)) sender = attempt;
  }
  return sender?.provider ?? provider;
}

function endingOf(message: Message): Partial<TimelineHop> {
  return { reason: message.reason ?? 'unknown_error', refunded: message.refunded ?? false };
}

/**
 * Returns an attempt as clients see it, without the provider's reason for refusing us (no credit,
 * no access).
 */
function providerAttempt(attempt: Attempt): MessageDetails['provider_attempts'][number] {
  const { outcome, providerMessageId, reason, rawCode, rawMessage } = attempt;
  const isPrivate = reason === 'provider_rejected';
  // A report of the delivery, which has the carrier's id, can overtake the answer to the submit.
  const isTaken = outcome === 'accepted' || (outcome === null && providerMessageId !== null);
  return {
    provider: attempt.provider,
    attempted_at: timeText(attempt.startedAt),
    ok: isTaken && reason === null,
    ...(providerMessageId !== null && { provider_message_id: providerMessageId }),
    ...(reason !== null && { error_code: isPrivate ? reason : (rawCode ?? reason) }),
    ...(rawMessage !== null && !isPrivate && { error_message: rawMessage }),
    ...(attempt.lateDelivery && { late_delivery: true }),
  };
}

function madeResends({ resends }: Message): Pick<MessageDetails, 'resends'> {
  const made = chargedOf(resends).flatMap(({ id, startedAt, credits, reason }) => {
    if (startedAt === null) return [];
    const charged = {
      ...(credits !== undefined && { credits }),
      ...(reason !== null && { reason }),
    };
    return [{ resend_id: id, created_at: timeText(startedAt), ...charged }];
  });
  return made.length === 0 ? {} : { resends: made };
}

/** A verdict that blocks is shown together with the block. */
function visibleVerdict({ antispam, settledAt }: Message): Verdict | null {
  return antispam?.action === 'block' && settledAt === null ? null : antispam;
}
