import { createHmac } from 'node:crypto';
import { isSameSecret } from '@watchword/contracts';

/** Returns Termii's signature of a callback: HMAC-SHA512 of the body as it came, in hexadecimal. */
export function termiiSignature(secretKey: string, rawBody: string): string {
  return createHmac('sha512', secretKey).update(rawBody).digest('hex');
}

export function isTermiiSignature(signature: string, secretKey: string, rawBody: string): boolean {
  return isSameSecret(signature.toLowerCase(), termiiSignature(secretKey, rawBody));
}
