import { setTimeout as sleep } from 'node:timers/promises';
import { MicroBatcher } from '@watchword/batching';
import { TransientError } from '@watchword/bus';
import { type Clock, newId } from '@watchword/contracts';
import { crashPoint, type Logger } from '@watchword/observability';
import type { Provider, SubmitOutcome } from '@watchword/providers';
import { type Attempt, lastAttempt, type Message } from '../messages/message.js';
import type { ChangeRequest, MessageChanges } from '../messages/message-changes.handler.js';
import { isLapsed } from '../messages/message-change.policy.js';
import type { OtpSecrets } from '../otp/otp-secrets.js';
import { isUnderWay } from '../otp/resend.policy.js';
import type { Router } from '../routing/router.js';
import {
  receiptDeadline,
  type SendingContext,
  withOutcome,
  withoutReceipt,
} from './failover.policy.js';
import { Lane } from './lane.js';
import { noteSubmit, showInHand } from './measurements.js';
import { textOf } from './new-message.policy.js';

/**
 * Carries messages to providers, each on its own until nothing is left to do about it.
 *
 * - A call is made only for an attempt that is on record as unanswered and ours (`sender_id`). Its outcome
 *   is recorded, and in the same write what follows: sent, failed, or the next attempt.
 * - Outcomes are recorded in batches. A database that is away does not lose them: recording is tried again
 *   until it works.
 * - `room` bounds how many messages are in hand, and so how many attempts a crash leaves unanswered.
 *   A message that only waits for a receipt is not in hand.
 */
const IN_HAND_MAX = 512;
const CALLS_PER_PROVIDER_MAX = 256;
const BATCH_SIZE_MAX = 256;
const RECORD_RETRY_MS_MAX = 2_000;
const ALONE_AFTER_FAILURES = 3;
const VALIDITY_SECONDS_MAX = 14_400;

export interface SenderParts {
  readonly changes: MessageChanges;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly router: Router;
  readonly secrets: OtpSecrets;
  readonly clock: Clock;
  readonly logger: Logger;
}

export class Sender {
  /** This process, in the attempts that it is at. */
  readonly id = newId();
  private readonly lanes = new Map<string, Lane>();
  private readonly recorder: MicroBatcher<ChangeRequest, Message | null>;
  private readonly active = new Set<Promise<void>>();
  private readonly stopping = new AbortController();
  private inHand = 0;
  private roomAwaited: (() => void)[] = [];

  constructor(private readonly parts: SenderParts) {
    this.recorder = new MicroBatcher({
      name: 'dispatch.recorder',
      flush: (requests) => this.apply(requests),
      sizeMax: BATCH_SIZE_MAX,
      queueMax: Number.POSITIVE_INFINITY,
    });
    showInHand(() => this.inHand);
  }

  /** Resolves when that many more messages may be taken; a batch of any size when none is in hand. */
  async room(count: number): Promise<void> {
    while (this.inHand > 0 && this.inHand + count > IN_HAND_MAX) {
      if (this.stopping.signal.aborted) throw new TransientError('dispatch is stopping');
      await new Promise<void>((resolve) => this.roomAwaited.push(resolve));
    }
  }

  get hasRoom(): boolean {
    return this.inHand < IN_HAND_MAX;
  }

  /** Takes over a message whose last attempt is on record as ours. */
  take(message: Message, code: string | null, resend = 0): void {
    this.keep(this.carry(message, code, resend));
  }

  /** Takes over what a dead process left: it cannot be known whether its call was made. */
  takeOver(message: Message): void {
    const mine = message.attempts.filter(({ senderId }) => senderId === this.id);
    for (const resend of new Set(mine.map((attempt) => attempt.resend))) {
      this.keep(this.resume(message, resend));
    }
  }

  /** Lets what is in hand come to its end, for as long as the deadline; waits for receipts are left. */
  async stop(deadlineMs: number): Promise<void> {
    this.stopping.abort();
    this.wakeAwaited();
    const done = Promise.allSettled(this.active);
    await Promise.race([done, sleep(deadlineMs, undefined, { ref: false })]);
  }

  private keep(work: Promise<void>): void {
    const kept = work.catch((error: unknown) => {
      if (this.stopping.signal.aborted) return;
      this.parts.logger.error({ err: error }, 'a message was left to the recovery');
    });
    this.active.add(kept);
    void kept.finally(() => this.active.delete(kept));
  }

  private async resume(message: Message, resend: number): Promise<void> {
    const attempt = lastAttempt(message, resend);
    if (!attempt) return;
    const unknown = { outcome: 'ambiguous', rawCode: null, rawMessage: 'Not on record.' } as const;
    const known =
      attempt.outcome === null
        ? await this.inHandWhile(() => this.record(message, attempt, unknown))
        : message;
    const cipher = known.otp?.codeCipher ?? null;
    const code = cipher === null ? null : this.parts.secrets.open(known.id, cipher);
    await this.carry(known, code, resend);
  }

  private async carry(start: Message, code: string | null, resend: number): Promise<void> {
    let message = start;
    for (;;) {
      const attempt = lastAttempt(message, resend);
      if (!isUnderWay(message, resend) || attempt?.senderId !== this.id) return;
      if (attempt.outcome === null) {
        message = await this.inHandWhile(() => this.call(message, attempt, code));
      } else if (attempt.outcome === 'ambiguous') {
        message = await this.awaitReceipt(message, attempt);
      } else {
        return;
      }
    }
  }

  /** Makes the call that the attempt announced, and records its outcome. */
  private async call(message: Message, attempt: Attempt, code: string | null): Promise<Message> {
    const dueInMs = attempt.startedAt.getTime() - this.parts.clock.now();
    if (dueInMs > 0) {
      await sleep(dueInMs);
      // The message may have ended while it waited.
      const current = await this.current(message);
      if (!isUnderWay(current, attempt.resend)) {
        return this.record(current, attempt, notHandedOver('expired'));
      }
    }
    const outcome = await this.lane(attempt.provider).run(() =>
      this.submit(message, attempt, code),
    );
    return this.record(message, attempt, outcome);
  }

  private async submit(
    message: Message,
    attempt: Attempt,
    code: string | null,
  ): Promise<SubmitOutcome> {
    const now = this.parts.clock.now();
    const provider = this.parts.providers.get(attempt.provider);
    if (!provider) return notHandedOver('provider_unavailable');
    if (isLapsed(message, new Date(now))) return notHandedOver('expired');
    this.parts.router.begin(provider.name, message);
    crashPoint('dispatch.submit.before-call');
    const startedAt = performance.now();
    const outcome = await provider
      .submit({
        messageId: message.id,
        resend: attempt.resend,
        kind: message.kind,
        destination: message.destination,
        senderId: message.senderId,
        body: textOf(message, code),
        encoding: message.encoding,
        segments: message.segments,
        validitySeconds: validitySeconds(message, now),
      })
      .catch((error: unknown) => this.unforeseen(provider.name, error));
    crashPoint('dispatch.submit.after-call');
    noteSubmit(message.id, attempt, outcome, performance.now() - startedAt);
    this.parts.router.record(provider.name, message, reasonOf(outcome));
    return outcome;
  }

  /** Adapters answer with an outcome, always; one that throws has a mistake in it. */
  private unforeseen(provider: string, error: unknown): SubmitOutcome {
    const name = error instanceof Error ? error.name : 'unknown';
    this.parts.logger.error({ provider, error: name }, 'a provider adapter failed');
    return { outcome: 'ambiguous', rawCode: name, rawMessage: null };
  }

  private async awaitReceipt(message: Message, attempt: Attempt): Promise<Message> {
    const provider = this.parts.providers.get(attempt.provider);
    if (provider?.query) {
      const answer = await provider
        .query(message.id)
        .catch((error: unknown) => this.unforeseen(provider.name, error));
      if (answer.outcome !== 'ambiguous') return this.record(message, attempt, answer);
    }
    const waitMs = receiptDeadline(message, attempt) - this.parts.clock.now();
    if (waitMs > 0) await sleep(waitMs, undefined, { signal: this.stopping.signal });
    return this.inHandWhile(() =>
      this.write(message, (current, at) =>
        withoutReceipt(current, attempt.number, this.context(current, at)),
      ),
    );
  }

  private record(message: Message, attempt: Attempt, outcome: SubmitOutcome): Promise<Message> {
    return this.write(message, (current, at) =>
      withOutcome(current, attempt.number, outcome, this.context(current, at)),
    );
  }

  /** As it is now; as it was known when that cannot be found out. */
  private async current(known: Message): Promise<Message> {
    const request = { id: known.id, change: (message: Message) => message };
    return (await this.recorder.submit(request).catch(() => known)) ?? known;
  }

  private context(message: Message, at: Date): SendingContext {
    return { candidates: this.parts.router.providersFor(message), senderId: this.id, at };
  }

  /** Tries until it works; after some failures apart from the batch, in case this one is to blame. */
  private async write(known: Message, change: ChangeRequest['change']): Promise<Message> {
    const request = { id: known.id, known, change };
    for (let failures = 0; ; failures += 1) {
      try {
        const message =
          failures < ALONE_AFTER_FAILURES
            ? await this.recorder.submit(request)
            : ((await this.apply([request]))[0] ?? null);
        if (message === null) throw new Error('a message disappeared while it was sent');
        return message;
      } catch (error) {
        const about = { err: error, messageId: known.id, failures };
        this.parts.logger.warn(about, 'an outcome is not recorded yet');
        const delayMs = Math.min(50 * 2 ** Math.min(failures, 10), RECORD_RETRY_MS_MAX);
        await sleep(delayMs, undefined, { signal: this.stopping.signal });
      }
    }
  }

  private async apply(requests: readonly ChangeRequest[]): Promise<(Message | null)[]> {
    crashPoint('dispatch.outcome.before-change');
    const messages = await this.parts.changes.apply(requests);
    crashPoint('dispatch.outcome.after-change');
    return messages;
  }

  private async inHandWhile<Result>(work: () => Promise<Result>): Promise<Result> {
    this.inHand += 1;
    try {
      return await work();
    } finally {
      this.inHand -= 1;
      this.wakeAwaited();
    }
  }

  private wakeAwaited(): void {
    const awaited = this.roomAwaited;
    this.roomAwaited = [];
    for (const wake of awaited) wake();
  }

  private lane(provider: string): Lane {
    let lane = this.lanes.get(provider);
    if (!lane) this.lanes.set(provider, (lane = new Lane(CALLS_PER_PROVIDER_MAX)));
    return lane;
  }
}

function notHandedOver(reason: 'expired' | 'provider_unavailable'): SubmitOutcome {
  return { outcome: 'refused', reason, rawCode: null, rawMessage: 'Not handed over.' };
}

function reasonOf(outcome: SubmitOutcome) {
  if (outcome.outcome === 'accepted') return null;
  return outcome.outcome === 'refused' ? outcome.reason : 'provider_timeout';
}

/** A code that is dead must not arrive on a phone that is switched on later. */
function validitySeconds({ otp }: Message, now: number): number {
  if (otp === null) return VALIDITY_SECONDS_MAX;
  const leftSeconds = Math.floor((otp.expiresAt.getTime() - now) / 1_000);
  return Math.min(Math.max(leftSeconds, 1), VALIDITY_SECONDS_MAX);
}
