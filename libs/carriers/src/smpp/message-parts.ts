import { toUSVString } from 'node:util';
import {
  encodeGsm7,
  measureParts,
  measureSegments,
  septetsOf,
  type SmsEncoding,
} from '@watchword/telephony';
import { withoutPlus } from '../number.policy.js';
import type { SubmitRequest } from '../provider.port.js';
import type { DefaultAlphabet } from './delivery-text.js';

/** How a text of several parts is submitted. */
export type LongMessages = 'udh' | 'sar' | 'payload';

export interface AddressRules {
  /** Type of number and numbering plan of the sender. Null: by the sender’s form. */
  readonly sourceTon: number | null;
  readonly sourceNpi: number | null;
}

/** Parameters of a `submit_sm` by their names. */
export type SubmitParameters = Readonly<Record<string, unknown>>;

const DEFAULT_CODING = 0;
const UCS_2 = 8;
/** Most bytes in `short_message`. A longer text needs `message_payload`. */
const SHORT_MESSAGE_BYTES_MAX = 254;
const HAS_HEADER = 0x40;
const RECEIPT_WANTED = 1;
/** Seconds: a day. Our own bound; dispatch asks for 4 hours at most. */
const VALIDITY_SECONDS_MAX = 86_400;

const INTERNATIONAL = { ton: 1, npi: 1 };
/** A short code is a number of its network. */
const SHORT_CODE = { ton: 3, npi: 0 };
const SHORT_CODE_DIGITS_MAX = 6;
const ALPHANUMERIC = { ton: 5, npi: 0 };

/** What an account decides about its messages. */
export interface MessageRules {
  readonly addresses: AddressRules;
  readonly longMessages: LongMessages;
  readonly defaultAlphabet: DefaultAlphabet;
}

/**
 * Returns the `submit_sm` of each part, in order. Escape and surrogate pairs are never split. The
 * measure that cuts the bytes also names their encoding, so the request's is not read.
 * `reference`: distinguishes the parts of this text from those of others, 0 to 65535.
 */
export function submitParts(
  request: Pick<SubmitRequest, 'destination' | 'body' | 'validitySeconds'>,
  senderId: string,
  { addresses, longMessages, defaultAlphabet }: MessageRules,
  reference: number,
): SubmitParameters[] {
  const { dataCoding, parts } = encodedParts(toUSVString(request.body), defaultAlphabet);
  const common = {
    ...sourceOf(senderId, addresses),
    dest_addr_ton: INTERNATIONAL.ton,
    dest_addr_npi: INTERNATIONAL.npi,
    destination_addr: withoutPlus(request.destination),
    validity_period: relativeTime(request.validitySeconds),
    registered_delivery: RECEIPT_WANTED,
    data_coding: dataCoding,
  };
  if (parts.length < 2) return [{ ...common, short_message: parts[0] ?? Buffer.alloc(0) }];
  if (longMessages === 'payload') return [{ ...common, ...wholeText(Buffer.concat(parts)) }];
  return parts.map((part, index) => ({
    ...common,
    ...onePart(part, longMessages, reference, parts.length, index + 1),
  }));
}

/** Characters that ASCII or Latin-1 have in common with GSM-7 travel as they are. */
const ALPHABETS: Readonly<Record<DefaultAlphabet, RegExp>> = {
  gsm: /^/,
  // eslint-disable-next-line no-control-regex -- the whole of ASCII
  ascii: /^[\0-\x7f]*$/,
  // eslint-disable-next-line no-control-regex -- the whole of Latin-1
  latin1: /^[\0-\xff]*$/,
};

/**
 * Returns the bytes of each part. A text in GSM-7 with a character that the SMSC's default alphabet
 * lacks goes as UCS-2: shown right, though perhaps in more parts than were charged.
 */
function encodedParts(
  body: string,
  alphabet: DefaultAlphabet,
): { dataCoding: number; parts: Buffer[] } {
  const isDefault = measureSegments(body).encoding === 'GSM-7' && ALPHABETS[alphabet].test(body);
  const texts = textsOfParts(body, isDefault ? 'GSM-7' : 'UCS-2');
  if (!isDefault) {
    const parts = texts.map((text) => Buffer.from(text, 'utf16le').swap16());
    return { dataCoding: UCS_2, parts };
  }
  const encode = (text: string) =>
    alphabet === 'gsm' ? Buffer.from(encodeGsm7(text)) : Buffer.from(text, 'latin1');
  return { dataCoding: DEFAULT_CODING, parts: texts.map(encode) };
}

function textsOfParts(body: string, encoding: SmsEncoding): string[] {
  let at = 0;
  return measureParts(body, encoding).map((units) => {
    const start = at;
    let left = units;
    while (left > 0) {
      left -= encoding === 'GSM-7' ? septetsOf(body.charCodeAt(at)) : 1;
      at += 1;
    }
    return body.slice(start, at);
  });
}

function wholeText(bytes: Buffer): SubmitParameters {
  return bytes.length <= SHORT_MESSAGE_BYTES_MAX
    ? { short_message: bytes }
    : { short_message: Buffer.alloc(0), message_payload: bytes };
}

/** A header of six bytes with a reference of eight bits, or the parameters for it. */
function onePart(
  part: Buffer,
  longMessages: LongMessages,
  reference: number,
  total: number,
  number: number,
): SubmitParameters {
  if (longMessages === 'sar') {
    return {
      short_message: part,
      sar_msg_ref_num: reference,
      sar_total_segments: total,
      sar_segment_seqnum: number,
    };
  }
  const header = Buffer.from([5, 0, 3, reference & 0xff, total, number]);
  return { esm_class: HAS_HEADER, short_message: Buffer.concat([header, part]) };
}

function sourceOf(senderId: string, { sourceTon, sourceNpi }: AddressRules): SubmitParameters {
  const digits = /^\+?(\d+)$/.exec(senderId)?.[1];
  const numeric = senderId.length <= SHORT_CODE_DIGITS_MAX ? SHORT_CODE : INTERNATIONAL;
  const usual = digits === undefined ? ALPHANUMERIC : numeric;
  return {
    source_addr_ton: sourceTon ?? usual.ton,
    source_addr_npi: sourceNpi ?? usual.npi,
    source_addr: digits ?? senderId,
  };
}

/** Returns `YYMMDDhhmmsstnnR`, the time from now. Between one second and one day. */
function relativeTime(seconds: number): string {
  const whole = Math.max(1, Math.min(Math.floor(seconds), VALIDITY_SECONDS_MAX));
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const time = [86_400, 3_600, 60, 1].map((unit, index) =>
    two(index === 0 ? whole / unit : (whole / unit) % (index === 1 ? 24 : 60)),
  );
  return `0000${time.join('')}000R`;
}
