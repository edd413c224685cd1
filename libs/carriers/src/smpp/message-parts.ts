import { toUSVString } from 'node:util';
import { encodeGsm7, measureSegments } from '@watchword/telephony';
import { withoutPlus } from '../number.policy.js';
import type { SubmitRequest } from '../provider.port.js';

/** How a text of several parts is submitted. */
export type LongMessages = 'udh' | 'sar' | 'payload';

export interface AddressRules {
  /** Type of number and numbering plan of the sender. Null: by the sender’s form. */
  readonly sourceTon: number | null;
  readonly sourceNpi: number | null;
}

/** Parameters of a `submit_sm` by their names. */
export type SubmitParameters = Readonly<Record<string, unknown>>;

const GSM_7 = 0;
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

/**
 * Returns the `submit_sm` of each part, in order. Escape and surrogate pairs are never split. The
 * measure that cuts the bytes also names their encoding, so the request's is not read.
 * `reference`: tells the parts of this text from those of others, 0 to 65535.
 */
export function submitParts(
  request: Pick<SubmitRequest, 'destination' | 'body' | 'validitySeconds'>,
  senderId: string,
  rules: AddressRules,
  longMessages: LongMessages,
  reference: number,
): SubmitParameters[] {
  const body = toUSVString(request.body);
  const { encoding, parts } = measureSegments(body);
  const isGsm = encoding === 'GSM-7';
  const bytes = isGsm ? Buffer.from(encodeGsm7(body)) : Buffer.from(body, 'utf16le').swap16();
  const common = {
    ...sourceOf(senderId, rules),
    dest_addr_ton: INTERNATIONAL.ton,
    dest_addr_npi: INTERNATIONAL.npi,
    destination_addr: withoutPlus(request.destination),
    validity_period: relativeTime(request.validitySeconds),
    registered_delivery: RECEIPT_WANTED,
    data_coding: isGsm ? GSM_7 : UCS_2,
  };
  if (parts.length < 2) return [{ ...common, short_message: bytes }];
  if (longMessages === 'payload') return [{ ...common, ...wholeText(bytes) }];
  let at = 0;
  return parts.map((units, index) => {
    const end = at + (isGsm ? units : units * 2);
    const part = bytes.subarray(at, end);
    at = end;
    return { ...common, ...onePart(part, longMessages, reference, parts.length, index + 1) };
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
