import { createHmac, hash, randomBytes } from 'node:crypto';
import { isSameSecret } from '@watchword/contracts';

/** Tokens of sessions, devices, invitations and resets: 256 random bits, stored as SHA-256. */
const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** Returns false for a text that cannot be a token, which saves a look-up. */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

export function tokenHash(token: string): string {
  return hash('sha256', token, 'hex');
}

/** Returns a token derived from the session's, which scripts cannot read. Nothing is stored. */
export function csrfTokenOf(sessionToken: string): string {
  return createHmac('sha256', sessionToken).update('csrf').digest('base64url');
}

export function isCsrfToken(text: string, sessionToken: string): boolean {
  return isSameSecret(text, csrfTokenOf(sessionToken));
}
