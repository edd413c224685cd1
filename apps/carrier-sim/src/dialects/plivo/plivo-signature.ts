import { createHmac } from 'node:crypto';

/**
 * Returns X-Plivo-Signature-V3 of a POST: over the URL with its query in order, every field in
 * order of the names, and the nonce.
 */
export function plivoSignature(
  authToken: string,
  url: string,
  fields: Readonly<Record<string, string>>,
  nonce: string,
): string {
  const { origin, pathname, searchParams } = new URL(url);
  searchParams.sort();
  let signed = origin + pathname;
  let separator = '?';
  for (const [name, value] of searchParams) {
    signed += `${separator}${name}=${value}`;
    separator = '&';
  }
  const names = Object.keys(fields).toSorted();
  if (names.length > 0) signed += searchParams.size > 0 ? '.' : '?';
  for (const name of names) signed += name + fields[name]!;
  return createHmac('sha256', authToken).update(`${signed}.${nonce}`, 'utf8').digest('base64');
}
