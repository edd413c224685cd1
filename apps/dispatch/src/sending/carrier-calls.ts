import type { Clock, MessageId } from '@watchword/contracts';
import { crashPoint, type Logger } from '@watchword/observability';
import { isUnavailable, OnceAMinute } from '@watchword/platform';
import type { Provider, SubmitOutcome } from '@watchword/carriers';
import { channelOf } from '../channels/channels.js';
import type { Attempt, Message } from '../messages/message.js';
import { leftFor } from '../messages/resends.policy.js';
import { isLapsed } from '../messages/message-change.policy.js';
import { PROBE_AFTER_MS } from '../routing/provider-health.policy.js';
import type { CachedSenderRules } from '../registrations/senders/cached-sender-rules.js';
import { isReplaced } from '../registrations/senders/sender-rules.policy.js';
import type { Router } from '../routing/router.js';
import { AccountSlotsTable } from './account-slots-table.js';
import type { CallOutcome } from './failover.policy.js';
import { noteSubmit, traceparentOfSubmit } from './measurements.js';
import type { UnmappedCodes } from './unmapped-codes.js';

const VALIDITY_SECONDS_MAX = 14_400;
const RULES_AWAY = 'rules of senders are not read: the database is unavailable';

export interface CarrierCallsParts {
  readonly providers: ReadonlyMap<string, Provider>;
  readonly router: Router;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly unmapped: UnmappedCodes;
  readonly rules: Pick<CachedSenderRules, 'current'>;
}

/**
 * Makes the calls to carriers. A message that finds no free slot of its account goes to another
 * account, or waits.
 */
export class CarrierCalls {
  private readonly slotsByAccount: AccountSlotsTable;
  private readonly lines: OnceAMinute;

  constructor(
    private readonly parts: CarrierCallsParts,
    stopping: AbortSignal,
  ) {
    this.slotsByAccount = new AccountSlotsTable(parts.providers.values(), stopping);
    this.lines = new OnceAMinute(parts.clock);
  }

  close(): void {
    this.slotsByAccount.close();
  }

  /** Asks `hasEnded` when the call has its slot, because the message may have ended before. */
  async submit(
    message: Message,
    attempt: Attempt,
    code: string | null,
    hasEnded: () => Promise<boolean> = async () => false,
  ): Promise<CallOutcome> {
    const provider = this.parts.providers.get(attempt.provider);
    if (!provider) return notHandedOver('provider_unavailable');
    return this.slotsByAccount.run(provider.name, {
      make: async () => {
        if (await hasEnded()) return notHandedOver('expired');
        return this.call(provider, message, attempt, code);
      },
      instead: () => {
        if (isLapsed(message, new Date(this.parts.clock.now()))) return notHandedOver('expired');
        return this.isLeft(message, attempt) ? notHandedOver('throttled') : null;
      },
    });
  }

  /** Queries the carrier about an attempt with a lost answer. Null if it has no such query. */
  async lateAnswer(
    messageId: MessageId,
    { provider: name, number }: Attempt,
  ): Promise<SubmitOutcome | null> {
    const provider = this.parts.providers.get(name);
    if (!provider?.query) return null;
    const answer = await provider
      .query(messageId, number)
      .catch((error: unknown) => this.unforeseen(name, error));
    this.noteCode(name, answer);
    return answer;
  }

  /** Whether a provider is left that may be asked now and has a free slot. */
  private isLeft(message: Message, { provider, resend }: Attempt): boolean {
    const busy = new Set([provider, ...this.slotsByAccount.full]);
    const available = this.parts.router.availableFor(message);
    return leftFor(message, resend, available).some(({ name }) => !busy.has(name));
  }

  private async call(
    provider: Provider,
    message: Message,
    attempt: Attempt,
    code: string | null,
  ): Promise<CallOutcome> {
    const { clock, router } = this.parts;
    const number = provider.senderNumber;
    const keepsSender = number === null || !(await this.isReplaced(provider, message));
    const outgoing = keepsSender ? message : { ...message, senderId: number };
    if (isLapsed(message, new Date(clock.now()))) return notHandedOver('expired');
    const admission = router.admit(provider.name, message);
    if (admission === 'sick' && this.isLeft(message, attempt)) {
      return { ...notHandedOver('provider_unavailable'), retryAfterMs: PROBE_AFTER_MS };
    }
    const startedAt = performance.now();
    const outcome = await this.handOver(provider, outgoing, attempt, code).catch((error: unknown) =>
      this.unforeseen(provider.name, error),
    );
    router.record(provider.name, message, reasonOf(outcome));
    noteSubmit(message.id, attempt, outcome, performance.now() - startedAt);
    this.noteCode(provider.name, outcome);
    const shownSender = keepsSender ? provider.defaultSenderId : number;
    const isOwn = message.senderId !== null || shownSender === null;
    return { ...(keepsSender ? outcome : ofSharedNumber(outcome)), ...(!isOwn && { shownSender }) };
  }

  private noteCode(account: string, outcome: SubmitOutcome): void {
    if (outcome.outcome !== 'refused') return;
    this.parts.unmapped.note(account, outcome.reason, outcome.rawCode);
  }

  /**
   * Returns whether the country's networks replace the sender: that of the message, or the account's own
   * where the message names none. The record keeps the sender ID. While the database is unavailable the
   * message keeps its sender.
   */
  private async isReplaced(provider: Provider, message: Message): Promise<boolean> {
    const sender = message.senderId ?? provider.defaultSenderId;
    if (sender === null) return false;
    try {
      return isReplaced(await this.parts.rules.current(), message.countryCode, sender);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      // Each submit reads the rules.
      if (this.lines.isDue(RULES_AWAY)) this.parts.logger.warn({ err: error }, RULES_AWAY);
      return false;
    }
  }

  /** Async, so that each error rejects: the outcome of an admitted call is always recorded. */
  private async handOver(
    provider: Provider,
    message: Message,
    attempt: Attempt,
    code: string | null,
  ): Promise<SubmitOutcome> {
    const { content } = message;
    const channel = channelOf(content);
    crashPoint('dispatch.submit.before-call');
    const outcome = await provider.submit({
      messageId: message.id,
      resend: attempt.resend,
      attempt: attempt.number,
      kind: content.kind,
      destination: message.destination,
      senderId: message.senderId,
      body: channel.text(content, code, attempt.resend > 0 ? attempt.startedAt : null),
      isPromotional: channel.isPromotional(content),
      encoding: content.encoding,
      segments: content.segments,
      validitySeconds: validitySeconds(message, this.parts.clock.now()),
      traceparent: traceparentOfSubmit(message.id, attempt),
    });
    crashPoint('dispatch.submit.after-call');
    return outcome;
  }

  /** Adapters always return an outcome. One that throws has a bug. */
  private unforeseen(provider: string, error: unknown): SubmitOutcome {
    const name = error instanceof Error ? error.name : 'unknown';
    this.parts.logger.error({ provider, error: name }, 'a provider adapter failed');
    return { outcome: 'ambiguous', rawCode: name, rawMessage: null };
  }
}

type Refused = Extract<SubmitOutcome, { outcome: 'refused' }>;

export function notHandedOver(reason: 'expired' | 'provider_unavailable' | 'throttled'): Refused {
  return { outcome: 'refused', reason, rawCode: null, rawMessage: 'Not handed over.' };
}

function reasonOf(outcome: SubmitOutcome) {
  if (outcome.outcome === 'accepted') return null;
  return outcome.outcome === 'refused' ? outcome.reason : 'provider_timeout';
}

/** A code that is dead must not arrive on a phone that is switched on later. */
function validitySeconds({ content }: Message, now: number): number {
  const expiresAt = channelOf(content).expiresAt(content);
  if (expiresAt === null) return VALIDITY_SECONDS_MAX;
  const leftSeconds = Math.floor((expiresAt.getTime() - now) / 1_000);
  return Math.min(Math.max(leftSeconds, 1), VALIDITY_SECONDS_MAX);
}

/** Several sender IDs share an account's number: an opt-out of the number is none of this one. */
function ofSharedNumber(outcome: SubmitOutcome): SubmitOutcome {
  if (outcome.outcome !== 'refused') return outcome;
  const { optsOut: _, ...others } = outcome;
  return others;
}
