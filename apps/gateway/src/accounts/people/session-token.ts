import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Tokens of sessions and invitations: 256 random bits, of which only the SHA-256 is stored. */
const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** Whether it can be one of ours at all: nothing else is worth a look into the database. */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

export function tokenHash(token: string): string {
  return hash('sha256', token, 'hex');
}

/**
 * Follows from the session's token, which scripts cannot read: only who was told it in an answer
 * knows it, and nothing needs to be stored.
 */
export function csrfTokenOf(sessionToken: string): string {
  return createHmac('sha256', sessionToken).update('csrf').digest('base64url');
}

export function isCsrfToken(text: string, sessionToken: string): boolean {
  const [given, expected] = [text, csrfTokenOf(sessionToken)].map((value) => Buffer.from(value));
  return given!.length === expected!.length && timingSafeEqual(given!, expected!);
}
