import { createHmac } from 'node:crypto';
import { isSameSecret } from '@watchword/contracts';

const URL_PARTS = /^(https?:\/\/[^/?#]+)([^?#]*)(?:\?([^#]*))?/;

/** Most signatures that are read from one header. */
const SIGNATURES_MAX = 8;

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface SignedCall {
  /** The URL as Plivo called it. */
  readonly url: string;
  /** Every received field. Version 3 covers all of them. */
  readonly fields: URLSearchParams;
  /** Value of `X-Plivo-Signature-V2-Nonce`, or of `-V3-Nonce`. */
  readonly nonce: string;
}

type Sign = (authToken: string, call: SignedCall) => string | null;

/**
 * Returns version 2 of Plivo's signature, which its messaging callbacks have: HMAC-SHA256, in
 * Base64, over the URL without its query, and the nonce. It covers neither query nor fields.
 */
export const plivoSignatureV2: Sign = (authToken, { url, nonce }) => {
  const [, origin, path] = URL_PARTS.exec(url) ?? [];
  return origin === undefined ? null : hmac(authToken, `${origin}${path}${nonce}`);
};

/**
 * Returns version 3 of Plivo's signature of a POST: HMAC-SHA256, in Base64, over the URL without
 * its query, the query and the fields, both sorted by name, and the nonce.
 */
export const plivoSignatureV3: Sign = (authToken, { url, fields, nonce }) => {
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
  return hmac(authToken, signed);
};

/** Of a subaccount, `Ma` signs with the token of the main account; both share a nonce. */
const VERSIONS: ReadonlyArray<readonly [nonce: string, headers: readonly string[], sign: Sign]> = [
  [
    'x-plivo-signature-v2-nonce',
    ['x-plivo-signature-v2', 'x-plivo-signature-ma-v2'],
    plivoSignatureV2,
  ],
  [
    'x-plivo-signature-v3-nonce',
    ['x-plivo-signature-v3', 'x-plivo-signature-ma-v3'],
    plivoSignatureV3,
  ],
];

/** Returns whether a signature in one of the headers fits the token. */
export function isSignedByPlivo(
  headers: Headers,
  authToken: string,
  call: Omit<SignedCall, 'nonce'>,
): boolean {
  return VERSIONS.some(([nonceHeader, names, sign]) => {
    const nonce = headers[nonceHeader];
    if (typeof nonce !== 'string' || nonce === '') return false;
    const expected = sign(authToken, { ...call, nonce });
    return expected !== null && names.some((name) => isOneOf(headers[name], expected));
  });
}

/** A header can have several signatures, separated by commas. */
function isOneOf(header: Headers[string], expected: string): boolean {
  if (typeof header !== 'string') return false;
  const given = header.split(',', SIGNATURES_MAX);
  return given.some((signature) => isSameSecret(signature.trim(), expected));
}

function hmac(authToken: string, signed: string): string {
  return createHmac('sha256', authToken).update(signed).digest('base64');
}

/** Sorts by name, then by value, as Plivo does with a repeated name. */
function sortedPairs(params: URLSearchParams): [name: string, value: string][] {
  return [...params].toSorted(([a, x], [b, y]) => compare(a, b) || compare(x, y));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
