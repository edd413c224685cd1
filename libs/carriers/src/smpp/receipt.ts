import { encodeGsm7, isGsm7 } from '@watchword/telephony';
import type { PDU } from 'smpp';
import { e164Of } from '../number.policy.js';

/** What a `deliver_sm` says about an earlier `submit_sm`. */
export interface Receipt {
  /** In the form in which this SMSC writes ids in receipts. */
  readonly id: string;
  /** As in the text of receipts: seven capitals, for example `DELIVRD`. */
  readonly state: string;
  /** The SMSC’s own error code. Empty where it gives none. */
  readonly error: string;
  /** Number of the handset, E.164. Null where it is not written so. */
  readonly destination: string | null;
}

/** `message_state` 1 to 8. */
const STATES = [
  'ENROUTE',
  'DELIVRD',
  'EXPIRED',
  'DELETED',
  'UNDELIV',
  'ACCEPTD',
  'UNKNOWN',
  'REJECTD',
];

/** Bits of `esm_class` that say what a `deliver_sm` is. */
const TYPE_BITS = 0x3c;
const RECEIPT = 0x04;
const INTERMEDIATE = 0x20;
const UNKNOWN_TYPE = 0;
const INTERNATIONAL = 1;

/**
 * Returns the receipt, or null for a message that is none. The fields of the text may be missing,
 * so the optional parameters come first. An intermediate notification is never final.
 */
export function receiptOf(pdu: PDU): Receipt | null {
  const given = textOf(pdu['receipted_message_id']);
  if (!isReceipt(pdu) && given === '') return null;
  const body = receiptText(pdu);
  const id = given || (/(?:^|\s)id:\s*(\S+)/i.exec(body)?.[1] ?? '');
  const stated = STATES[numberOf(pdu['message_state']) - 1];
  const state = stated ?? /\bstat:\s*(\w+)/i.exec(body)?.[1]?.toUpperCase() ?? '';
  if (id === '' || state === '') return null;
  return {
    id,
    state: typeOf(pdu) === INTERMEDIATE ? 'ENROUTE' : state.slice(0, 7),
    error: /\berr:\s*(\w{1,8})/i.exec(body)?.[1] ?? networkError(pdu['network_error_code']),
    destination: handsetOf(pdu['source_addr'], pdu['source_addr_ton']),
  };
}

/** Returns whether the SMSC calls it a receipt, or an intermediate notification. */
export function isReceipt(pdu: PDU): boolean {
  return [RECEIPT, INTERMEDIATE].includes(typeOf(pdu));
}

function typeOf(pdu: PDU): number {
  return numberOf(pdu['esm_class']) & TYPE_BITS;
}

/** Elements of a user data header: `id, length, data`. Those of parts end with total and number. */
const PARTS_8_BIT = 0x00;
const PORTS = [0x04, 0x05];
const PARTS_16_BIT = 0x08;

/**
 * Returns the text of a `deliver_sm`. Null for data that is no text: bytes, a message for an
 * application's port, or a part of a longer text.
 */
export function messageTextOf(pdu: PDU): string | null {
  const headers = headersOf(pdu);
  const isForPort = headers.some(([id]) => PORTS.includes(id ?? 0));
  const isPart = headers.some(isOfSeveral) || numberOf(pdu['sar_total_segments']) > 1;
  return isForPort || isPart ? null : bodyOf(pdu) || null;
}

function headersOf(pdu: PDU): readonly Buffer[] {
  for (const content of [pdu['short_message'], pdu['message_payload']]) {
    const hasHeaders = typeof content === 'object' && content !== null && 'udh' in content;
    if (hasHeaders && Array.isArray(content.udh)) return content.udh as Buffer[];
  }
  return [];
}

/** A text that fits in one message can have a header too: part 1 of 1. */
function isOfSeveral(header: Buffer): boolean {
  const [id = -1] = header;
  return [PARTS_8_BIT, PARTS_16_BIT].includes(id) && header.at(-2) !== 1;
}

/**
 * Returns the text of `short_message`, or of `message_payload`, which replaces it. The library has
 * decoded what is text, and leaves other data as bytes.
 */
function bodyOf(pdu: PDU): string {
  return messageOf(pdu['short_message']) || messageOf(pdu['message_payload']);
}

function messageOf(content: unknown): string {
  const isMessage = typeof content === 'object' && content !== null && 'message' in content;
  return textOf(isMessage ? content.message : content);
}

const GSM_7_CODINGS = [0, 1];

/** Receipts are ASCII, but the library reads their bytes as GSM-7: `_` is `§` there. */
function receiptText(pdu: PDU): string {
  const body = bodyOf(pdu);
  if (!GSM_7_CODINGS.includes(numberOf(pdu['data_coding'])) || !isGsm7(body)) return body;
  return Buffer.from(encodeGsm7(body)).toString('latin1');
}

/** One byte that names the network’s kind, then the code. */
function networkError(code: unknown): string {
  return Buffer.isBuffer(code) && code.length === 3 ? String(code.readUInt16BE(1)) : '';
}

/**
 * Returns the number in E.164, or null for an address that is no international number. A plus sign says that it is
 * one, as its type does. Without a type, its length decides.
 */
export function handsetOf(address: unknown, type: unknown): string | null {
  const number = e164Of(address);
  if (number === null || isMarked(address) || numberOf(type) === INTERNATIONAL) return number;
  return numberOf(type) === UNKNOWN_TYPE && number.length > 10 ? number : null;
}

function isMarked(address: unknown): boolean {
  return textOf(address).trim().startsWith('+');
}

/** Returns whether the address is a phone number, international or not, and no name or short code. */
export function isPhoneNumber(address: unknown): boolean {
  return /^\+?\d{7,}$/.test(textOf(address).trim());
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

/** How an SMSC writes the id of a message in its answer, and in the receipt. */
export type MessageIds = 'same' | 'hex-decimal' | 'decimal-hex';

/** Digits of a hexadecimal number, or of a UUID. */
const HEXADECIMAL = /^[0-9a-f-]+$/i;

/**
 * Returns the id that answer and receipt have in common. Where their forms differ, it is the
 * decimal number without zeros in front. Another hexadecimal id gets capitals, because SMSCs differ
 * in its case; in an id of other letters the case may count, so it stays.
 */
export function commonId(id: string, where: 'answer' | 'receipt', ids: MessageIds): string {
  const capital = HEXADECIMAL.test(id) ? id.toUpperCase() : id;
  if (ids === 'same') return capital;
  const isHex = (ids === 'hex-decimal') === (where === 'answer');
  const isNumber = isHex ? /^[0-9a-f]{1,64}$/i.test(id) : /^\d{1,64}$/.test(id);
  return isNumber ? String(BigInt(isHex ? `0x${id}` : id)) : capital;
}
