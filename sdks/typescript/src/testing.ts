/** Helps to test your code with a key that begins with `svc_test_`. Nothing is sent or charged. */

/** The code of every one-time password of a test key is the first digits of this. */
const CODE = '12345678';

/** What happens to a message, by the last two digits of the number. */
export const OUTCOMES = {
  delivered: '00',
  no_receipt: '03',
  absent_subscriber: '11',
  no_route: '16',
  opted_out: '20',
  provider_timeout: '29',
  insufficient_credits: '33',
  rate_limited: '36',
  content_blocked: '40',
  second_carrier: '50',
  expired: '61',
  single_attempt: '62',
} as const;

export type Outcome = keyof typeof OUTCOMES;

const RANGES = { NG: '+23480300000', KE: '+2547120000', US: '+120255501' } as const;

/** Returns a number whose messages end in this way, for example `testNumber('no_route')`. */
export function testNumber(outcome: Outcome, country: keyof typeof RANGES = 'NG'): string {
  return RANGES[country] + OUTCOMES[outcome];
}

/** Returns the code of a one-time password that a test key sent. */
export function testCode(length = 6): string {
  return CODE.slice(0, length);
}
