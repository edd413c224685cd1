/**
 * The provider of test keys: no network, no randomness, every `reason` reproducible.
 *
 * Three instances (`simulator_1` to `simulator_3`) act as the providers 1, 2 and 3 of the magic
 * numbers, so a test message fails over through the same code as a live one. Metrics and traces name
 * all three `simulator` (`providerLabel`).
 *
 * State: timers for receipts and answers that are due later, and the refusals so far of numbers
 * that are throttled twice. Both are bounded and end with the process. After a restart `resume`
 * plays the rest of a message's script: its receipts repeat with the same ids, overdue ones at
 * once, and dispatch ignores repetitions.
 */
import { type Clock, type MessageId, systemClock } from '@watchword/contracts';
import { ambiguous } from '../http/outcome.policy.js';
import type { Capacity } from '../capacity/capacity.js';
import {
  type CarrierReport,
  forAllKinds,
  type Provider,
  type ReportSink,
  type SubmitOutcome,
  type SubmitRequest,
} from '../provider.port.js';
import { type Position, type Script, type ScriptedAnswer, scriptFor } from './script.policy.js';

/** Runs an action later. Returns a function that cancels it. */
export type Schedule = (delayMs: number, action: () => void) => () => void;

export interface SimulatorSettings {
  capacity: Capacity;
  clock?: Clock | undefined;
  schedule?: Schedule;
}

/** A message that was submitted before the process stopped. */
export interface SubmittedMessage {
  messageId: MessageId;
  resend?: number | undefined;
  destination: string;
  /** Start of the submit, as on the attempt's record. Milliseconds since 1970. */
  submittedAt: number;
}

const SIMULATOR_TIMEOUT_MS = 1_000;

/** Most timers of an instance. Further submits are throttled, which bounds memory. */
const PENDING_MAX = 100_000;
const COUNTED_MESSAGES_MAX = 10_000;

const scheduleWithTimers: Schedule = (delayMs, action) => {
  const timer = setTimeout(action, delayMs);
  return () => clearTimeout(timer);
};

export class SimulatorAdapter implements Provider {
  readonly name: string;
  readonly carrier = 'simulator';
  readonly dndCapable = forAllKinds(false);
  readonly defaultSenderId = null;
  readonly senderNumber = null;
  readonly capacity: Capacity;
  private onReports: ReportSink = async () => {};
  private isOpen = true;
  /** Functions that cancel later work. */
  private readonly pending = new Set<() => void>();
  private readonly refusalsByMessage = new Map<string, number>();
  private readonly clock: Clock;
  private readonly schedule: Schedule;

  constructor(
    private readonly position: Position,
    settings: SimulatorSettings,
  ) {
    this.capacity = settings.capacity;
    this.name = `simulator_${position}`;
    this.clock = settings.clock ?? systemClock;
    this.schedule = settings.schedule ?? scheduleWithTimers;
  }

  async start(onReports: ReportSink): Promise<void> {
    this.onReports = onReports;
  }

  ready(): boolean {
    return this.isOpen;
  }

  async submit({ messageId, destination, resend }: SubmitRequest): Promise<SubmitOutcome> {
    if (this.pending.size >= PENDING_MAX) {
      return { outcome: 'refused', reason: 'throttled', rawCode: 'BUSY', rawMessage: null };
    }
    const script = scriptFor(destination, this.position);
    if (this.refuses(script.answer, messageId)) return refusal(script.answer);
    const message = { messageId, resend, destination, submittedAt: this.clock.now() };
    this.play(script, message);
    if (script.answerAfterMs === 0) return this.acceptance(message);
    if (script.answerAfterMs < SIMULATOR_TIMEOUT_MS) {
      return this.after(script.answerAfterMs, this.acceptance(message));
    }
    return this.after(SIMULATOR_TIMEOUT_MS, ambiguous('TIMEOUT', 'No answer within one second.'));
  }

  /** Plays the receipts of a message that was submitted before a restart. */
  resume(message: SubmittedMessage): void {
    const script = scriptFor(message.destination, this.position);
    this.play(script, message);
  }

  /** Drops receipts that are due later. Outstanding answers come at once. */
  async stop(): Promise<void> {
    this.isOpen = false;
    for (const callOff of this.pending) callOff();
    this.pending.clear();
  }

  private refuses(answer: ScriptedAnswer, messageId: string): answer is Refusing {
    if (answer.kind === 'accept') return false;
    if (answer.times === undefined) return true;
    const refusals = this.refusalsByMessage.get(messageId) ?? 0;
    this.refusalsByMessage.delete(messageId);
    if (refusals === answer.times) return false;
    this.refusalsByMessage.set(messageId, refusals + 1);
    this.forgetOldest();
    return true;
  }

  private forgetOldest(): void {
    if (this.refusalsByMessage.size <= COUNTED_MESSAGES_MAX) return;
    for (const messageId of this.refusalsByMessage.keys()) {
      this.refusalsByMessage.delete(messageId);
      return;
    }
  }

  private play(script: Script, message: SubmittedMessage): void {
    const { messageId, submittedAt } = message;
    for (const { afterMs, state, reason, rawCode } of script.receipts) {
      const report: CarrierReport = {
        messageId,
        attempt: null,
        providerMessageId: this.providerMessageId(message),
        state,
        reason,
        rawCode,
        rawMessage: null,
        network: null,
      };
      const dueInMs = Math.max(0, submittedAt + afterMs - this.clock.now());
      // No carrier could be asked to send it again. The next start replays it.
      this.later(dueInMs, () => void this.onReports([report]).catch(() => undefined));
    }
  }

  private acceptance(message: SubmittedMessage): SubmitOutcome {
    return { outcome: 'accepted', providerMessageId: this.providerMessageId(message) };
  }

  /** Returns an id made from ours, which is the same after a restart. */
  private providerMessageId({ messageId, resend = 0 }: SubmittedMessage): string {
    const id = `${this.name}_${messageId}`;
    return resend === 0 ? id : `${id}_${resend}`;
  }

  private after(delayMs: number, outcome: SubmitOutcome): Promise<SubmitOutcome> {
    return new Promise((resolve) => {
      const answer = () => resolve(outcome);
      this.later(delayMs, answer, answer);
    });
  }

  private later(delayMs: number, action: () => void, instead?: () => void): void {
    const callOff = () => {
      cancel();
      instead?.();
    };
    const cancel = this.schedule(delayMs, () => {
      this.pending.delete(callOff);
      action();
    });
    this.pending.add(callOff);
  }
}

type Refusing = Extract<ScriptedAnswer, { kind: 'refuse' }>;

function refusal({ reason, retryAfterMs }: Refusing): SubmitOutcome {
  const refused = { outcome: 'refused', reason, rawCode: reason, rawMessage: null } as const;
  return retryAfterMs === undefined ? refused : { ...refused, retryAfterMs };
}
