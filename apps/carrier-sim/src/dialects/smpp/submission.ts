import { isE164 } from '../../handset/phone-number.js';
import { measure, type Measure } from '../../handset/segments.js';
import { gsmText, ucs2Text } from './alphabet.js';
import { BodyFault, BodyReader, TAG } from './pdu.js';
import { STATUS } from './smpp-codes.js';

/** One of the parts that make a text. */
export interface Part {
  readonly reference: number;
  readonly total: number;
  /** From 1. */
  readonly number: number;
}

/** A `submit_sm` that the SMSC can take. */
export interface Submission {
  readonly to: string;
  readonly from: string;
  readonly body: string;
  readonly measured: Measure;
  /** Absent for a whole text. */
  readonly part: Part | undefined;
  readonly wantsReceipt: boolean;
}

const INTERNATIONAL = 1;
const ALPHANUMERIC = 5;
const TYPE_MAX = 6;
const HAS_HEADER = 0x40;
/** A receipt for success and failure. */
const RECEIPT_BITS = 0x03;

const GSM_7 = 0;
const IA5 = 1;
const LATIN_1 = 3;
const UCS_2 = 8;
/** Room for text in one message: 140 bytes, or 160 septets that the SMSC packs. */
const BYTES_MAX = 140;
const SHORT_MESSAGE_MAX = 254;

/** Absolute or relative time of sixteen characters, or none. */
const TIME = /^(?:\d{12}\d{3}[-+R])?$/;

/** Returns the submission, or the status of its refusal. */
export function readSubmission(body: Buffer): Submission | number {
  try {
    return read(new BodyReader(body));
  } catch (error) {
    if (error instanceof BodyFault) return STATUS.ESME_RINVCMDLEN;
    throw error;
  }
}

function read(reader: BodyReader): Submission | number {
  reader.text(6);
  const source = { type: reader.byte(), plan: reader.byte(), address: reader.text(21) };
  const target = { type: reader.byte(), plan: reader.byte(), address: reader.text(21) };
  const esmClass = reader.byte();
  reader.bytes(2);
  const schedule = reader.text(17);
  const validity = reader.text(17);
  const registered = reader.byte();
  reader.byte();
  const dataCoding = reader.byte();
  reader.byte();
  const short = reader.bytes(reader.byte());
  const options = reader.options();

  if (source.type > TYPE_MAX) return STATUS.ESME_RINVSRCTON;
  if (target.type > TYPE_MAX) return STATUS.ESME_RINVDSTTON;
  const from = senderOf(source);
  if (from === undefined) return STATUS.ESME_RINVSRCADR;
  const to = `+${target.address}`;
  if (target.type !== INTERNATIONAL || !isE164(to)) return STATUS.ESME_RINVDSTADR;
  if (!TIME.test(schedule)) return STATUS.ESME_RINVSCHED;
  if (!TIME.test(validity)) return STATUS.ESME_RINVEXPIRY;

  const payload = options.get(TAG.payload);
  if (short.length > SHORT_MESSAGE_MAX || (payload && short.length > 0)) {
    return STATUS.ESME_RINVMSGLEN;
  }
  const content = payload ?? short;
  const hasHeader = (esmClass & HAS_HEADER) !== 0;
  const header = hasHeader ? content.subarray(0, (content[0] ?? 0) + 1) : Buffer.alloc(0);
  const part = hasHeader ? partOfHeader(header) : partOfOptions(options);
  if (part === null) return STATUS.ESME_RINVESMCLASS;
  const text = content.subarray(header.length);
  const headerBytes = hasHeader ? header.length : part ? 6 : 0;
  if (!payload && text.length > roomFor(dataCoding, headerBytes)) return STATUS.ESME_RINVMSGLEN;
  const decoded = decode(dataCoding, text);
  if (typeof decoded === 'number') return decoded;
  if (decoded === '') return STATUS.ESME_RINVMSGLEN;
  const measured = measure(decoded);
  const wantsReceipt = (registered & RECEIPT_BITS) !== 0;
  return { to, from, body: decoded, measured, part, wantsReceipt };
}

/** Letters have their own type; an international number is shown with its plus. */
function senderOf({ type, address }: { type: number; address: string }): string | undefined {
  if (type === ALPHANUMERIC) return /^[ -~]{1,11}$/.test(address) ? address : undefined;
  if (!/^\d{3,15}$/.test(address)) return undefined;
  return type === INTERNATIONAL ? `+${address}` : address;
}

/** Returns undefined without a concatenation element, and null for one that cannot be. */
function partOfHeader(header: Buffer): Part | undefined | null {
  let at = 1;
  while (at + 2 <= header.length) {
    const [element = 0, length = 0] = header.subarray(at, at + 2);
    const data = header.subarray(at + 2, at + 2 + length);
    if (data.length < length) return null;
    if (element === 0x00 && length === 3) return checked(data[0]!, data[1]!, data[2]!);
    if (element === 0x08 && length === 4) return checked(data.readUInt16BE(0), data[2]!, data[3]!);
    at += 2 + length;
  }
  return undefined;
}

function partOfOptions(options: ReadonlyMap<number, Buffer>): Part | undefined | null {
  const reference = options.get(TAG.sarReference);
  const [total, number] = [options.get(TAG.sarTotal)?.[0], options.get(TAG.sarNumber)?.[0]];
  if (reference?.length !== 2 || total === undefined || number === undefined) return undefined;
  return checked(reference.readUInt16BE(0), total, number);
}

function checked(reference: number, total: number, number: number): Part | null {
  return number >= 1 && number <= total ? { reference, total, number } : null;
}

function roomFor(dataCoding: number, headerBytes: number): number {
  const bytes = BYTES_MAX - headerBytes;
  return dataCoding === GSM_7 ? Math.floor((bytes * 8) / 7) : bytes;
}

/** Returns the text, or the status for a data coding or length that cannot be. */
function decode(dataCoding: number, bytes: Buffer): string | number {
  switch (dataCoding) {
    case GSM_7:
      return gsmText(bytes);
    case IA5:
    case LATIN_1:
      return bytes.toString('latin1');
    case UCS_2:
      return bytes.length % 2 === 0 ? ucs2Text(bytes) : STATUS.ESME_RINVMSGLEN;
    default:
      return STATUS.ESME_RINVDCS;
  }
}
