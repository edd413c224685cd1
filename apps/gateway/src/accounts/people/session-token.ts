import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';

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
  const [given, expected] = [text, csrfTokenOf(sessionToken)].map((value) => Buffer.from(value));
  return given!.length === expected!.length && timingSafeEqual(given!, expected!);
}
