import { asId, isUuid, type MessageId } from '@watchword/contracts';

/**
 * Identifies the attempt of a report. It travels in the callback URL's query or a reference field.
 */
export interface Reference {
  messageId: MessageId | null;
  attempt: number | null;
}

/** Returns `mid=<message id>&attempt=<number>`, in this order. */
export function referenceQuery({ messageId, attempt }: { messageId: MessageId; attempt: number }) {
  return `mid=${messageId}&attempt=${attempt}`;
}

/**
 * Returns the reference. An attempt without a message, or a number that no attempt has, is dropped.
 */
export function referenceOf({ mid, attempt }: Readonly<Record<string, string>>): Reference {
  const messageId = mid !== undefined && isUuid(mid) ? asId<MessageId>(mid) : null;
  const isNumber = attempt !== undefined && /^[1-9]\d{0,3}$/.test(attempt);
  return { messageId, attempt: messageId !== null && isNumber ? Number(attempt) : null };
}

/** Returns the reference in a carrier's own field, which holds a query. */
export function referenceOfQuery(text: unknown): Reference {
  return referenceOf(Object.fromEntries(new URLSearchParams(typeof text === 'string' ? text : '')));
}

const CARRIER_ID = /^[\w-]{1,128}$/;

/** Returns whether a value can be a carrier's id of a message. */
export function isCarrierId(value: unknown): value is string {
  return typeof value === 'string' && CARRIER_ID.test(value);
}
