import type { Receipt, ReceiptStep } from '../outcomes/outcome.js';
import type { CallbackClient, CallbackRequest } from './callback.adapter.js';
import type { DueTimers } from './due-timers.js';

export interface MessageReceipts {
  readonly steps: readonly ReceiptStep[];
  readonly acceptedAtMs: number;
  readonly render: (receipt: Receipt) => CallbackRequest;
  /** Renders the receipts of a step as one request. Undefined where each has its own. */
  readonly renderTogether?: (receipts: readonly Receipt[]) => CallbackRequest | undefined;
}

interface Run extends MessageReceipts {
  nextStep: number;
}

/** Further requests would only queue inside the HTTP client, each with its whole body. */
const IN_FLIGHT_MAX = 2_000;
/** Bounds memory. A product this far behind loses receipts, as with a real carrier. */
const OVERDUE_MAX = 200_000;

/**
 * Sends the receipts of each message in order: a step waits until the first attempts of the step
 * before are done, otherwise parallel connections would reorder them. Due steps wait in line, not
 * yet rendered, while enough requests are in flight.
 */
export class ReceiptJob {
  /** Steps that were dropped for lack of room. */
  dropped = 0;
  private inFlight = 0;
  private overdue: Run[] = [];
  private overdueSent = 0;
  private isSendingOverdue = false;
  private isStopped = false;

  constructor(
    private readonly timers: DueTimers,
    private readonly callbacks: CallbackClient,
  ) {}

  /** Receipts in flight, and messages with overdue receipts. */
  get pending(): number {
    return this.inFlight + this.overdue.length - this.overdueSent;
  }

  start(receipts: MessageReceipts): void {
    this.scheduleNext({ ...receipts, nextStep: 0 });
  }

  stop(): void {
    this.isStopped = true;
  }

  private scheduleNext(run: Run): void {
    const step = run.steps[run.nextStep];
    if (!step) return;
    const delayMs = Math.max(0, run.acceptedAtMs + step.afterMs - Date.now());
    if (!this.timers.schedule(delayMs, () => this.sendOrWait(run))) this.dropped += 1;
  }

  private sendOrWait(run: Run): void {
    if (this.inFlight < IN_FLIGHT_MAX) this.send(run);
    else if (this.overdue.length < OVERDUE_MAX) this.overdue.push(run);
    else this.dropped += 1;
  }

  private send(run: Run): void {
    const { receipts } = run.steps[run.nextStep]!;
    run.nextStep += 1;
    const requests = requestsOf(run, receipts);
    let unsettled = requests.length;
    this.inFlight += unsettled;
    const settled = (): void => {
      this.inFlight -= 1;
      unsettled -= 1;
      if (unsettled === 0) this.scheduleNext(run);
      this.sendOverdue();
    };
    for (const request of requests) this.callbacks.post(request, settled);
  }

  /** A loop, not a recursion: a callback that cannot be written settles at once. */
  private sendOverdue(): void {
    if (this.isSendingOverdue) return;
    this.isSendingOverdue = true;
    while (this.inFlight < IN_FLIGHT_MAX && !this.isStopped) {
      const run = this.takeOverdue();
      if (!run) break;
      this.send(run);
    }
    this.isSendingOverdue = false;
  }

  private takeOverdue(): Run | undefined {
    const run = this.overdue[this.overdueSent];
    if (!run) return undefined;
    this.overdueSent += 1;
    // Shifting the array at every receipt would cost more than halving it sometimes.
    if (this.overdueSent * 2 > this.overdue.length) {
      this.overdue = this.overdue.slice(this.overdueSent);
      this.overdueSent = 0;
    }
    return run;
  }
}

/** A forged receipt comes from another sender, so it never shares a request. */
function requestsOf(run: MessageReceipts, receipts: readonly Receipt[]): CallbackRequest[] {
  const isOneSender = receipts.length > 1 && !receipts.some(({ forged }) => forged);
  const request = isOneSender ? run.renderTogether?.(receipts) : undefined;
  return request ? [request] : receipts.map((receipt) => run.render(receipt));
}
