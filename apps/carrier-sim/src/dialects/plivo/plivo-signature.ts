import { createHmac } from 'node:crypto';

/**
 * Returns X-Plivo-Signature-V2, which Plivo's messaging callbacks have: over the URL without its
 * query, and the nonce.
 */
export function plivoSignature(authToken: string, url: string, nonce: string): string {
  const { origin, pathname } = new URL(url);
  return createHmac('sha256', authToken).update(`${origin}${pathname}${nonce}`).digest('base64');
}
