import { createHash, createHmac } from 'node:crypto';

/** An account at Vonage has one method. MD5 hash is its default. */
export const DEFAULT_SIGNATURE_METHOD = 'md5hash';

/**
 * Returns `sig` of a request or a callback: the other fields in the order of their names, each as
 * `&name=value` with an underscore for `&` and `=` in its value.
 */
export function vonageSig(
  fields: Readonly<Record<string, string>>,
  secret: string,
  method: string,
): string {
  const text = Object.entries(fields)
    .filter(([name]) => name !== 'sig')
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `&${name}=${value.replace(/[&=]/g, '_')}`)
    .join('');
  if (method === DEFAULT_SIGNATURE_METHOD) {
    return createHash('md5')
      .update(text + secret, 'utf8')
      .digest('hex');
  }
  return createHmac(method, secret).update(text, 'utf8').digest('hex');
}
