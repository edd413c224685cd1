import { lookUpNumber } from '@watchword/telephony';
import { e164Of } from '../number.policy.js';
import { type Delivery, optionText, TAG } from './delivery.js';
import { receiptTextOf } from './delivery-text.js';

/** What a `deliver_sm` says about an earlier `submit_sm`. */
export interface Receipt {
  /** In the form in which this SMSC writes ids in receipts. */
  readonly id: string;
  /** In capitals, as in the text of receipts, for example `DELIVRD`. */
  readonly state: string;
  /** The SMSC’s own error code. Empty where it gives none. */
  readonly error: string;
  /** Number of the handset, E.164. Null where it is not written so. */
  readonly destination: string | null;
}

/** `message_state` 0 to 9, of which 0 and 9 are those of SMPP 5.0. */
const STATES = [
  'SCHEDULED',
  'ENROUTE',
  'DELIVRD',
  'EXPIRED',
  'DELETED',
  'UNDELIV',
  'ACCEPTD',
  'UNKNOWN',
  'REJECTD',
  'SKIPPED',
];

/** Bits of `esm_class` that say what a `deliver_sm` is. */
const TYPE_BITS = 0x3c;
const RECEIPT = 0x04;
const INTERMEDIATE = 0x20;
const UNKNOWN_TYPE = 0;
const INTERNATIONAL = 1;
const WORD_LENGTH_MAX = 20;
/** Shorter numbers without a type are national ones. */
const INTERNATIONAL_DIGITS_MIN = 11;

/**
 * Returns the receipt, or null for a message that is none. The fields of the text may be missing,
 * so the optional parameters come first. An intermediate notification is never final.
 */
export function receiptOf(delivery: Delivery): Receipt | null {
  const given = optionText(delivery, TAG.receiptedMessageId);
  if (!isReceipt(delivery) && given === '') return null;
  const body = receiptTextOf(delivery);
  const id = given || (/(?<![a-z0-9_-])id:\s*(?!sub:|stat:)([^\s\0]+)/i.exec(body)?.[1] ?? '');
  // A field without a value is followed by the name of the next one.
  const stated = STATES[delivery.options.get(TAG.messageState)?.[0] ?? -1];
  const state = stated ?? /\bstat:\s*(\w+)\b(?!:)/i.exec(body)?.[1]?.toUpperCase() ?? '';
  if (id === '' || state === '') return null;
  const networkError = delivery.options.get(TAG.networkErrorCode);
  return {
    id,
    state: typeOf(delivery) === INTERMEDIATE ? 'ENROUTE' : state.slice(0, WORD_LENGTH_MAX),
    error: /\berr:\s*(\w{1,8})\b(?!:)/i.exec(body)?.[1] ?? networkErrorOf(networkError),
    destination: handsetOf(delivery.source, delivery.sourceTon),
  };
}

/** Returns whether the SMSC calls it a receipt, or an intermediate notification. */
export function isReceipt(delivery: Delivery): boolean {
  return [RECEIPT, INTERMEDIATE].includes(typeOf(delivery));
}

function typeOf({ esmClass }: Delivery): number {
  return esmClass & TYPE_BITS;
}

/** One byte that names the network’s kind, then the code. */
function networkErrorOf(code: Buffer | undefined): string {
  return code?.length === 3 ? String(code.readUInt16BE(1)) : '';
}

/**
 * Returns the number in E.164, or null for an address that is no international number. A plus sign
 * says that it is one, as its type does. Without a type, its length and its numbering plan decide.
 */
export function handsetOf(address: string, type: number): string | null {
  const number = e164Of(address);
  if (number === null || address.trim().startsWith('+') || type === INTERNATIONAL) return number;
  const isLong = number.length > INTERNATIONAL_DIGITS_MIN;
  return type === UNKNOWN_TYPE && isLong && lookUpNumber(number) !== null ? number : null;
}

/** Returns whether the address is a phone number, international or not, and no name or short code. */
export function isPhoneNumber(address: string): boolean {
  return /^\+?\d{7,}$/.test(address.trim());
}

/** How an SMSC writes the id of a message in its answer, and in the receipt. */
export type MessageIds = 'same' | 'hex-decimal' | 'decimal-hex';

/** Digits of a hexadecimal number, or of a UUID. */
const HEXADECIMAL = /^[0-9a-f-]+$/i;

/**
 * Returns the id that answer and receipt have in common. Zeros in front of a number do not count,
 * nor does the case of a hexadecimal one, because SMSCs pad and write them as they like. In an id
 * of other letters both may count, so it stays. Where the forms differ, it is the decimal number.
 */
export function commonId(id: string, where: 'answer' | 'receipt', ids: MessageIds): string {
  const isHex = (ids === 'hex-decimal') === (where === 'answer');
  const isNumber = isHex ? /^[0-9a-f]{1,64}$/i.test(id) : /^\d{1,64}$/.test(id);
  if (ids !== 'same' && isNumber) return String(BigInt(isHex ? `0x${id}` : id));
  if (!HEXADECIMAL.test(id)) return id;
  return id.toUpperCase().replace(/^0+(?=[0-9A-F]+$)/, '');
}
