/** Checks the signature of a webhook delivery: Standard Webhooks, `Svc-Signature`, or variant A's `X-Svc-Signature`. */
import { SignatureError } from './errors.js';
import type { EventOfVariantA, EventOfVariantB } from './models.generated.js';

export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;

export interface VerifyOptions {
  /** How far the time of the signature may be from now. */
  toleranceSeconds?: number;
  /**
   * Also takes a delivery that has only `X-Svc-Signature`. That one has no time, so anyone who saw the delivery can
   * send it again.
   */
  acceptUntimed?: boolean;
  /** Milliseconds since 1970. */
  now?: () => number;
}

const TOLERANCE_SECONDS = 300;
const PREFIX = 'whsec_';
const encoder = new TextEncoder();

/**
 * Returns the event of a delivery, or throws `SignatureError`. `body` is the raw body, before any parsing. Give several
 * secrets while one replaces the other.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  options: VerifyOptions = {},
): Promise<EventOfVariantA | EventOfVariantB> {
  const bytes = typeof body === 'string' ? encoder.encode(body) : body;
  const keys = (typeof secrets === 'string' ? [secrets] : secrets).filter((one) => one !== '');
  if (keys.length === 0) throw new SignatureError('Give the secret of the endpoint, whsec_....');
  const signed = readSignatures(headers, bytes, options);
  if (signed.atSeconds !== undefined) checkTime(signed.atSeconds, options);
  for (const secret of keys) {
    const key = signed.isStandard ? decodedKey(secret) : encoder.encode(secret);
    const expected = await hmac(key, signed.content);
    const text = signed.isStandard ? base64(expected) : hex(expected);
    // Each is compared, so that the time does not tell which was right.
    const matches = signed.signatures.filter((one) => isSame(one, text));
    if (matches.length > 0) return parseEvent(bytes);
  }
  throw new SignatureError('No signature of the delivery matches the secret.');
}

interface Signed {
  signatures: string[];
  content: Uint8Array;
  atSeconds: number | undefined;
  isStandard: boolean;
}

function readSignatures(headers: WebhookHeaders, body: Uint8Array, options: VerifyOptions): Signed {
  const timed = headerOf(headers, 'svc-signature');
  if (timed !== undefined) return readTimed(timed, body);
  const standard = headerOf(headers, 'webhook-signature');
  if (standard !== undefined) return readStandard(standard, headers, body);
  const plain = headerOf(headers, 'x-svc-signature');
  if (plain === undefined) throw new SignatureError('The delivery has no signature.');
  if (options.acceptUntimed !== true) {
    throw new SignatureError(
      'The signature of the delivery has no time, and acceptUntimed is off.',
    );
  }
  return { signatures: [plain], content: body, atSeconds: undefined, isStandard: false };
}

function readTimed(header: string, body: Uint8Array): Signed {
  const parts = header.split(',').map((part) => part.trim().split('='));
  const valuesOf = (name: string) =>
    parts.filter(([key]) => key === name).map(([, value]) => value);
  const [time = ''] = valuesOf('t');
  return {
    signatures: valuesOf('v1').filter((value) => value !== undefined),
    content: joined(`${time}.`, body),
    atSeconds: secondsOf(time),
    isStandard: false,
  };
}

function readStandard(header: string, headers: WebhookHeaders, body: Uint8Array): Signed {
  const id = headerOf(headers, 'webhook-id') ?? '';
  const time = headerOf(headers, 'webhook-timestamp') ?? '';
  return {
    signatures: header
      .split(' ')
      .filter((one) => one.startsWith('v1,'))
      .map((one) => one.slice('v1,'.length)),
    content: joined(`${id}.${time}.`, body),
    atSeconds: secondsOf(time),
    isStandard: true,
  };
}

function secondsOf(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new SignatureError('The signature of the delivery has no time.');
}

function checkTime(atSeconds: number, { toleranceSeconds, now = Date.now }: VerifyOptions): void {
  const tolerance = toleranceSeconds ?? TOLERANCE_SECONDS;
  if (Math.abs(now() / 1_000 - atSeconds) <= tolerance) return;
  throw new SignatureError(`The delivery was signed more than ${tolerance} seconds from now.`);
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return Array.isArray(found) ? found[0] : found;
}

function decodedKey(secret: string): Uint8Array {
  const encoded = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
  try {
    return Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
  } catch {
    throw new SignatureError('The secret of the endpoint must be whsec_ and base64.');
  }
}

async function hmac(key: Uint8Array, content: Uint8Array): Promise<Uint8Array> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', copy(key), algorithm, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, copy(content)));
}

const copy = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);

function joined(prefix: string, body: Uint8Array): Uint8Array {
  const start = encoder.encode(prefix);
  const all = new Uint8Array(start.length + body.length);
  all.set(start);
  all.set(body, start.length);
  return all;
}

const hex = (bytes: Uint8Array) =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

const base64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));

/** In constant time for texts of one length. */
function isSame(given: string, expected: string): boolean {
  if (given.length !== expected.length) return false;
  let difference = 0;
  for (let at = 0; at < given.length; at += 1) {
    difference |= given.charCodeAt(at) ^ expected.charCodeAt(at);
  }
  return difference === 0;
}

function parseEvent(body: Uint8Array): EventOfVariantA | EventOfVariantB {
  try {
    const event = JSON.parse(new TextDecoder().decode(body)) as unknown;
    if (typeof event === 'object' && event !== null && !Array.isArray(event)) {
      return event as EventOfVariantA | EventOfVariantB;
    }
  } catch {
    // As below.
  }
  throw new SignatureError('The body of the delivery is no JSON object.');
}
