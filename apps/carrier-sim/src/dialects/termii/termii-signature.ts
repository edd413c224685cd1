import { createHmac } from 'node:crypto';

/** Returns X-Termii-Signature: over the body, byte by byte as it is sent. */
export function termiiSignature(secretKey: string, body: string): string {
  return createHmac('sha512', secretKey).update(body, 'utf8').digest('hex');
}
