import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock, MessageId } from '@watchword/contracts';
import { crashPoint, type Logger } from '@watchword/observability';
import { AccountRoom, FULL, type Provider, type SubmitOutcome } from '@watchword/carriers';
import { channelOf } from '../channels/channels.js';
import { type Attempt, attemptsOf, type Message } from '../messages/message.js';
import { isLapsed } from '../messages/message-change.policy.js';
import { PROBE_AFTER_MS } from '../routing/provider-health.policy.js';
import type { Router } from '../routing/router.js';
import { noteSubmit, traceparentOfSubmit } from './measurements.js';

/** Milliseconds until a message that finds every room full tries again. */
const FULL_RETRY_MS = 100;
const VALIDITY_SECONDS_MAX = 14_400;

export interface CarrierCallsParts {
  readonly providers: ReadonlyMap<string, Provider>;
  readonly router: Router;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Makes the calls to carriers. Each account has its own room, so a hanging carrier fills only that.
 * A message that finds its account's room full goes to another account, or waits.
 */
export class CarrierCalls {
  private readonly rooms: ReadonlyMap<string, AccountRoom>;

  constructor(
    private readonly parts: CarrierCallsParts,
    private readonly stopping: AbortSignal,
  ) {
    const providers = [...parts.providers.values()];
    this.rooms = new Map(providers.map((one) => [one.name, new AccountRoom(one.capacity)]));
  }

  close(): void {
    for (const room of this.rooms.values()) room.close();
  }

  async submit(message: Message, attempt: Attempt, code: string | null): Promise<SubmitOutcome> {
    const room = this.rooms.get(attempt.provider);
    if (!room) return notHandedOver('provider_unavailable');
    for (;;) {
      const outcome = await room.run(() => this.call(message, attempt, code));
      if (outcome !== FULL) return outcome;
      this.stopping.throwIfAborted();
      if (isLapsed(message, new Date(this.parts.clock.now()))) return notHandedOver('expired');
      if (this.isLeft(message, attempt)) return notHandedOver('throttled');
      // Without the signal of the stop: thousands wait here, and each listener of a signal makes the next one dearer.
      await sleep(FULL_RETRY_MS);
      this.stopping.throwIfAborted();
    }
  }

  /** Queries the carrier about an attempt with a lost answer. Null if it has no such query. */
  async lateAnswer(
    messageId: MessageId,
    { provider: name }: Attempt,
  ): Promise<SubmitOutcome | null> {
    const provider = this.parts.providers.get(name);
    if (!provider?.query) return null;
    return provider.query(messageId).catch((error: unknown) => this.unforeseen(name, error));
  }

  /** Whether a provider is left that may be asked now and has room. */
  private isLeft(message: Message, { provider, resend }: Attempt): boolean {
    const tried = attemptsOf(message, resend).map((attempt) => attempt.provider);
    const full = [...this.rooms].filter(([, room]) => room.isFull).map(([name]) => name);
    return this.parts.router.hasOther(message, new Set([...tried, provider, ...full]));
  }

  private async call(
    message: Message,
    attempt: Attempt,
    code: string | null,
  ): Promise<SubmitOutcome> {
    const { content } = message;
    const { clock, providers, router } = this.parts;
    const now = clock.now();
    const provider = providers.get(attempt.provider);
    if (!provider) return notHandedOver('provider_unavailable');
    if (isLapsed(message, new Date(now))) return notHandedOver('expired');
    const admission = router.admit(provider.name, message);
    if (admission === 'sick' && this.isLeft(message, attempt)) {
      return { ...notHandedOver('provider_unavailable'), retryAfterMs: PROBE_AFTER_MS };
    }
    crashPoint('dispatch.submit.before-call');
    const startedAt = performance.now();
    const outcome = await provider
      .submit({
        messageId: message.id,
        resend: attempt.resend,
        attempt: attempt.number,
        kind: content.kind,
        destination: message.destination,
        senderId: message.senderId,
        body: channelOf(content).text(content, code),
        encoding: content.encoding,
        segments: content.segments,
        validitySeconds: validitySeconds(message, now),
        traceparent: traceparentOfSubmit(message.id, attempt),
      })
      .catch((error: unknown) => this.unforeseen(provider.name, error));
    crashPoint('dispatch.submit.after-call');
    noteSubmit(message.id, attempt, outcome, performance.now() - startedAt);
    router.record(provider.name, message, reasonOf(outcome));
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
