import { hash, timingSafeEqual } from 'node:crypto';

/**
 * Compares in constant time. The digests have one length, so the comparison does not reveal the
 * length of the secret either.
 */
export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'));
}
