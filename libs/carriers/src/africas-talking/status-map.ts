import type { Reason } from '@watchword/contracts';
import type { CarrierReport } from '../provider.port.js';

/** `statusCode` of a recipient that was taken: processed, sent, queued. */
const ACCEPTED = new Set([100, 101, 102]);

/** `statusCode` of a refused recipient, its name, and what we call it. */
const REFUSALS: ReadonlyArray<readonly [code: number, name: string, reason: Reason]> = [
  [401, 'RiskHold', 'fraud_blocked'],
  [402, 'InvalidSenderId', 'sender_id_rejected'],
  [403, 'InvalidPhoneNumber', 'invalid_number'],
  [404, 'UnsupportedNumberType', 'unsupported_number'],
  [405, 'InsufficientBalance', 'provider_rejected'],
  [406, 'UserInBlacklist', 'opted_out'],
  [407, 'CouldNotRoute', 'no_route'],
  [409, 'DoNotDisturbRejection', 'dnd_active'],
  [500, 'InternalServerError', 'provider_unavailable'],
  [501, 'GatewayError', 'provider_unavailable'],
  [502, 'RejectedByGateway', 'carrier_rejected'],
];
const REASON_BY_CODE = new Map(REFUSALS.map(([code, , reason]) => [code, reason]));
const REASON_BY_NAME = new Map(REFUSALS.map(([, name, reason]) => [name, reason]));

const STATES = new Map<string, CarrierReport['state']>(
  Object.entries({
    Sent: 'enroute',
    Submitted: 'enroute',
    Buffered: 'enroute',
    Success: 'delivered',
    Rejected: 'failed',
    Failed: 'failed',
    AbsentSubscriber: 'failed',
    Expired: 'failed',
  } as const),
);

/** `failureReason` of a report; the misspelling is the carrier's own. */
const FAILURES = new Map<string, Reason>(
  Object.entries({
    InsufficientCredit: 'provider_rejected',
    InvalidLinkId: 'message_invalid',
    UserIsInactive: 'unknown_subscriber',
    UserDoesNotExist: 'unknown_subscriber',
    UserInBlackList: 'opted_out',
    UserAccountSuspended: 'subscriber_barred',
    NotNetworkSubcriber: 'no_route',
    UserNotSubscribedToProduct: 'carrier_rejected',
    DeliveryFailure: 'network_error',
    DoNotDisturbRejection: 'dnd_active',
  } as const),
);

/** Statuses that say enough without a `failureReason`. */
const FAILED_STATUSES = new Map<string, Reason>(
  Object.entries({
    AbsentSubscriber: 'absent_subscriber',
    Expired: 'expired',
    Rejected: 'carrier_rejected',
  } as const),
);

export function isAcceptedCode(statusCode: number): boolean {
  return ACCEPTED.has(statusCode);
}

/** Null for a code that is not in the table. */
export function refusalReason(statusCode: number): Reason | null {
  return REASON_BY_CODE.get(statusCode) ?? null;
}

/** By the name that stands in the answer when no recipient was taken at all. */
export function refusalReasonOfName(name: string): Reason | null {
  return REASON_BY_NAME.get(name) ?? null;
}

/** A status that the carrier adds later says nothing final to us. */
export function reportState(status: string): CarrierReport['state'] {
  return STATES.get(status) ?? 'enroute';
}

export function failureReason(status: string, failure: string | null): Reason {
  const named = failure === null ? undefined : FAILURES.get(failure);
  if (named !== undefined) return named;
  const ofStatus = FAILED_STATUSES.get(status);
  // An unknown reason is not made better by the status "Rejected", which only repeats it.
  if (ofStatus === undefined || (failure !== null && status === 'Rejected')) return 'unknown_error';
  return ofStatus;
}

export const AFRICAS_TALKING_CODES: ReadonlyArray<readonly [code: string, reason: Reason]> =
  REFUSALS.map(([code, , reason]) => [String(code), reason]);

export const AFRICAS_TALKING_FAILURES: ReadonlyArray<readonly [failure: string, reason: Reason]> = [
  ...FAILURES,
];
