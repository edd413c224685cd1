import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/**
 * A secret as its text, and as the bytes of its base64 part. Key objects, because an HMAC with one
 * costs a fifth of an HMAC with a buffer.
 */
export interface SigningKey {
  readonly text: KeyObject;
  readonly bytes: KeyObject;
}

/** The keys of one endpoint. */
export interface SigningKeys {
  readonly current: SigningKey;
  /** Also signs until it expires. */
  readonly previous: (SigningKey & { readonly expiresAtMs: number }) | null;
}

export interface SignedEvent {
  readonly id: string;
  readonly type: string;
  readonly body: Buffer;
}

const SECRET_PREFIX = 'whsec_';

export function signingKey(secret: string): SigningKey {
  const encoded = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret;
  return {
    text: createSecretKey(secret, 'utf8'),
    bytes: createSecretKey(encoded, 'base64'),
  };
}

/**
 * Returns the headers of one attempt, as name, value, name, value. They have three signatures over
 * the same bytes, and a receiver checks the one it knows: variant A's plain one, the one with a
 * time, and that of Standard Webhooks. The time is that of the attempt.
 */
export function signedHeaders(keys: SigningKeys, event: SignedEvent, atMs: number): string[] {
  const seconds = String(Math.floor(atMs / 1_000));
  const signing = [keys.current];
  if (keys.previous !== null && atMs < keys.previous.expiresAtMs) signing.push(keys.previous);
  const timed = signing.map(({ text }) => hex(text, `${seconds}.`, event.body));
  const standard = signing.map(({ bytes }) => base64(bytes, `${event.id}.${seconds}.`, event.body));
  return [
    'x-svc-signature',
    hex(keys.current.text, '', event.body),
    'svc-signature',
    [`t=${seconds}`, ...timed.map((signature) => `v1=${signature}`)].join(','),
    'svc-event',
    event.type,
    'webhook-id',
    event.id,
    'webhook-timestamp',
    seconds,
    'webhook-signature',
    standard.map((signature) => `v1,${signature}`).join(' '),
  ];
}

function hex(key: KeyObject, prefix: string, body: Buffer): string {
  return createHmac('sha256', key).update(prefix).update(body).digest('hex');
}

function base64(key: KeyObject, prefix: string, body: Buffer): string {
  return createHmac('sha256', key).update(prefix).update(body).digest('base64');
}
