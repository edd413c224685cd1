import type { Reason } from '@watchword/contracts';
import type { CarrierReport } from '../provider.port.js';

/** Twilio's error codes of refused submits and failed receipts, with our reasons. */
const REASONS = new Map<string, Reason>(
  Object.entries({
    14107: 'throttled',
    20003: 'provider_rejected',
    20005: 'provider_rejected',
    20404: 'provider_rejected',
    20429: 'throttled',
    21211: 'invalid_number',
    21212: 'sender_id_rejected',
    21266: 'invalid_number',
    21408: 'no_route',
    21601: 'sender_id_rejected',
    21602: 'message_invalid',
    21603: 'sender_id_rejected',
    21605: 'message_invalid',
    21606: 'sender_id_rejected',
    21607: 'sender_id_rejected',
    21608: 'provider_rejected',
    21610: 'opted_out',
    21611: 'throttled',
    21612: 'no_route',
    21614: 'unsupported_number',
    21617: 'message_invalid',
    21619: 'message_invalid',
    21635: 'unsupported_number',
    21657: 'sender_id_rejected',
    21659: 'sender_id_rejected',
    21660: 'sender_id_rejected',
    21661: 'sender_id_rejected',
    21730: 'provider_unavailable',
    30001: 'throttled',
    30002: 'provider_rejected',
    30003: 'absent_subscriber',
    30004: 'carrier_rejected',
    30005: 'unknown_subscriber',
    30006: 'unsupported_number',
    30007: 'content_rejected',
    30008: 'unknown_error',
    30010: 'provider_rejected',
    30017: 'network_error',
    30018: 'sender_id_rejected',
    30019: 'message_invalid',
    30021: 'provider_unavailable',
    30022: 'throttled',
    30023: 'throttled',
    30024: 'sender_id_rejected',
    30027: 'throttled',
    30032: 'sender_id_rejected',
    30033: 'sender_id_rejected',
    30034: 'sender_id_rejected',
    30035: 'sender_id_rejected',
    30036: 'expired',
    30038: 'content_rejected',
    30040: 'sender_id_rejected',
    30042: 'sender_id_rejected',
    30410: 'network_error',
    30450: 'fraud_blocked',
    63038: 'throttled',
  } as const),
);

/** "Attempt to send to unsubscribed recipient": this pair of `To` and `From` is blocked since a STOP. */
export const UNSUBSCRIBED = '21610';

/** Twilio's message statuses. A status that it adds later is not final. */
const STATES = new Map<string, CarrierReport['state']>(
  Object.entries({
    accepted: 'enroute',
    scheduled: 'enroute',
    queued: 'enroute',
    sending: 'enroute',
    sent: 'enroute',
    partially_delivered: 'enroute',
    delivered: 'delivered',
    read: 'delivered',
    undelivered: 'failed',
    failed: 'failed',
    canceled: 'failed',
  } as const),
);

/** Returns null for a code that is not in the table. */
export function twilioReason(code: string | null): Reason | null {
  return code === null ? null : (REASONS.get(code) ?? null);
}

export function knowsTwilioState(status: string): boolean {
  return STATES.has(status);
}

export function twilioState(status: string): CarrierReport['state'] {
  return STATES.get(status) ?? 'enroute';
}

export const TWILIO_CODES: ReadonlyArray<readonly [code: string, reason: Reason]> = [...REASONS];
