import type { IncomingHttpHeaders } from 'node:http';
import { type ErrorText, KEY_MISTAKES } from '@watchword/contracts';
import { isApiToken } from './api-token.js';

/** `svc_live_` or `svc_test_` and 32 characters. */
const KEY_LENGTH = 41;
const KEY_CHARACTERS = /^[0-9A-Za-z_]*$/;

/**
 * Returns the sentence of a 401: the mistake in the request's credentials. Unknown and revoked keys
 * get the same one.
 */
export function keyMistake(headers: IncomingHttpHeaders): ErrorText {
  const { authorization } = headers;
  if (authorization === undefined) {
    const header = headerWithKey(headers);
    return header === undefined ? KEY_MISTAKES.noHeader : KEY_MISTAKES.otherHeader(header);
  }
  const [scheme = '', token = '', ...more] = authorization.trim().split(/ +/);
  if (scheme.startsWith('svc_')) return KEY_MISTAKES.noBearer;
  if (scheme.toLowerCase() !== 'bearer') return KEY_MISTAKES.otherScheme;
  if (token === '' || more.length > 0) return KEY_MISTAKES.noKey;
  return tokenMistake(token);
}

function tokenMistake(token: string): ErrorText {
  if (token.startsWith('whsec_')) return KEY_MISTAKES.webhookSecret;
  if (!token.startsWith('svc_live_') && !token.startsWith('svc_test_')) {
    return KEY_MISTAKES.otherToken;
  }
  if (token.length !== KEY_LENGTH) return KEY_MISTAKES.length(token.length, KEY_LENGTH);
  if (!KEY_CHARACTERS.test(token) || !isApiToken(token)) return KEY_MISTAKES.alphabet;
  return KEY_MISTAKES.unknown;
}

/**
 * Returns a header that other products use for keys, for example `X-Api-Key`, if it holds a key.
 */
function headerWithKey(headers: IncomingHttpHeaders): string | undefined {
  return Object.keys(headers).find((name) => isApiToken(String(headers[name])));
}
