import { hash, randomBytes } from 'node:crypto';
import type { KeyMode } from '@watchword/contracts';

/**
 * API keys: `svc_live_` or `svc_test_` and 32 characters of base 62, 190 random bits. Their SHA-256
 * is stored; that much randomness needs no slow hash.
 */
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const TOKEN = /^svc_(?:live|test)_[0-9A-Za-z]{32}$/;
const BEARER = /^bearer +(\S+) *$/i;
const PLAIN = /^svc(live|test)([0-9A-Za-z]{32})$/;
const BASIC = /^basic +(\S+) *$/i;

export interface IssuedToken {
  /** The whole key. It is shown once. */
  token: string;
  tokenHash: string;
  /** Start of the key: enough to recognise it, far too little to guess it. */
  prefix: string;
  last4: string;
}

export function issueToken(mode: KeyMode): IssuedToken {
  return describeToken(`svc_${mode}_${randomText()}`);
}

export function describeToken(token: string): IssuedToken {
  const prefix = token.slice(0, 'svc_live_'.length + 4);
  return { token, tokenHash: hashToken(token), prefix, last4: token.slice(-4) };
}

export function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}

/** Returns the bearer token of an Authorization header, in any form. */
export function readBearer(header: string | undefined): string | undefined {
  return header === undefined ? undefined : BEARER.exec(header)?.[1];
}

/**
 * Returns the password of Basic authentication, in any form. A key may be without its underscores: the
 * library for Go of Twilio sends letters and digits only.
 */
export function readBasicPassword(header: string | undefined): string | undefined {
  const encoded = header === undefined ? undefined : BASIC.exec(header)?.[1];
  if (encoded === undefined) return undefined;
  const [, password] = Buffer.from(encoded, 'base64').toString('latin1').split(/:(.*)/s);
  return password?.replace(PLAIN, 'svc_$1_$2');
}

/** Returns whether it has the form of our keys. Only then is the database asked. */
export function isApiToken(token: string): boolean {
  return TOKEN.test(token);
}

function randomText(): string {
  let text = '';
  while (text.length < RANDOM_LENGTH) {
    for (const byte of randomBytes(RANDOM_LENGTH)) {
      // 248 is the largest multiple of 62 in a byte. Larger bytes would favour some characters.
      if (byte < 248 && text.length < RANDOM_LENGTH) text += ALPHABET[byte % 62];
    }
  }
  return text;
}
