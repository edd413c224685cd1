import { randomInt } from 'node:crypto';
import { magicNumber } from '@watchword/telephony';

/** Magic numbers that change the OTP and not its delivery. */
const RANDOM_CODE = 60;
const EXPIRES_AT_ONCE = 61;
const ONE_ATTEMPT = 62;

const TEST_CODE = '12345678';

/**
 * Returns the code of a test-mode OTP: `12345678` cut to length, or for some numbers certainly
 * another.
 */
export function testOtpCode(destination: string, length: number): string {
  const usual = TEST_CODE.slice(0, length);
  if (magicNumber(destination) !== RANDOM_CODE) return usual;
  for (;;) {
    const code = String(randomInt(10 ** length)).padStart(length, '0');
    if (code !== usual) return code;
  }
}

/** Returns the number's attempt budget, or null for the workspace's own. */
export function testAttemptBudget(destination: string): number | null {
  return magicNumber(destination) === ONE_ATTEMPT ? 1 : null;
}

/** Returns whether the OTP is expired when it is stored. */
export function testExpiresAtOnce(destination: string): boolean {
  return magicNumber(destination) === EXPIRES_AT_ONCE;
}
