import { createHmac } from 'node:crypto';
import { isSameSecret } from '@watchword/contracts';

const URL_PARTS = /^(https?:\/\/[^/?#]+)([^?#]*)(?:\?([^#]*))?/;

/** Most signatures that are read from one header. */
const SIGNATURES_MAX = 8;

export interface SignedCall {
  /** The URL as Plivo called it. */
  readonly url: string;
  /** Every received field. The signature covers all of them. */
  readonly fields: URLSearchParams;
  /** Value of `X-Plivo-Signature-V3-Nonce`. */
  readonly nonce: string;
}

/**
 * Returns Plivo's signature of a POST, version 3: HMAC-SHA256, in Base64, over the URL without its
 * query, the query and the fields, both sorted by name, and the nonce. Returns null where `url`
 * is no URL.
 */
export function plivoSignature(
  authToken: string,
  { url, fields, nonce }: SignedCall,
): string | null {
  const [, origin, path, query = ''] = URL_PARTS.exec(url) ?? [];
  if (origin === undefined) return null;
  const signedQuery = sortedPairs(new URLSearchParams(query))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  const signedFields = sortedPairs(fields).map(([name, value]) => name + value);
  const [hasQuery, hasFields] = [signedQuery !== '', signedFields.length > 0];
  const mark = hasQuery || hasFields ? '?' : '';
  const dot = hasQuery && hasFields ? '.' : '';
  const signed = `${origin}${path}${mark}${signedQuery}${dot}${signedFields.join('')}.${nonce}`;
  return createHmac('sha256', authToken).update(signed).digest('base64');
}

/** Returns whether one of the signatures in the header, separated by commas, fits. */
export function isPlivoSignature(header: string, authToken: string, call: SignedCall): boolean {
  const expected = plivoSignature(authToken, call);
  if (expected === null) return false;
  const given = header.split(',', SIGNATURES_MAX);
  return given.some((signature) => isSameSecret(signature.trim(), expected));
}

/** Sorts by name, then by value, as Plivo does with a repeated name. */
function sortedPairs(params: URLSearchParams): [name: string, value: string][] {
  return [...params].toSorted(([a, x], [b, y]) => compare(a, b) || compare(x, y));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
