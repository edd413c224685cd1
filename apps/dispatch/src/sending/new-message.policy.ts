import type { Reason, SendMessage } from '@watchword/contracts';
import { magicNumber } from '@watchword/telephony';
import { channelOf } from '../channels/channels.js';
import type { StoredCode } from '../channels/otp/otp.content.js';
import type { TextCommand } from '../channels/text-channel.js';
import { tagged } from '../fraud/anti-spam/screening.policy.js';
import type { Verdict } from '../messages/anti-spam-verdict.js';
import { type Attempt, type Message, newAttempt } from '../messages/message.js';
import { block, fail, isLapsed } from '../messages/message-change.policy.js';
import { plannedReroute } from '../messages/resends.policy.js';

/** The message that a command makes: `accepted`, and given to no provider yet. */
export function newMessage(command: TextCommand, code: StoredCode | null, at: Date): Message {
  return {
    id: command.message_id,
    workspaceId: command.workspace_id,
    content: channelOf(command).contentOf(command, code),
    family: command.family,
    testMode: command.test_mode,
    destination: command.destination,
    countryCode: command.country_code,
    network: command.network,
    senderId: command.sender_id,
    shownSender: null,
    credits: command.credits,
    priceRule: command.price_rule,
    creditPrice: command.credit_price ?? null,
    metadata: command.metadata,
    createdAt: new Date(command.created_at),
    sendAt: command.send_at ? new Date(command.send_at) : null,
    state: isAhead(command, at) ? 'scheduled' : 'accepted',
    version: 1,
    provider: null,
    providerMessageId: null,
    reason: null,
    refunded: null,
    settledAt: null,
    sentAt: null,
    deliveredAt: null,
    verifiedAt: null,
    endedAt: null,
    updatedAt: at,
    antispam: null,
    resends: command.otp?.reroute ? [plannedReroute(at)] : [],
    attempts: [],
  };
}

/** Returns whether it waits for its `send_at`. */
export function isAhead({ send_at: sendAt }: SendMessage, at: Date): boolean {
  return sendAt != null && Date.parse(sendAt) > at.getTime();
}

/** Test numbers that are accepted, then refused before any attempt. */
const TEST_REFUSALS: Readonly<Record<number, Reason>> = {
  42: 'dnd_active',
  43: 'sender_id_rejected',
  44: 'invalid_number',
};

export function testRefusal({ testMode, destination }: Message): Reason | null {
  const digits = testMode ? magicNumber(destination) : null;
  return digits === null ? null : (TEST_REFUSALS[digits] ?? null);
}

/** Applies the spam filter's verdict: blocked, tagged, or only recorded. */
export function screened(message: Message, verdict: Verdict | undefined, at: Date): Message {
  if (verdict === undefined) return message;
  const judged = { ...message, antispam: verdict };
  if (verdict.action === 'block') return block(judged, at);
  if (verdict.action === 'none') return judged;
  return { ...judged, metadata: tagged(message.metadata, verdict) };
}

/**
 * Adds the first attempt, which must be recorded before the call. Fails the message when there is
 * none.
 */
export function withFirstAttempt(
  message: Message,
  provider: string | undefined,
  heldBy: string,
  at: Date,
): Message {
  if (isLapsed(message, at)) return fail(message, 'expired', at);
  if (provider === undefined) return fail(message, 'no_route', at);
  const attempts: Attempt[] = [newAttempt(message, provider, heldBy, at)];
  return { ...message, attempts };
}
