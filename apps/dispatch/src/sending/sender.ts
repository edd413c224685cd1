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
import { noteSubmit, showInHand, traceparentOfSubmit } from './measurements.js';
import { textOf } from './new-message.policy.js';
import type { HeldAttempt } from './unfinished.store.js';

/**
 * Carries messages to providers, each on its own until nothing is left to do about it.
 *
 * - A call is made only for an attempt that is on record as unanswered and ours (`heldBy`), and by nobody
 *   but who put it on record: what was taken over from others bears our id as well, and may have been made. Its
 *   outcome is recorded, and in the same write what follows: sent, failed, or the next attempt.
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

/** What carries a message, from its being taken until nothing is left to do about it. */
interface Carrying {
  readonly code: string | null;
  /** Of a message several may be carried at once: 0 itself, then its resends. */
  readonly resend: number;
  /** The attempts that it has put on record itself; see `nameOf`. */
  readonly announced: Set<string>;
}

export class Sender {
  /** This process, in the attempts that it is at. */
  readonly id = newId();
  private readonly lanes = new Map<string, Lane>();
  private readonly recorder: MicroBatcher<ChangeRequest, Message | null>;
  private readonly active = new Set<Promise<void>>();
  /** How often each is carried, by message and resend. */
  private readonly carried = new Map<string, number>();
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
    const first = lastAttempt(message, resend);
    const announced = new Set(first ? [nameOf(first)] : []);
    const held = { messageId: message.id, resend };
    this.keep(held, this.carry(message, { code, resend, announced }));
  }

  isAt(held: HeldAttempt): boolean {
    return this.carried.has(carriedAs(held));
  }

  /** Takes over what a dead process left: it cannot be known whether its call was made. */
  takeOver(message: Message): void {
    for (const held of this.heldOf(message)) this.keep(held, this.resume(message, held.resend));
  }

  /** Of what is ours on record, that at which nobody is here. */
  takeUp(message: Message): void {
    for (const held of this.heldOf(message)) {
      if (!this.isAt(held)) this.keep(held, this.resume(message, held.resend));
    }
  }

  /** Lets what is in hand come to its end, for as long as the deadline; waits for receipts are left. */
  async stop(deadlineMs: number): Promise<void> {
    this.stopping.abort();
    this.wakeAwaited();
    const done = Promise.allSettled(this.active);
    await Promise.race([done, sleep(deadlineMs, undefined, { ref: false })]);
  }

  private heldOf({ id: messageId, attempts }: Message): HeldAttempt[] {
    const mine = attempts.filter(({ heldBy }) => heldBy === this.id);
    return [...new Set(mine.map(({ resend }) => resend))].map((resend) => ({ messageId, resend }));
  }

  private keep(held: HeldAttempt, work: Promise<void>): void {
    const name = carriedAs(held);
    this.carried.set(name, (this.carried.get(name) ?? 0) + 1);
    const kept = work.catch((error: unknown) => {
      if (this.stopping.signal.aborted) return;
      this.parts.logger.error({ err: error }, 'a message was left to the recovery');
    });
    this.active.add(kept);
    void kept.finally(() => {
      this.active.delete(kept);
      const left = (this.carried.get(name) ?? 1) - 1;
      if (left > 0) this.carried.set(name, left);
      else this.carried.delete(name);
    });
  }

  private async resume(message: Message, resend: number): Promise<void> {
    const attempt = lastAttempt(message, resend);
    if (!attempt) return;
    const cipher = message.otp?.codeCipher ?? null;
    const code = cipher === null ? null : this.parts.secrets.open(message.id, cipher);
    const carrying = { code, resend, announced: new Set<string>() };
    const unknown = { outcome: 'ambiguous', rawCode: null, rawMessage: 'Not on record.' } as const;
    const known =
      attempt.outcome === null
        ? await this.inHandWhile(() => this.record(message, attempt, unknown, carrying))
        : message;
    await this.carry(known, carrying);
  }

  private async carry(start: Message, carrying: Carrying): Promise<void> {
    const { resend, announced } = carrying;
    let message = start;
    for (;;) {
      const attempt = lastAttempt(message, resend);
      if (!isUnderWay(message, resend) || attempt?.heldBy !== this.id) return;
      if (attempt.outcome === null) {
        // Who put it on record makes it, or has made it.
        if (!announced.has(nameOf(attempt))) return;
        message = await this.inHandWhile(() => this.call(message, attempt, carrying));
      } else if (attempt.outcome === 'ambiguous') {
        message = await this.awaitReceipt(message, attempt, carrying);
      } else {
        return;
      }
    }
  }

  /** Makes the call that the attempt announced, and records its outcome. */
  private async call(message: Message, attempt: Attempt, carrying: Carrying): Promise<Message> {
    const dueInMs = attempt.startedAt.getTime() - this.parts.clock.now();
    if (dueInMs > 0) {
      await sleep(dueInMs);
      // The message may have ended while it waited.
      const current = await this.current(message);
      if (!isUnderWay(current, attempt.resend)) {
        return this.record(current, attempt, notHandedOver('expired'), carrying);
      }
    }
    const outcome = await this.lane(attempt.provider).run(() =>
      this.submit(message, attempt, carrying.code),
    );
    return this.record(message, attempt, outcome, carrying);
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
        traceparent: traceparentOfSubmit(message.id, attempt),
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

  private async awaitReceipt(
    message: Message,
    attempt: Attempt,
    carrying: Carrying,
  ): Promise<Message> {
    const provider = this.parts.providers.get(attempt.provider);
    if (provider?.query) {
      const answer = await provider
        .query(message.id)
        .catch((error: unknown) => this.unforeseen(provider.name, error));
      if (answer.outcome !== 'ambiguous') return this.record(message, attempt, answer, carrying);
    }
    const waitMs = receiptDeadline(message, attempt) - this.parts.clock.now();
    if (waitMs > 0) await sleep(waitMs, undefined, { signal: this.stopping.signal });
    return this.inHandWhile(() =>
      this.write(message, carrying, (current, at) =>
        withoutReceipt(current, attempt.number, this.context(current, at)),
      ),
    );
  }

  private record(
    message: Message,
    attempt: Attempt,
    outcome: SubmitOutcome,
    carrying: Carrying,
  ): Promise<Message> {
    return this.write(message, carrying, (current, at) =>
      withOutcome(current, attempt.number, outcome, this.context(current, at)),
    );
  }

  /** As it is now; as it was known when that cannot be found out. */
  private async current(known: Message): Promise<Message> {
    const request = { id: known.id, change: (message: Message) => message };
    return (await this.recorder.submit(request).catch(() => known)) ?? known;
  }

  private context(message: Message, at: Date): SendingContext {
    return { candidates: this.parts.router.providersFor(message), heldBy: this.id, at };
  }

  /** Tries until it works; after some failures apart from the batch, in case this one is to blame. */
  private async write(
    known: Message,
    { announced }: Carrying,
    change: ChangeRequest['change'],
  ): Promise<Message> {
    const noted: ChangeRequest['change'] = (before, at) => {
      const after = change(before, at);
      for (const one of after.attempts.slice(before.attempts.length)) announced.add(nameOf(one));
      return after;
    };
    const request = { id: known.id, known, change: noted };
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

/** As it was put on record: somebody else's with the same number has another moment or provider. */
function nameOf({ number, provider, startedAt }: Attempt): string {
  return `${number} ${provider} ${startedAt.getTime()}`;
}

function carriedAs({ messageId, resend }: HeldAttempt): string {
  return `${messageId} ${resend}`;
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
