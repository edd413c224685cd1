import type { Reason } from '@watchword/contracts';
import type { CarrierReport } from '../provider.port.js';

/** `statusCode` of an accepted recipient: processed, sent, queued. */
const ACCEPTED = new Set([100, 101, 102]);

/** `statusCode` of a refused recipient, the carrier's name for it, and our reason. */
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
const REASON_BY_NAME = new Map(REFUSALS.map(([, name, reason]) => [name.toLowerCase(), reason]));

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

/** `failureReason` of a report and our reason. The carrier writes one of them in two ways. */
const FAILURES = new Map<string, Reason>(
  Object.entries({
    InsufficientCredit: 'provider_rejected',
    InvalidLinkId: 'message_invalid',
    UserIsInactive: 'unknown_subscriber',
    UserDoesNotExist: 'unknown_subscriber',
    UserInBlackList: 'opted_out',
    UserAccountSuspended: 'subscriber_barred',
    NotNetworkSubcriber: 'no_route',
    NotNetworkSubscriber: 'no_route',
    UserNotSubscribedToProduct: 'carrier_rejected',
    DeliveryFailure: 'network_error',
    DoNotDisturbRejection: 'dnd_active',
  } as const),
);

/** Answers and reports differ in the case of a name, as in `UserInBlacklist`. */
const FAILURE_BY_NAME = new Map(
  [...FAILURES].map(([name, reason]) => [name.toLowerCase(), reason]),
);

/** Statuses that need no `failureReason`. */
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

/** Returns null for a code that is not in the table. */
export function refusalReason(statusCode: number): Reason | null {
  return REASON_BY_CODE.get(statusCode) ?? null;
}

/**
 * Returns the reason by the carrier's name for it, which the answer gives when no recipient was
 * accepted.
 */
export function refusalReasonOfName(name: string): Reason | null {
  return REASON_BY_NAME.get(name.toLowerCase()) ?? null;
}

export function knowsAfricasTalkingState(status: string): boolean {
  return STATES.has(status);
}

/** Returns the state of a status. A status that the carrier adds later is not final. */
export function reportState(status: string): CarrierReport['state'] {
  return STATES.get(status) ?? 'enroute';
}

export function failureReason(status: string, failure: string | null): Reason {
  const named = failure === null ? undefined : FAILURE_BY_NAME.get(failure.toLowerCase());
  if (named !== undefined) return named;
  const ofStatus = FAILED_STATUSES.get(status);
  // For an unknown reason, the status "Rejected" adds nothing.
  if (ofStatus === undefined || (failure !== null && status === 'Rejected')) return 'unknown_error';
  return ofStatus;
}

export const AFRICAS_TALKING_FAILURES: ReadonlyArray<readonly [failure: string, reason: Reason]> = [
  ...FAILURES,
];
