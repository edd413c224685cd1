import {
  type CreditLow,
  type CreditToppedUp,
  type CreditTopUpFailed,
  type MessageEventType,
  type MessageSnapshot,
  type MessageState,
  PHONE_CONTRACTS,
  type PrefixEvent,
  publicStatus,
  timeText,
} from '@watchword/contracts';

/**
 * Bodies are compact JSON with only the escapes that JSON requires. `sequence` is the last member,
 * because it is known last: the head of a body is made here, and the statement that assigns the
 * sequence closes it. The whole body is stored, so every attempt sends the same bytes.
 */
export function variantAHead(event: string, occurredAt: string, data: object): string {
  return JSON.stringify({ event, timestamp: wholeSeconds(occurredAt), data }).slice(0, -1);
}

export interface VariantBEvent {
  readonly id: string;
  readonly type: string;
  readonly occurredAt: string;
  readonly data: object;
}

export function variantBHead({ id, type, occurredAt, data }: VariantBEvent): string {
  const createdAt = timeText(new Date(occurredAt));
  return JSON.stringify({ id, type, created_at: createdAt, data }).slice(0, -1);
}

/** The number of the samples that `POST /v1/webhooks/{id}/test` posts. */
export const SAMPLE_SEQUENCE = 0;

/** Closes a body, as `webhooks.fan_out_occurrences` does in SQL. */
export function closed(head: string, sequence: number): string {
  return `${head},"sequence":${sequence}}`;
}

const END_OF_SAMPLE = Buffer.from(closed('', SAMPLE_SEQUENCE), 'utf8');

/** Returns whether a body is that of a sample, which is sent once. Real events are numbered from 1. */
export function isSample(body: Buffer): boolean {
  return body.subarray(-END_OF_SAMPLE.length).equals(END_OF_SAMPLE);
}

/** Returns RFC 3339 in UTC, without the fraction. */
export function wholeSeconds(moment: string): string {
  return `${timeText(new Date(moment)).slice(0, 19)}Z`;
}

const ENDED_BADLY: ReadonlySet<MessageEventType> = new Set([
  'message.failed',
  'message.blocked',
  'message.rejected',
  'message.cancelled',
]);

/** Returns data of variant A of a message: required members first, and `test_mode` where nothing real happened. */
export function messageData(type: MessageEventType, message: MessageSnapshot): object {
  const { textOfA, statusOfA, verdictOfA } = PHONE_CONTRACTS[message.kind];
  return {
    id: message.id,
    phone_number: message.destination,
    country_code: message.country_code,
    ...textOfA(message),
    status: statusOfA(publicStatus(message.state as MessageState, 'a')),
    credit_cost: message.credits,
    ...verdictOfA(message),
    ...ending(type, message),
    ...(message.test_mode ? { test_mode: true } : {}),
  };
}

/**
 * A message that ended badly always has its reason and whether it was refunded; others have them
 * only if known.
 */
function ending(type: MessageEventType, message: MessageSnapshot): object {
  if (ENDED_BADLY.has(type)) {
    const fallback = type === 'message.cancelled' ? 'cancelled' : 'unknown_error';
    return { reason: message.reason ?? fallback, refunded: message.refunded ?? false };
  }
  return {
    ...(message.reason === null ? {} : { reason: message.reason }),
    ...(message.refunded === null ? {} : { refunded: message.refunded }),
  };
}

export function creditData(event: CreditToppedUp | CreditLow | CreditTopUpFailed): object {
  if (event.type === 'credit.top_up_failed') {
    const { workspace_id, balance, payment_id, credits, amount, currency, failure } = event;
    return { workspace_id, balance, payment_id, credits, amount, currency, failure };
  }
  const { workspace_id, balance_after: balance } = event;
  if (event.type === 'credit.low') return { workspace_id, balance, threshold: event.threshold };
  return { workspace_id, balance };
}

export function prefixData(event: Omit<PrefixEvent, 'event_id' | 'type' | 'occurred_at'>): object {
  return {
    workspace_id: event.workspace_id,
    prefix: event.prefix,
    otp_count: event.otp_count,
    verified_count: event.verified_count,
    ...(event.ends_at === null ? {} : { ends_at: event.ends_at }),
  };
}
