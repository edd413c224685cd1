import type { Reason } from '@watchword/contracts';
import type { CarrierReport } from '../provider.port.js';

/** `ErrorCode` of a failed report, with our reasons. */
const REASONS = new Map<string, Reason>(
  Object.entries({
    10: 'message_invalid',
    20: 'network_error',
    30: 'content_rejected',
    40: 'sender_id_rejected',
    50: 'invalid_number',
    60: 'throttled',
    70: 'unknown_subscriber',
    80: 'absent_subscriber',
    90: 'no_route',
    100: 'carrier_rejected',
    110: 'message_invalid',
    200: 'opted_out',
    201: 'no_route',
    300: 'provider_unavailable',
    420: 'expired',
    // The country is off in the account's geo permissions, which guard against pumping.
    450: 'fraud_blocked',
    1000: 'unknown_error',
  } as const),
);

/** Plivo's message statuses. A status that it adds later is not final. */
const STATES = new Map<string, CarrierReport['state']>(
  Object.entries({
    queued: 'enroute',
    sent: 'enroute',
    delivered: 'delivered',
    read: 'delivered',
    failed: 'failed',
    undelivered: 'failed',
    rejected: 'failed',
  } as const),
);

/**
 * HTTP statuses of refused submits. Plivo answers wrong credentials with 401, and 403 where the
 * country is off in the account's geo permissions.
 */
const REFUSALS = new Map<number, Reason>([
  [402, 'provider_rejected'],
  [403, 'no_route'],
  [404, 'provider_rejected'],
]);

/** The parameter that the text of a 400 names first. */
const PARAMETERS = new Map<string, Reason>(
  Object.entries({
    src: 'sender_id_rejected',
    dst: 'invalid_number',
    text: 'message_invalid',
  } as const),
);
const PARAMETER = /\b(src|dst|text)\b/;

/** Returns null for a code that is not in the table. */
export function plivoReason(code: string | null): Reason | null {
  return code === null ? null : (REASONS.get(code) ?? null);
}

export function knowsPlivoState(status: string): boolean {
  return STATES.has(status.toLowerCase());
}

export function plivoState(status: string): CarrierReport['state'] {
  return STATES.get(status.toLowerCase()) ?? 'enroute';
}

/** Returns the reason of a refused submit, or null where status and text say none. */
export function plivoRefusal(status: number, text: string): Reason | null {
  if (status !== 400) return REFUSALS.get(status) ?? null;
  const [parameter = ''] = PARAMETER.exec(text) ?? [];
  return PARAMETERS.get(parameter) ?? null;
}
