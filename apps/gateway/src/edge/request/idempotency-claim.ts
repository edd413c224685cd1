import { hash } from 'node:crypto';
import {
  ApiError,
  type IdempotencyClaim,
  INPUT_PROBLEMS,
  inputMessage,
} from '@watchword/contracts';

const KEY_LENGTH_MAX = 255;

/** Returns the claim of a request with an `Idempotency-Key`, or null. */
export function readClaim(
  header: string | string[] | undefined,
  scope: string,
  body: unknown,
): IdempotencyClaim | null {
  if (header === undefined) return null;
  const key = String(header);
  if (key.length < 1 || key.length > KEY_LENGTH_MAX) {
    throw new ApiError('validation_error', {
      field: 'Idempotency-Key',
      message: inputMessage('Idempotency-Key', INPUT_PROBLEMS.keyLength(KEY_LENGTH_MAX)),
    });
  }
  return { scope, key, fingerprint: hash('sha256', canonicalJson(body), 'hex') };
}

/**
 * Returns one text for all equal bodies: no white space, keys in order. The depth was bounded
 * before.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const members = Object.keys(value)
    .toSorted()
    .map((key) => {
      const member = (value as Record<string, unknown>)[key];
      return `${JSON.stringify(key)}:${canonicalJson(member)}`;
    });
  return `{${members.join(',')}}`;
}
