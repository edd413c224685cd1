/**
 * The neutral provider of test keys: no network, no chance, every `reason` at first hand.
 *
 * Three instances (`simulator_1` to `simulator_3`) stand for the providers 1, 2 and 3 of the magic
 * numbers, so that a test message fails over through the same code as a live one. To the public
 * all three are `simulator` (`publicProviderName`).
 *
 * State: receipts and answers that are due later are timers, and the refusals so far of the
 * numbers that are throttled twice. Both are bounded and die with the process. After a restart
 * `resume` plays the rest of a message's script again: its receipts repeat with the same ids, the
 * overdue ones at once, and dispatch ignores repeated receipts.
 */
import { systemClock } from '@watchword/contracts';
import type { Clock } from '@watchword/contracts';
import { ambiguous } from '../http/outcome.policy.js';
import type { Capacity } from '../capacity/capacity.js';
import type {
  CarrierReport,
  Provider,
  ReportSink,
  SubmitOutcome,
  SubmitRequest,
} from '../provider.port.js';
import { scriptFor } from './script.policy.js';
import type { Position, Script, ScriptedAnswer } from './script.policy.js';

/** Runs an action later and returns how to call it off. */
export type Schedule = (delayMs: number, action: () => void) => () => void;

export interface SimulatorSettings {
  capacity: Capacity;
  clock?: Clock | undefined;
  schedule?: Schedule;
}

/** A message that was submitted before the process stopped. */
export interface SubmittedMessage {
  messageId: string;
  resend?: number | undefined;
  destination: string;
  /** When the submit began, as on the attempt's record; milliseconds since 1970. */
  submittedAt: number;
}

const SIMULATOR_TIMEOUT_MS = 1_000;

/** Timers of one instance; beyond it submits are throttled rather than memory filled. */
const PENDING_MAX = 100_000;
const COUNTED_MESSAGES_MAX = 10_000;

const scheduleWithTimers: Schedule = (delayMs, action) => {
  const timer = setTimeout(action, delayMs);
  return () => clearTimeout(timer);
};

export class SimulatorAdapter implements Provider {
  readonly name: string;
  readonly carrier = 'simulator';
  readonly dndCapable = false;
  readonly capacity: Capacity;
  private onReports: ReportSink = async () => {};
  private isOpen = true;
  /** How to call off everything that is due later. */
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

  /** Plays the receipts of a message again that was submitted before a restart. */
  resume(message: SubmittedMessage): void {
    const script = scriptFor(message.destination, this.position);
    this.play(script, message);
  }

  /** Receipts that are due later are dropped; answers that are awaited come at once. */
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
      this.later(dueInMs, () => void this.onReports([report]));
    }
  }

  private acceptance(message: SubmittedMessage): SubmitOutcome {
    return { outcome: 'accepted', providerMessageId: this.providerMessageId(message) };
  }

  /** Made from our id, so that it is the same again after a restart. */
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
