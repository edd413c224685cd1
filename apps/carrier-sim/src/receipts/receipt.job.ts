import type { Receipt, ReceiptStep } from '../outcomes/outcome.js';
import type { CallbackClient, CallbackRequest } from './callback.adapter.js';
import type { TimerWheel } from './timer-wheel.js';

interface Run {
  readonly steps: readonly ReceiptStep[];
  readonly acceptedAtMs: number;
  readonly render: (receipt: Receipt) => CallbackRequest;
  nextStep: number;
}

/**
 * Sends the receipts of each message in their order: a step waits until the first attempts of the
 * step before it are over, or parallel connections would shuffle them at random.
 */
export class ReceiptJob {
  /** Receipts that found the wheel full. */
  dropped = 0;

  constructor(
    private readonly wheel: TimerWheel,
    private readonly callbacks: CallbackClient,
  ) {}

  start(steps: readonly ReceiptStep[], acceptedAtMs: number, render: Run['render']): void {
    this.scheduleNext({ steps, acceptedAtMs, render, nextStep: 0 });
  }

  private scheduleNext(run: Run): void {
    const step = run.steps[run.nextStep];
    if (!step) return;
    const delayMs = Math.max(0, run.acceptedAtMs + step.afterMs - Date.now());
    if (!this.wheel.schedule(delayMs, () => this.send(run, step))) this.dropped += 1;
  }

  private send(run: Run, step: ReceiptStep): void {
    run.nextStep += 1;
    let unsettled = step.receipts.length;
    const settled = (): void => {
      unsettled -= 1;
      if (unsettled === 0) this.scheduleNext(run);
    };
    for (const receipt of step.receipts) this.callbacks.post(run.render(receipt), settled);
  }
}
