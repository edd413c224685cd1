import { describe, expect, it } from '@jest/globals';
import type { AttemptOutcome } from './delivery.js';
import { decide, LEASE_MS, leaseSuffices, RETRY_DELAYS_MS } from './retry-schedule.policy.js';

const outcome = (over: Partial<AttemptOutcome> = {}): AttemptOutcome => ({
  statusCode: 500,
  retryAfter: null,
  responseBody: null,
  error: null,
  latencyMs: 3,
  ...over,
});
const waitAfter = (attempt: number, over: Partial<AttemptOutcome> = {}) =>
  decide(attempt, outcome(over), 1_000_000).nextAttemptAtMs! - 1_000_000;

describe('the retry schedule', () => {
  it('is 1 s, 5 s, 30 s, 2 m, 15 m, 1 h, 6 h, then never', () => {
    const waits = RETRY_DELAYS_MS.map((_, index) => waitAfter(index + 1));
    expect(waits).toEqual([1, 5, 30, 120, 900, 3_600, 21_600].map((seconds) => seconds * 1_000));
    expect(decide(8, outcome(), 0)).toEqual({ status: 'failed', nextAttemptAtMs: null });
  });

  it('takes a 2xx that ended well for delivered', () => {
    expect(decide(1, outcome({ statusCode: 204 }), 0).status).toBe('delivered');
    expect(decide(1, outcome({ statusCode: 200, error: 'cut off' }), 0).status).toBe('pending');
    expect(decide(1, outcome({ statusCode: null, error: 'no answer' }), 0).status).toBe('pending');
    expect(decide(1, outcome({ statusCode: 410 }), 0).status).toBe('failed');
  });

  it('lets a 429 or 503 stretch the wait up to the next delay', () => {
    expect(waitAfter(1, { statusCode: 429, retryAfter: '4' })).toBe(4_000);
    expect(waitAfter(1, { statusCode: 429, retryAfter: '99999' })).toBe(5_000);
    expect(waitAfter(3, { statusCode: 503, retryAfter: '60' })).toBe(60_000);
    expect(waitAfter(3, { statusCode: 503, retryAfter: '1' })).toBe(30_000);
    expect(waitAfter(7, { statusCode: 503, retryAfter: '999999' })).toBe(21_600_000);
    expect(waitAfter(2, { statusCode: 502, retryAfter: '20' })).toBe(5_000);
    expect(waitAfter(1, { statusCode: 429, retryAfter: '-3' })).toBe(1_000);
  });

  it('starts an attempt only when the lease outlasts it', () => {
    expect(leaseSuffices(LEASE_MS, 0)).toBe(true);
    expect(leaseSuffices(LEASE_MS, 5_000)).toBe(true);
    expect(leaseSuffices(LEASE_MS, 5_001)).toBe(false);
  });
});
