import { hash } from 'node:crypto';
import {
  ApiError,
  type IdempotencyClaim,
  INPUT_PROBLEMS,
  inputMessage,
} from '@watchword/contracts';

const KEY_LENGTH_MAX = 255;

/** The claim of a request that carries an `Idempotency-Key`, or null. */
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
 * Two bodies that mean the same have one text: no white space, keys in order. Depth is bounded
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
