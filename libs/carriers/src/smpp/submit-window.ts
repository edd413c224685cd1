import { isThrottling } from './status-map.js';

/** Milliseconds. Many submits that are throttled at once shrink the window once. */
const SHRINK_AGAIN_AFTER_MS = 1_000;

/**
 * Places for unanswered submits of one session. A throttling SMSC halves the window, and each
 * accepted submit gives one place back. Submits wait in order of arrival.
 */
export class SubmitWindow {
  private size: number;
  private taken = 0;
  private isClosed = false;
  private shrunkAtMs = Number.NEGATIVE_INFINITY;
  private readonly waiting = new Set<(hasPlace: boolean) => void>();

  constructor(private readonly sizeMax: number) {
    this.size = sizeMax;
  }

  /** Resolves with whether a place came free before the deadline, and before the session ended. */
  enter(deadlineMs: number): Promise<boolean> {
    if (this.isClosed) return Promise.resolve(false);
    if (this.taken < this.size) {
      this.taken += 1;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const settle = (hasPlace: boolean) => {
        clearTimeout(timer);
        this.waiting.delete(settle);
        resolve(hasPlace);
      };
      const timer = setTimeout(() => settle(false), deadlineMs);
      this.waiting.add(settle);
    });
  }

  /** `status`: what the SMSC answered. Null without an answer. */
  leave(status: number | null): void {
    this.taken -= 1;
    if (status !== null) this.adapt(status);
    this.admit();
  }

  close(): void {
    this.isClosed = true;
    for (const settle of [...this.waiting]) settle(false);
  }

  private adapt(status: number): void {
    const nowMs = performance.now();
    if (!isThrottling(status)) {
      this.size = Math.min(this.size + 1, this.sizeMax);
    } else if (nowMs - this.shrunkAtMs >= SHRINK_AGAIN_AFTER_MS) {
      this.shrunkAtMs = nowMs;
      this.size = Math.max(1, Math.floor(this.size / 2));
    }
  }

  private admit(): void {
    for (const settle of [...this.waiting].slice(0, Math.max(0, this.size - this.taken))) {
      this.taken += 1;
      settle(true);
    }
  }
}
