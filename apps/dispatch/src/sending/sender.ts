import { setTimeout as sleep } from 'node:timers/promises';
import { MicroBatcher } from '@watchword/batching';
import { type Clock, newId } from '@watchword/contracts';
import { crashPoint, type Logger } from '@watchword/observability';
import { AccountRoom, FULL, type Provider, type SubmitOutcome } from '@watchword/carriers';
import { type Attempt, attemptsOf, lastAttempt, type Message } from '../messages/message.js';
import type { ChangeRequest, MessageChanges } from '../messages/message-changes.handler.js';
import { isLapsed } from '../messages/message-change.policy.js';
import type { OtpSecrets } from '../verification/otp-secrets.js';
import { isUnderWay } from '../verification/resend.policy.js';
import { PROBE_AFTER_MS } from '../routing/provider-health.policy.js';
import type { Router } from '../routing/router.js';
import {
  receiptDeadline,
  type SendingContext,
  withOutcome,
  withoutReceipt,
} from './failover.policy.js';
import { expectAttempts, noteSubmit, showInHand, traceparentOfSubmit } from './measurements.js';
import { textOf } from './new-message.policy.js';
import { Room } from './room.js';
import { RunningSendings, type Sending } from './running-sendings.js';

/**
 * Gives messages to providers. A sending, which is a message or one of its resends, is pursued on its own,
 * attempt after attempt, until nothing is left to do about it.
 *
 * - A call is made only for an attempt that is on record as unanswered and ours (`heldBy`), and by nobody
 *   but who put it on record: what was taken over from others bears our id as well, and may have been made. Its
 *   outcome is recorded, and in the same write what follows: sent, failed, or the next attempt.
 * - Outcomes are recorded in batches. A database that is away does not lose them: recording is tried again
 *   until it works.
 */

/** How soon a message that finds every room full looks again. */
const FULL_RETRY_MS = 100;
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

/** What it takes to pursue a sending. */
interface Pursuit {
  readonly code: string | null;
  /** As in `Sending`. */
  readonly resend: number;
  /** The attempts that it has put on record itself; see `nameOf`. */
  readonly announced: Set<string>;
}

export class Sender {
  /** This process, in the attempts that it is at. */
  readonly id = newId();
  /** One for each account, so that a carrier that hangs fills its own room and no other. */
  private readonly rooms: ReadonlyMap<string, AccountRoom>;
  private readonly recorder: MicroBatcher<ChangeRequest, Message | null>;
  private readonly room: Room;
  private readonly running = new RunningSendings();
  private readonly stopping = new AbortController();

  constructor(private readonly parts: SenderParts) {
    const providers = [...parts.providers.values()];
    this.rooms = new Map(providers.map((one) => [one.name, new AccountRoom(one.capacity)]));
    this.room = new Room(inHandMax(providers));
    this.recorder = new MicroBatcher({
      name: 'dispatch.recorder',
      flush: (requests) => this.apply(requests),
      sizeMax: BATCH_SIZE_MAX,
      queueMax: Number.POSITIVE_INFINITY,
    });
    showInHand(() => this.room.inHand);
    for (const account of parts.providers.keys()) expectAttempts(account);
  }

  /** Resolves when that many more messages may be sent. */
  waitForRoom(count: number): Promise<void> {
    return this.room.waitFor(count);
  }

  get hasRoom(): boolean {
    return this.room.isLeft;
  }

  /** Begins with the first attempt of the sending, which has just been put on record as ours. */
  send(message: Message, code: string | null, resend = 0): void {
    const first = lastAttempt(message, resend);
    const announced = new Set(first ? [nameOf(first)] : []);
    const sending = { messageId: message.id, resend };
    this.run(sending, this.pursue(message, { code, resend, announced }));
  }

  isSending(sending: Sending): boolean {
    return this.running.has(sending);
  }

  /** Goes on with what a dead process left: it cannot be known whether its call was made. */
  takeOver(message: Message): void {
    for (const sending of this.ownOnRecord(message)) {
      this.run(sending, this.resume(message, sending.resend));
    }
  }

  /** Goes on with what is ours on record and does not run: nor can it be known of that. */
  resumeStrays(message: Message): void {
    for (const sending of this.ownOnRecord(message)) {
      if (!this.isSending(sending)) this.run(sending, this.resume(message, sending.resend));
    }
  }

  /** Lets what is in hand come to its end, for as long as the deadline; waits for receipts are left. */
  async stop(deadlineMs: number): Promise<void> {
    this.stopping.abort();
    this.room.close();
    await Promise.race([this.running.ended(), sleep(deadlineMs, undefined, { ref: false })]);
    for (const room of this.rooms.values()) room.close();
  }

  private ownOnRecord({ id: messageId, attempts }: Message): Sending[] {
    const own = attempts.filter(({ heldBy }) => heldBy === this.id);
    return [...new Set(own.map(({ resend }) => resend))].map((resend) => ({ messageId, resend }));
  }

  private run(sending: Sending, pursuing: Promise<void>): void {
    const work = pursuing.catch((error: unknown) => {
      if (this.stopping.signal.aborted) return;
      this.parts.logger.error({ err: error }, 'a message was left to the recovery');
    });
    this.running.add(sending, work);
  }

  /** From what is on record: an attempt without an outcome may have been made or not. */
  private async resume(message: Message, resend: number): Promise<void> {
    const attempt = lastAttempt(message, resend);
    if (!attempt) return;
    const cipher = message.otp?.codeCipher ?? null;
    const code = cipher === null ? null : this.parts.secrets.open(message.id, cipher);
    const pursuit = { code, resend, announced: new Set<string>() };
    const unknown = { outcome: 'ambiguous', rawCode: null, rawMessage: 'Not on record.' } as const;
    const known =
      attempt.outcome === null
        ? await this.room.inHandWhile(() => this.record(message, attempt, unknown, pursuit))
        : message;
    await this.pursue(known, pursuit);
  }

  private async pursue(start: Message, pursuit: Pursuit): Promise<void> {
    const { resend, announced } = pursuit;
    let message = start;
    for (;;) {
      const attempt = lastAttempt(message, resend);
      if (!isUnderWay(message, resend) || attempt?.heldBy !== this.id) return;
      if (attempt.outcome === null) {
        // Who put it on record makes it, or has made it.
        if (!announced.has(nameOf(attempt))) return;
        message = await this.room.inHandWhile(() => this.call(message, attempt, pursuit));
      } else if (attempt.outcome === 'ambiguous') {
        message = await this.awaitReceipt(message, attempt, pursuit);
      } else {
        return;
      }
    }
  }

  /** Makes the call that the attempt announced, and records its outcome. */
  private async call(message: Message, attempt: Attempt, pursuit: Pursuit): Promise<Message> {
    const dueInMs = attempt.startedAt.getTime() - this.parts.clock.now();
    if (dueInMs > 0) {
      await sleep(dueInMs);
      // The message may have ended while it waited.
      const current = await this.current(message);
      if (!isUnderWay(current, attempt.resend)) {
        return this.record(current, attempt, notHandedOver('expired'), pursuit);
      }
    }
    const outcome = await this.handOver(message, attempt, pursuit);
    return this.record(message, attempt, outcome, pursuit);
  }

  /** When the account's room is full, another account is asked; without one, the message waits. */
  private async handOver(
    message: Message,
    attempt: Attempt,
    { code }: Pursuit,
  ): Promise<SubmitOutcome> {
    const room = this.rooms.get(attempt.provider);
    if (!room) return notHandedOver('provider_unavailable');
    for (;;) {
      const outcome = await room.run(() => this.submit(message, attempt, code));
      if (outcome !== FULL) return outcome;
      this.stopping.signal.throwIfAborted();
      if (isLapsed(message, new Date(this.parts.clock.now()))) return notHandedOver('expired');
      if (this.isLeft(message, attempt)) return notHandedOver('throttled');
      await sleep(FULL_RETRY_MS, undefined, { signal: this.stopping.signal });
    }
  }

  /** Whether a provider is left that may be asked now and has room. */
  private isLeft(message: Message, { provider, resend }: Attempt): boolean {
    const tried = attemptsOf(message, resend).map((attempt) => attempt.provider);
    const full = [...this.rooms].filter(([, room]) => room.isFull).map(([name]) => name);
    return this.parts.router.hasOther(message, new Set([...tried, provider, ...full]));
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
    const admission = this.parts.router.admit(provider.name, message);
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
    pursuit: Pursuit,
  ): Promise<Message> {
    const provider = this.parts.providers.get(attempt.provider);
    if (provider?.query) {
      const answer = await provider
        .query(message.id)
        .catch((error: unknown) => this.unforeseen(provider.name, error));
      if (answer.outcome !== 'ambiguous') return this.record(message, attempt, answer, pursuit);
    }
    const waitMs = receiptDeadline(message, attempt) - this.parts.clock.now();
    if (waitMs > 0) await sleep(waitMs, undefined, { signal: this.stopping.signal });
    return this.room.inHandWhile(() =>
      this.write(message, pursuit, (current, at) =>
        withoutReceipt(current, attempt.number, this.context(current, at)),
      ),
    );
  }

  private record(
    message: Message,
    attempt: Attempt,
    outcome: SubmitOutcome,
    pursuit: Pursuit,
  ): Promise<Message> {
    return this.write(message, pursuit, (current, at) =>
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
    { announced }: Pursuit,
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
}

/** As it was put on record: somebody else's with the same number has another moment or provider. */
function nameOf({ number, provider, startedAt }: Attempt): string {
  return `${number} ${provider} ${startedAt.getTime()}`;
}

function inHandMax(providers: readonly Provider[]): number {
  return providers.reduce(
    (sum, { capacity }) => sum + capacity.concurrency + capacity.waitingMax,
    0,
  );
}

type Refused = Extract<SubmitOutcome, { outcome: 'refused' }>;

function notHandedOver(reason: 'expired' | 'provider_unavailable' | 'throttled'): Refused {
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
