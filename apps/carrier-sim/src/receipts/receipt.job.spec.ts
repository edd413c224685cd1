import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ACCEPT, makePlan } from '../outcomes/outcome.js';
import type { CallbackClient, CallbackRequest } from './callback.adapter.js';
import { ReceiptJob } from './receipt.job.js';
import { DueTimers } from './due-timers.js';

/** Settles each callback when the test says so, or at once. */
class Callbacks {
  readonly posted: string[] = [];
  readonly unsettled: (() => void)[] = [];
  isInstant = false;

  post({ body }: CallbackRequest, settled: () => void): void {
    this.posted.push(body);
    if (this.isInstant) settled();
    else this.unsettled.push(settled);
  }
}

describe('ReceiptJob', () => {
  const timers = new DueTimers(100_000);
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
    for (let looks = 0; looks < 500 && job.pending < count; looks += 1) await sleep(20);
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
});
