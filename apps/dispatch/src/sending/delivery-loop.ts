import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@watchword/contracts';
import type { SubmitOutcome } from '@watchword/carriers';
import { type Attempt, lastAttempt, type Message } from '../messages/message.js';
import type { Change, MessageChangeRequest } from '../messages/message-changes.handler.js';
import { carrierIdsOf } from '../messages/parts.policy.js';
import { isCostDecided } from '../messages/message-change.policy.js';
import { isUnderWay } from '../messages/resends.policy.js';
import type { Router } from '../routing/router.js';
import { type CarrierCalls, notHandedOver } from './carrier-calls.js';
import {
  type CallOutcome,
  receiptDeadline,
  type SendingContext,
  afterPreventedCall,
  withOutcome,
  withoutCall,
  withoutReceipt,
} from './failover.policy.js';
import type { OpenCalls } from './open-calls.js';
import type { OutcomeRecorder } from './outcome-recorder.js';
import type { Slots } from './slots.js';

export interface DeliveryLoopParts {
  /** Id of this process, stored on the attempts that it holds. */
  readonly heldBy: string;
  readonly slots: Slots;
  readonly calls: CarrierCalls;
  readonly openCalls: OpenCalls;
  readonly recorder: OutcomeRecorder<Message, MessageChangeRequest>;
  readonly router: Pick<Router, 'providersFor'>;
  readonly clock: Clock;
  readonly stopping: AbortSignal;
}

/**
 * Milliseconds. A code whose call waited longer than this is read again before the call: it may have been
 * cancelled or verified. Shorter waits cost no further statement. Other messages do not end before.
 */
const LONG_WAIT_MS = 200;

/** Milliseconds. Most reports of a delivery come within seconds; the caller of the cancellation waits for it. */
const PROOF_WAIT_MS = 5_000;

/**
 * Carries out one sending, a message or one of its resends, attempt after attempt until nothing is left
 * to do.
 *
 * It calls a carrier only for an attempt that it has recorded itself and that is still unanswered
 * and held by this process. An attempt taken over from a dead process also has this process's id,
 * but its call may have been made.
 */
export class DeliveryLoop {
  /** The attempts that this loop has recorded; see `nameOf`. */
  private readonly announced = new Set<string>();
  private isOfBurst = false;

  constructor(
    private readonly parts: DeliveryLoopParts,
    /** The sending: 0 for the message itself, else the number of the resend. */
    private readonly resend: number,
    private readonly code: string | null,
  ) {}

  /**
   * Starts with the first attempt, which this process has just recorded. A message of a burst waits
   * for its turn.
   */
  async begin(message: Message, isOfBurst = false): Promise<void> {
    this.isOfBurst = isOfBurst;
    const first = lastAttempt(message, this.resend);
    if (first) this.announced.add(nameOf(first));
    await this.attemptAll(message);
  }

  /**
   * Resumes from the record. The call of an attempt without an outcome may have been made. That of
   * a refused last attempt was not, because its process stopped before.
   */
  async resume(message: Message): Promise<void> {
    const attempt = lastAttempt(message, this.resend);
    if (!attempt) return;
    await this.attemptAll(await this.takenUp(message, attempt));
  }

  private async takenUp(message: Message, attempt: Attempt): Promise<Message> {
    const { slots } = this.parts;
    if (attempt.outcome === null) {
      const unknown = {
        outcome: 'ambiguous',
        rawCode: null,
        rawMessage: 'Not on record.',
      } as const;
      return slots.inHandWhile(() => this.record(message, attempt, unknown));
    }
    if (attempt.outcome !== 'refused') return message;
    return slots.inHandWhile(() =>
      this.write(message, (current, at) =>
        afterPreventedCall(current, attempt.number, this.context(current, at)),
      ),
    );
  }

  private async attemptAll(start: Message): Promise<void> {
    let message = start;
    for (;;) {
      const attempt = lastAttempt(message, this.resend);
      if (!isUnderWay(message, this.resend) || attempt?.heldBy !== this.parts.heldBy) return;
      if (attempt.outcome === null) {
        if (!this.announced.has(nameOf(attempt))) return;
        message = await this.callInHand(message, attempt);
      } else if (attempt.outcome === 'ambiguous') {
        message = await this.awaitReceipt(message, attempt);
      } else {
        return;
      }
    }
  }

  /** A burst waits for its first calls only. A stop ends the wait: the next process makes the call. */
  private async callInHand(message: Message, attempt: Attempt): Promise<Message> {
    const { slots } = this.parts;
    const waitsSince = performance.now();
    const call = () => this.call(message, attempt, waitsSince);
    if (!this.isOfBurst) return slots.inHandWhile(call);
    this.isOfBurst = false;
    const called = await slots.inTurn(call);
    if (called !== null) return called;
    const stopped = notHandedOver('provider_unavailable');
    return this.write(message, (current, at) => withoutCall(current, attempt.number, stopped, at));
  }

  /** Makes the call of a recorded attempt, and records its outcome. */
  private async call(message: Message, attempt: Attempt, waitsSince: number): Promise<Message> {
    const { calls, clock, openCalls, stopping } = this.parts;
    const dueInMs = attempt.startedAt.getTime() - clock.now();
    if (dueInMs > 0) await sleep(dueInMs);
    const isLong = () => this.code !== null && performance.now() - waitsSince > LONG_WAIT_MS;
    const hasEnded = async () => (dueInMs > 0 || isLong()) && (await this.hasEnded(message));
    const { provider } = attempt;
    const { destination } = message;
    return openCalls.during({ provider, destination }, async (reports) => {
      const outcome = await calls.submit(message, attempt, this.code, hasEnded);
      const early = reports.claim(message.id, idsOf(outcome));
      const isLost = this.resend === 0 && isAnswerLost(message, outcome);
      const recorded = isLost
        ? await this.recordLost(message, attempt, outcome, early, () =>
            reports.arrival(message.id, PROOF_WAIT_MS, stopping),
          )
        : await this.record(message, attempt, outcome, early);
      reports.recorded(recorded);
      return recorded;
    });
  }

  /**
   * Records a lost answer. If the message was cancelled meanwhile, this is its last call, and its record decides
   * the refund. A report can still prove that the carrier took the message: it is awaited, and counts first.
   */
  private async recordLost(
    message: Message,
    attempt: Attempt,
    outcome: CallOutcome,
    early: Change,
    arrival: () => Promise<void>,
  ): Promise<Message> {
    const write = (known: Message, isFinal: boolean) =>
      this.write(
        known,
        (current, at) => {
          const answered = (before: Message) =>
            withOutcome(before, attempt.number, outcome, this.context(before, at));
          if (current.state !== 'cancelled') return early(answered(current), at);
          const reported = early(current, at);
          return isFinal || isCostDecided(reported) ? answered(reported) : reported;
        },
        isOptOut(outcome),
      );
    const recorded = await write(message, false);
    if (recorded.state !== 'cancelled' || isCostDecided(recorded)) return recorded;
    await arrival();
    return write(recorded, true);
  }

  private async hasEnded(message: Message): Promise<boolean> {
    const look = { id: message.id, change: (same: Message) => same };
    return !isUnderWay(await this.parts.recorder.current(look, message), this.resend);
  }

  private async awaitReceipt(message: Message, attempt: Attempt): Promise<Message> {
    const { calls, clock, slots, stopping } = this.parts;
    const waitMs = receiptDeadline(message, attempt) - clock.now();
    // Asked again after the wait: the carrier's log can lag.
    for (const ms of waitMs > 0 ? [0, waitMs] : [0]) {
      if (ms > 0) await sleep(ms, undefined, { signal: stopping });
      const answer = await calls.lateAnswer(message.id, attempt);
      if (answer !== null && answer.outcome !== 'ambiguous') {
        return this.record(message, attempt, answer);
      }
    }
    return slots.inHandWhile(() =>
      this.write(message, (current, at) =>
        withoutReceipt(current, attempt.number, this.context(current, at)),
      ),
    );
  }

  /** Records an outcome. `after` applies the reports that overtook it, in the same write. */
  private record(
    message: Message,
    attempt: Attempt,
    outcome: CallOutcome,
    after: Change = (current) => current,
  ): Promise<Message> {
    return this.write(
      message,
      (current, at) =>
        after(withOutcome(current, attempt.number, outcome, this.context(current, at)), at),
      isOptOut(outcome),
    );
  }

  /** Writes a change and keeps the attempts it records. */
  private write(known: Message, change: Change, optsOut?: boolean): Promise<Message> {
    const announcing: Change = (before, at) => {
      const after = change(before, at);
      const added = after.attempts.slice(before.attempts.length);
      for (const attempt of added) this.announced.add(nameOf(attempt));
      return after;
    };
    return this.parts.recorder.record({ id: known.id, known, change: announcing, optsOut });
  }

  private context(message: Message, at: Date): SendingContext {
    const { heldBy, router } = this.parts;
    return { candidates: router.providersFor(message), heldBy, at };
  }
}

/**
 * Identifies an attempt. Another loop's attempt with this number has another time or provider.
 */
function nameOf({ number, provider, startedAt }: Attempt): string {
  return `${number} ${provider} ${startedAt.getTime()}`;
}

function idsOf(outcome: SubmitOutcome): readonly string[] {
  if (outcome.outcome !== 'accepted') return [];
  return carrierIdsOf(outcome.providerMessageId, outcome.partIds);
}

function isOptOut(outcome: SubmitOutcome): boolean | undefined {
  return outcome.outcome === 'refused' && outcome.optsOut;
}

function isAnswerLost({ attempts }: Message, { outcome }: SubmitOutcome): boolean {
  if (outcome === 'accepted') return false;
  return outcome === 'ambiguous' || attempts.some((attempt) => attempt.outcome === 'ambiguous');
}
