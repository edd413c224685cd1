import { describe, expect, it } from '@jest/globals';
import { refusalOf, retryAfterMsOf } from './outcome.policy.js';
import { rawCodeOf, safeRawMessage } from './raw-message.policy.js';

const NOW = Date.parse('2026-11-20T08:00:00Z');

describe('Retry-After', () => {
  it.each([
    ['0', 0],
    ['2', 2_000],
    ['999999999', 86_400_000],
    ['Fri, 20 Nov 2026 08:00:05 GMT', 5_000],
    ['Fri, 20 Nov 2026 07:00:00 GMT', 0],
    ['soon', null],
    [null, null],
  ])('%s is %s ms', (header, waitMs) => {
    expect(retryAfterMsOf(header, NOW)).toBe(waitMs);
  });
});

const answer = (status: number) => ({
  kind: 'answered' as const,
  status,
  retryAfter: '1',
  errorType: null,
  body: null,
});

describe('a refusal', () => {
  const raw = { code: null, message: null };
  it.each([
    [400, null, 'unknown_error'],
    [302, null, 'unknown_error'],
    [401, null, 'provider_rejected'],
    [403, 'no_route', 'no_route'],
    [404, null, 'unknown_error'],
    [500, 'no_route', 'provider_unavailable'],
    [599, null, 'provider_unavailable'],
  ] as const)('with HTTP %d and the code for %s is %s', (status, mapped, reason) => {
    expect(refusalOf(answer(status), mapped, raw, NOW)).toEqual({
      outcome: 'refused',
      reason,
      rawCode: `HTTP ${status}`,
      rawMessage: null,
    });
  });

  it('carries a wait only when it is throttling', () => {
    expect(refusalOf(answer(429), null, raw, NOW)).toMatchObject({ retryAfterMs: 1_000 });
    expect(refusalOf(answer(400), 'throttled', raw, NOW)).toMatchObject({ retryAfterMs: 1_000 });
  });
});

describe('a carrier’s words', () => {
  it.each([
    ['Invalid number +2348031234567.', 'Invalid number +234•••••567.'],
    ['to 2348031234567 or 0803 123-4567', 'to ••••• or •••••'],
    ['Your code is 482913', 'Your code is •••••'],
    ['token s3cret refused', 'token ••••• refused'],
    ['Queue 12 of 300 full', 'Queue 12 of 300 full'],
    ['', null],
    [42, null],
    [undefined, null],
  ])('%s become %s', (text, shown) => {
    expect(safeRawMessage(text, ['s3cret', ''])).toBe(shown);
  });

  it.each([
    [21211, '21211'],
    ['UserDoesNotExist', 'UserDoesNotExist'],
    ['+2348031234567', null],
    ['2348031234567', null],
    ['<script>', null],
    [null, null],
    [{}, null],
  ])('code %s is %s', (code, shown) => {
    expect(rawCodeOf(code)).toBe(shown);
  });
});
