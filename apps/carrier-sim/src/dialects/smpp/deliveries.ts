import { randomBytes } from 'node:crypto';
import type { HandsetMessage } from '../../handset/handset.store.js';
import type { Receipt } from '../../outcomes/outcome.js';
import { compactTime } from '../http-interface.js';
import { encodeText } from './alphabet.js';
import { option, TAG, zeroEnded } from './pdu.js';
import { receiptState } from './smpp-codes.js';

const MESSAGE = 0x00;
const RECEIPT = 0x04;
const UCS_2 = 0x08;
const SHORT_MESSAGE_MAX = 254;
const TEXT_SHOWN = 20;

/** Type of number and numbering plan. */
const INTERNATIONAL = [1, 1];
const ALPHANUMERIC = [5, 0];
const NATIONAL_CODE = [3, 0];

/** Returns the body of a `deliver_sm` with the receipt of one part. */
export function receiptBody(message: HandsetMessage, id: string, receipt: Receipt): Buffer {
  const { word, number, error } = receiptState(receipt);
  const delivered = word === 'DELIVRD' ? '001' : '000';
  const [submitted, done] = [message.receivedAtMs, Date.now()].map(compactTime);
  // A forger knows no id.
  const named = receipt.forged ? newMessageId() : id;
  const text =
    `id:${named} sub:001 dlvrd:${delivered} submit date:${submitted} done date:${done} ` +
    `stat:${word} err:${error} text:${shown(message.body)}`;
  return deliverBody({
    from: message.to,
    to: message.from,
    esmClass: RECEIPT,
    // As SMSCs do that copy the coding of the text, although the receipt is ASCII.
    dataCoding: message.encoding === 'UCS-2' ? UCS_2 : 0,
    bytes: Buffer.from(text, 'latin1'),
    options: [
      option(TAG.receiptedMessageId, zeroEnded(named)),
      option(TAG.messageState, Buffer.from([number])),
    ],
  });
}

/** Returns the body of a `data_sm` with the receipt of one part: parameters, and no text. */
export function receiptData(message: HandsetMessage, id: string, receipt: Receipt): Buffer {
  return Buffer.concat([
    zeroEnded(''),
    address(message.to),
    address(message.from),
    Buffer.from([RECEIPT, 0, 0]),
    // Without a NUL at its end, as ch-smpp and go-smpp write it.
    option(TAG.receiptedMessageId, Buffer.from(receipt.forged ? newMessageId() : id)),
    option(TAG.messageState, Buffer.from([receiptState(receipt).number])),
  ]);
}

/** Returns the body of a `deliver_sm` with a handset’s message. */
export function messageBody(from: string, to: string, text: string): Buffer {
  const { dataCoding, bytes } = encodeText(text);
  const isShort = bytes.length <= SHORT_MESSAGE_MAX;
  return deliverBody({
    from,
    to,
    esmClass: MESSAGE,
    dataCoding,
    bytes: isShort ? bytes : Buffer.alloc(0),
    options: isShort ? [] : [option(TAG.payload, bytes)],
  });
}

/** Ids of messages are hexadecimal, as many SMSCs write them, without a zero in front. */
export function newMessageId(): string {
  return `A${randomBytes(12).toString('hex').toUpperCase()}`;
}

interface Delivery {
  readonly from: string;
  readonly to: string;
  readonly esmClass: number;
  readonly dataCoding: number;
  readonly bytes: Buffer;
  readonly options: readonly Buffer[];
}

function deliverBody({ from, to, esmClass, dataCoding, bytes, options }: Delivery): Buffer {
  return Buffer.concat([
    zeroEnded(''),
    address(from),
    address(to),
    Buffer.from([esmClass, 0, 0]),
    zeroEnded(''),
    zeroEnded(''),
    Buffer.from([0, 0, dataCoding, 0, bytes.length]),
    bytes,
    ...options,
  ]);
}

function address(number: string): Buffer {
  const kind = number.startsWith('+')
    ? INTERNATIONAL
    : /^\d+$/.test(number)
      ? NATIONAL_CODE
      : ALPHANUMERIC;
  return Buffer.concat([Buffer.from(kind), zeroEnded(number.replace('+', ''))]);
}

/** The first characters of the text, in ASCII. */
function shown(body: string): string {
  return body.slice(0, TEXT_SHOWN).replaceAll(/[^ -~]/g, '?');
}
