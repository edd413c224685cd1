import type { Reason } from '@watchword/contracts';
import type { CarrierReport } from '../provider.port.js';

/** `status` of an accepted part. */
export const ACCEPTED_STATUS = '0';

/** `status` of a refused part, with our reasons. */
const REFUSALS = new Map<string, Reason>(
  Object.entries({
    1: 'throttled',
    // A parameter is missing or wrong, which is our own mistake.
    2: 'message_invalid',
    3: 'message_invalid',
    4: 'provider_rejected',
    5: 'provider_unavailable',
    6: 'no_route',
    7: 'opted_out',
    8: 'provider_rejected',
    9: 'provider_rejected',
    10: 'throttled',
    11: 'provider_rejected',
    12: 'message_invalid',
    14: 'provider_rejected',
    15: 'sender_id_rejected',
    22: 'no_route',
    23: 'provider_rejected',
    29: 'provider_rejected',
    32: 'provider_rejected',
    33: 'unknown_subscriber',
  } as const),
);

/** `err-code` of a delivery receipt, with our reasons. 50 to 53 are rules of India. */
const FAILURES = new Map<string, Reason>(
  Object.entries({
    1: 'unknown_error',
    2: 'absent_subscriber',
    3: 'unknown_subscriber',
    4: 'subscriber_barred',
    5: 'network_error',
    6: 'content_rejected',
    7: 'handset_error',
    8: 'network_error',
    9: 'opted_out',
    10: 'content_rejected',
    11: 'no_route',
    12: 'no_route',
    13: 'carrier_rejected',
    14: 'carrier_rejected',
    15: 'subscriber_barred',
    50: 'sender_id_rejected',
    51: 'sender_id_rejected',
    52: 'content_rejected',
    53: 'opted_out',
    99: 'unknown_error',
  } as const),
);

const STATES = new Map<string, CarrierReport['state']>(
  Object.entries({
    accepted: 'enroute',
    buffered: 'enroute',
    delivered: 'delivered',
    expired: 'failed',
    failed: 'failed',
    rejected: 'failed',
    unknown: 'failed',
  } as const),
);

/** Returns null for a status that is not in the table. */
export function vonageRefusal(status: string | null): Reason | null {
  return status === null ? null : (REFUSALS.get(status) ?? null);
}

export function knowsVonageState(status: string): boolean {
  return STATES.has(status);
}

/** Returns the state of a receipt's status. A status that Vonage adds later is not final. */
export function vonageState(status: string): CarrierReport['state'] {
  return STATES.get(status) ?? 'enroute';
}

/** Returns the reason of a failed receipt. `errorCode` is null where the receipt names none. */
export function vonageFailure(status: string, errorCode: string | null): Reason {
  if (status === 'expired') return 'expired';
  if (errorCode !== null) return FAILURES.get(errorCode) ?? 'unknown_error';
  return status === 'rejected' ? 'carrier_rejected' : 'unknown_error';
}
