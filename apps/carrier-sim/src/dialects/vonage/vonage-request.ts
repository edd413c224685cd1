import { isE164, withPlus } from '../../handset/phone-number.js';
import { type Measure, measure, measureUcs2 } from '../../handset/segments.js';
import { isCallbackUrl } from '../../receipts/callback.adapter.js';
import { BAD_CREDENTIALS_STATUS } from './vonage-codes.js';

export interface VonageAccount {
  readonly apiKey: string;
  readonly apiSecret: string;
  /** Signs callbacks. */
  readonly signatureSecret?: string | undefined;
  readonly signatureMethod?: string | undefined;
  /** The account's webhook: for inbound messages, and receipts of requests without `callback`. */
  readonly callbackUrl?: string | undefined;
}

/** Parameters of a request by name. */
export type Parameters = Readonly<Record<string, string>>;

export interface Submission extends Measure {
  readonly to: string;
  readonly from: string;
  readonly body: string;
  readonly clientRef: string | undefined;
  /** Undefined where the request wants no receipt, or neither it nor the account has a URL. */
  readonly callbackUrl: string | undefined;
}

/** A refusal: Vonage's status, and the parameter to blame. */
export interface Fault {
  readonly status: number;
  readonly detail: string;
}

const SENDER = /^(?:\d{3,15}|(?=.*[A-Za-z])[A-Za-z0-9 .&_+-]{1,11})$/;
const TEXT_MAX = 3_200;
const REFERENCE_MAX = 100;
const TTL_MS_MIN = 20_000;
const TTL_MS_MAX = 604_800_000;

/** Checks what the request has: the secret, or basic authentication. */
export function authenticationFault(
  account: VonageAccount,
  authorization: string | undefined,
  parameters: Parameters,
): Fault | undefined {
  const { apiKey, apiSecret } = account;
  const basic = Buffer.from(`${apiKey}:${apiSecret}`).toString('base64');
  const bad = { status: BAD_CREDENTIALS_STATUS, detail: '' };
  if (authorization !== undefined) return authorization === `Basic ${basic}` ? undefined : bad;
  if (parameters.api_key === undefined) return { status: 2, detail: 'api_key' };
  if (parameters.api_key !== apiKey) return bad;
  return parameters.api_secret === apiSecret ? undefined : bad;
}

/** Returns the first mistake of the message. */
export function messageFault(parameters: Parameters): Fault | undefined {
  const { from = '', to = '', text = '', type = 'text', ttl, callback } = parameters;
  for (const name of ['from', 'to', 'text']) {
    if (!parameters[name]) return { status: 2, detail: name };
  }
  if (!/^[1-9]/.test(to) || !isE164(withPlus(to))) return { status: 3, detail: 'to' };
  if (!SENDER.test(from)) return { status: 15, detail: 'from' };
  if (type !== 'text' && type !== 'unicode') return { status: 3, detail: 'type' };
  if (text.length > TEXT_MAX) return { status: 12, detail: 'text' };
  if (ttl !== undefined && !isTtl(ttl)) return { status: 3, detail: 'ttl' };
  if ((parameters['client-ref'] ?? '').length > REFERENCE_MAX) {
    return { status: 3, detail: 'client-ref' };
  }
  if (callback && !isCallbackUrl(callback)) return { status: 23, detail: 'callback' };
  return undefined;
}

function isTtl(value: string): boolean {
  return /^\d{1,9}$/.test(value) && Number(value) >= TTL_MS_MIN && Number(value) <= TTL_MS_MAX;
}

/** A message of the type `text` loses what GSM-7 does not have. */
export function submissionOf(account: VonageAccount, parameters: Parameters): Submission {
  const { from = '', to = '', text = '', type, callback } = parameters;
  const isUnicode = type === 'unicode';
  const body = isUnicode || measure(text).encoding === 'GSM-7' ? text : withoutOthers(text);
  const wantsReceipt = parameters['status-report-req'] !== '0';
  return {
    to: withPlus(to),
    from,
    body,
    clientRef: parameters['client-ref'],
    callbackUrl: wantsReceipt ? callback || account.callbackUrl : undefined,
    ...(isUnicode ? measureUcs2(body) : measure(body)),
  };
}

function withoutOthers(text: string): string {
  const isKept = (character: string) => measure(character).encoding === 'GSM-7';
  return [...text].map((character) => (isKept(character) ? character : '?')).join('');
}
