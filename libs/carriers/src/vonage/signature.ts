import { createHash, createHmac } from 'node:crypto';
import { isSameSecret } from '@watchword/contracts';

/** Seconds by which the time of a signed callback may differ from ours. */
const SIGNATURE_AGE_SECONDS_MAX = 300;

/** Fields of a callback by name, as they were sent. */
export type VonageFields = ReadonlyMap<string, string>;

/**
 * Returns Vonage's `sig`: over all other fields, sorted by name, with `&` and `=` in values
 * replaced. `md5hash` hashes the text and the secret; the other methods are an HMAC.
 */
export function vonageSignature(fields: VonageFields, secret: string, method: string): string {
  let signed = '';
  for (const name of [...fields.keys()].toSorted()) {
    if (name !== 'sig') signed += `&${name}=${fields.get(name)!.replaceAll(/[&=]/g, '_')}`;
  }
  return method === 'md5hash'
    ? createHash('md5')
        .update(signed + secret)
        .digest('hex')
    : createHmac(method, secret).update(signed).digest('hex');
}

/** Returns whether the fields carry a right signature that is not old. */
export function isVonageSignature(
  fields: VonageFields,
  secret: string,
  method: string,
  nowMs: number,
): boolean {
  const signature = fields.get('sig');
  if (signature === undefined || !isRecent(Number(fields.get('timestamp')), nowMs)) return false;
  return isSameSecret(signature.toLowerCase(), vonageSignature(fields, secret, method));
}

/** `seconds` since 1970. NaN is not recent. */
export function isRecent(seconds: number, nowMs: number): boolean {
  return Math.abs(nowMs / 1_000 - seconds) <= SIGNATURE_AGE_SECONDS_MAX;
}
