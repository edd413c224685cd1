import { randomBytes } from 'node:crypto';

/**
 * Identifiers. Every one is a UUIDv7 (time-ordered, so indexes stay warm), except event ids, which
 * are `evt_` and a UUIDv7 without dashes.
 */

declare const kind: unique symbol;

/** A text with a kind, which exists only for the compiler: one kind of id does not fit another. */
type Brand<Kind extends string> = string & {
  readonly [kind]: { readonly [Each in Kind]: true };
};

export type WorkspaceId = Brand<'WorkspaceId'>;
/** Of an OTP, an SMS or an email; a resend is charged under one of its own. */
export type MessageId = Brand<'MessageId'>;
/** Of an entry of the ledger. */
export type EntryId = Brand<'EntryId'>;
export type PaymentId = Brand<'PaymentId'>;
export type ApiKeyId = Brand<'ApiKeyId'>;
export type UserId = Brand<'UserId'>;
export type InvitationId = Brand<'InvitationId'>;
/** Of a webhook endpoint, of either variant. */
export type EndpointId = Brand<'EndpointId'>;
/** Of a webhook delivery. */
export type DeliveryId = Brand<'DeliveryId'>;
/** `evt_` and a UUIDv7 without dashes. */
export type EventId = Brand<'EventId'>;

/** An id that was just drawn. It fits every kind: each stands here. */
export type NewId = WorkspaceId &
  MessageId &
  EntryId &
  PaymentId &
  ApiKeyId &
  UserId &
  InvitationId &
  EndpointId &
  DeliveryId;

/** Gives a text that is known to be an id its kind. The schemas do so for all that comes in. */
export function asId<Id extends string>(text: string): Id {
  return text as Id;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

const SEQUENCE_MAX = 0xfff;
let lastMs = 0;
let sequence = 0;
/** Text of `lastMs`: many ids are drawn within a millisecond. */
let lastMsText = '';

/**
 * Returns a UUIDv7, as the kind of id that is asked. A counter after the timestamp keeps the ids of
 * one process in order, even within a millisecond or when the clock is set back. 62 random bits
 * follow.
 */
export function newId<Id extends string = NewId>(): Id {
  const nowMs = Date.now();
  if (nowMs > lastMs) begin(nowMs);
  else if (sequence < SEQUENCE_MAX) sequence += 1;
  else begin(lastMs + 1);
  const order = sequence.toString(16).padStart(3, '0');
  return asId(`${lastMsText}-7${order}-${randomEnd()}`);
}

function begin(atMs: number): void {
  lastMs = atMs;
  sequence = 0;
  lastMsText = textOf(atMs);
}

function textOf(atMs: number): string {
  const time = atMs.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}`;
}

/** Random digits, drawn for many ids at once: several ids are drawn for each message. */
const DIGITS_DRAWN = 4_096;
const DIGITS_PER_ID = 16;
/** Of each hexadecimal digit: two bits are the variant of a UUID, and two are random. */
const VARIANT = '89ab'.repeat(4);
let digits = '';
let digitsUsed = 0;

/** Returns the last two groups of a UUID: the variant and 62 random bits. */
function randomEnd(): string {
  if (digitsUsed === digits.length) {
    digits = randomBytes(DIGITS_DRAWN / 2).toString('hex');
    digitsUsed = 0;
  }
  const from = digitsUsed;
  digitsUsed += DIGITS_PER_ID;
  const variant = VARIANT[Number.parseInt(digits[from]!, 16)];
  return `${variant}${digits.slice(from + 1, from + 4)}-${digits.slice(from + 4, digitsUsed)}`;
}

/** Returns a bound that sorts before every id drawn at or after the time. */
export function idFloor(atMs: number): string {
  return `${textOf(Math.max(0, atMs))}-7000-8000-000000000000`;
}

export function newEventId(): EventId {
  return eventIdOf(newId());
}

/** Returns a bound that sorts before every event id drawn at or after the time. */
export function eventIdFloor(atMs: number): EventId {
  return eventIdOf(idFloor(atMs));
}

/** Returns the id of the event that another id determines. */
export function eventIdOf(id: string): EventId {
  return asId(`evt_${id.replaceAll('-', '')}`);
}

/** Returns the id in PostgreSQL's spelling. */
export function lowerId<Id extends string>(id: Id): Id {
  return asId(id.toLowerCase());
}

export function isUuid(text: string): boolean {
  return UUID.test(text);
}
