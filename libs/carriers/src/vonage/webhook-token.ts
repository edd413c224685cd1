import { createHash, createHmac } from 'node:crypto';
import { isSameSecret } from '@watchword/contracts';
import { parseJsonObject } from '../http/json-object.js';
import { isRecent } from './signature.js';

const BEARER = /^Bearer ([\w-]+)\.([\w-]+)\.([\w-]+)$/;

/**
 * Returns whether the `Authorization` header proves that Vonage sent this body: a JSON Web Token,
 * signed with HS256 and the signature secret, whose `payload_hash` is that of the body. No other
 * algorithm is accepted, because the token itself names it.
 */
export function isVonageToken(
  authorization: unknown,
  rawBody: string,
  secret: string,
  nowMs: number,
): boolean {
  if (typeof authorization !== 'string') return false;
  const [, header = '', payload = '', signature = ''] = BEARER.exec(authorization) ?? [];
  const expected = createHmac('sha256', secret).update(`${header}.${payload}`).digest('base64url');
  if (!isSameSecret(signature, expected)) return false;
  const claims = decoded(payload);
  if (decoded(header)?.alg !== 'HS256' || claims === null) return false;
  const { iat, payload_hash: hash } = claims;
  if (typeof iat !== 'number' || !isRecent(iat, nowMs) || typeof hash !== 'string') return false;
  return isSameSecret(hash, createHash('sha256').update(rawBody).digest('hex'));
}

function decoded(part: string) {
  return parseJsonObject(Buffer.from(part, 'base64url').toString('utf8'));
}
