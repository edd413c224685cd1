import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ACCEPT, makePlan } from '../outcomes/outcome.js';
import type { CallbackClient, CallbackRequest } from './callback.adapter.js';
import { ReceiptJob } from './receipt.job.js';
import { DueTimers } from './due-timers.js';

/** Settles each callback when the test says so, or at once. */
class Callbacks {
  readonly posted: string[] = [];
  readonly unsettled: (() => void)[] = [];
  isInstant = false;

  post({ body }: CallbackRequest, settled: () => void, finished: () => void): void {
    this.posted.push(body);
    if (this.isInstant) {
      finished();
      settled();
    } else this.unsettled.push(settled);
  }
}

describe('ReceiptJob', () => {
  let timers: DueTimers;
  beforeEach(() => {
    timers = new DueTimers(100_000);
  });
  afterEach(() => timers.stop());

  it('bounds what is in flight, and drains a long line that settles at once', async () => {
    const callbacks = new Callbacks();
    const job = new ReceiptJob(timers, callbacks as unknown as CallbackClient);
    const { steps } = makePlan(ACCEPT, [{ afterMs: 0, outcome: 'delivered' }]);
    const count = 50_000;
    for (let index = 0; index < count; index++) {
      job.start({
        steps,
        acceptedAtMs: Date.now(),
        render: () => ({ url: '', headers: {}, body: String(index) }),
        finished() {},
      });
    }
    while (job.pending < count) await sleep(20);
    expect(callbacks.posted).toHaveLength(2_000);
    expect(job.pending).toBe(count);
    callbacks.isInstant = true;
    callbacks.unsettled.shift()!();
    expect(callbacks.posted).toHaveLength(count);
    expect(callbacks.posted.at(-1)).toBe(String(count - 1));
    for (const settled of callbacks.unsettled) settled();
    expect(job.pending).toBe(0);
    expect(job.dropped).toBe(0);
  });

  it('posts receipts together that are due together, a forged one apart', async () => {
    const callbacks = new Callbacks();
    callbacks.isInstant = true;
    const job = new ReceiptJob(timers, callbacks as unknown as CallbackClient);
    const delivered = { afterMs: 0, outcome: 'delivered' } as const;
    const later = { afterMs: 1, outcome: 'delivered', forged: true } as const;
    const { steps } = makePlan(ACCEPT, [delivered, delivered, later, { ...delivered, afterMs: 1 }]);
    const finished: number[] = [];
    const request = (body: string) => ({ url: '', headers: {}, body });
    job.start({
      steps,
      acceptedAtMs: Date.now(),
      render: ({ forged }) => request(forged ? 'forged' : 'one'),
      renderTogether: (receipts) => request(`${receipts.length} together`),
      finished: (index) => finished.push(index),
    });
    while (callbacks.posted.length < 3) await sleep(5);
    expect(callbacks.posted).toEqual(['2 together', 'forged', 'one']);
    expect(finished).toEqual([0, 1, 2, 3]);
  });
});
