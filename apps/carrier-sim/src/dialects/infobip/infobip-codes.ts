import type { NativeCodes } from '../../outcomes/magic-number.policy.js';
import type { Code, Receipt } from '../../outcomes/outcome.js';

const NO_ROUTE_STATUS = 19;
export const ACCEPTED_STATUS = 26;
export const DUPLICATE_STATUS = 23;
export const INVALID_DESTINATION_STATUS = 52;
const NOT_DELIVERED_STATUS = 9;
const OPERATOR_REJECTED_STATUS = 4;
const SPAM_ERROR = 607;
/** Error of a failed report that names none: Infobip's "unknown error". */
const UNKNOWN_ERROR = 255;

/**
 * Codes by the last two digits of a magic number: ids of a status, or of a group, a status and an
 * error.
 */
export const INFOBIP_NATIVE_CODES: NativeCodes = {
  10: { fail: '2/9/1' },
  11: { fail: '2/9/27' },
  12: { fail: '2/9/31' },
  13: { fail: '2/9/13' },
  14: { fail: '2/4/607' },
  15: { refuse: '5/13' },
  16: { refuse: '5/19' },
  17: { fail: '2/9/34' },
  18: { refuse: '5/100' },
  19: { fail: '4/15' },
  20: { refuse: '5/14' },
  21: { fail: '5/10' },
  22: { fail: '2/9/11' },
  23: { fail: '2/9/9999' },
  24: { refuse: '5/87' },
  25: { refuse: '5/52' },
  27: { refuse: '5/12' },
};

const GROUPS = ['ACCEPTED', 'PENDING', 'UNDELIVERABLE', 'DELIVERED', 'EXPIRED', 'REJECTED'];

/** Group, name and description by the id of a status. */
const STATUSES: Readonly<Record<number, readonly [group: number, name: string, text: string]>> = {
  2: [3, 'DELIVERED_TO_OPERATOR', 'Message delivered to operator'],
  4: [2, 'UNDELIVERABLE_REJECTED_OPERATOR', 'Message rejected by operator'],
  5: [3, 'DELIVERED_TO_HANDSET', 'Message delivered to handset'],
  6: [5, 'REJECTED_NETWORK', 'Network is forbidden'],
  7: [1, 'PENDING_ENROUTE', 'Message sent to next instance'],
  8: [5, 'REJECTED_PREFIX_MISSING', 'Number prefix missing'],
  9: [2, 'UNDELIVERABLE_NOT_DELIVERED', 'Message sent not delivered'],
  10: [5, 'REJECTED_DND', 'Destination on DND list'],
  11: [5, 'REJECTED_SOURCE', 'Invalid source address'],
  12: [5, 'REJECTED_NOT_ENOUGH_CREDITS', 'Not enough credits'],
  13: [5, 'REJECTED_SENDER', 'By sender'],
  14: [5, 'REJECTED_DESTINATION_BLOCKLISTED', 'By destination'],
  15: [4, 'EXPIRED_EXPIRED', 'Message expired'],
  17: [5, 'REJECTED_PREPAID_PACKAGE_EXPIRED', 'Prepaid package expired'],
  18: [5, 'REJECTED_DESTINATION_NOT_REGISTERED', 'Destination not registered'],
  19: [5, 'REJECTED_ROUTE_NOT_AVAILABLE', 'Route not available'],
  20: [5, 'REJECTED_FLOODING_FILTER', 'Rejected flooding'],
  21: [5, 'REJECTED_SYSTEM_ERROR', 'System error'],
  23: [5, 'REJECTED_DUPLICATE_MESSAGE_ID', 'Duplicate message ID'],
  24: [5, 'REJECTED_INVALID_UDH', 'Invalid UDH'],
  25: [5, 'REJECTED_MESSAGE_TOO_LONG', 'Message too long'],
  26: [1, 'PENDING_ACCEPTED', 'Message sent to next instance'],
  29: [4, 'EXPIRED_DLR_UNKNOWN', 'Expired without a delivery report'],
  31: [2, 'UNDELIVERABLE_NOT_SENT', 'Message not sent'],
  51: [5, 'MISSING_TO', 'Missing to'],
  52: [5, 'REJECTED_DESTINATION', 'Invalid destination address'],
  87: [5, 'REJECTED_SIGNALS_BLOCKED', 'Rejected by Infobip Signals'],
  100: [5, 'REJECTED_PLATFORM', 'Rejected by platform'],
};

/** Name and whether it is permanent, by the id of an error. */
const ERRORS: Readonly<Record<number, readonly [name: string, isPermanent: boolean]>> = {
  0: ['NO_ERROR', false],
  1: ['EC_UNKNOWN_SUBSCRIBER', true],
  11: ['EC_TELESERVICE_NOT_PROVISIONED', true],
  13: ['EC_CALL_BARRED', false],
  27: ['EC_ABSENT_SUBSCRIBER_SM', false],
  31: ['EC_SUBSCRIBER_BUSY_FOR_MT_SMS', false],
  34: ['EC_SYSTEM_FAILURE', false],
  255: ['EC_UNKNOWN_ERROR', false],
  607: ['EC_SPAM_CONTENT', true],
};

export interface NativeStatus {
  readonly groupId: number;
  readonly groupName: string;
  readonly id: number;
  readonly name: string;
  readonly description: string;
}

/** Returns a status. An id that Infobip does not have is in the group `given`. */
export function statusOf(id: number, given = 5): NativeStatus {
  const [groupId, name, description] = STATUSES[id] ?? [given, `STATUS_${id}`, `Status ${id}`];
  return { groupId, groupName: GROUPS[groupId] ?? 'REJECTED', id, name, description };
}

/** Returns the status of a refused submit. The last number in the code is its id. */
export function refusalStatus(code: Code = NO_ROUTE_STATUS): NativeStatus {
  const id = Number(/\d+$/.exec(String(code))?.[0] ?? NO_ROUTE_STATUS);
  return statusOf(id);
}

/**
 * Returns status and error of a report. The code is `group/status`, `group/status/error`, or the id
 * of an error alone.
 */
export function reportOutcome({ outcome, code }: Receipt) {
  if (outcome === 'buffered') return outcomeOf(7, 0);
  if (outcome !== 'failed') return outcomeOf(5, 0);
  const numbers = String(code ?? UNKNOWN_ERROR)
    .match(/\d+/g)
    ?.map(Number) ?? [UNKNOWN_ERROR];
  const [first = UNKNOWN_ERROR, second, third = 0] = numbers;
  if (second !== undefined) return outcomeOf(second, third, first);
  return outcomeOf(first === SPAM_ERROR ? OPERATOR_REJECTED_STATUS : NOT_DELIVERED_STATUS, first);
}

function outcomeOf(statusId: number, errorId: number, group?: number) {
  const [name, permanent] = ERRORS[errorId] ?? [`EC_${errorId}`, false];
  const description = name.replace(/^EC_/, '').toLowerCase().replaceAll('_', ' ');
  const groupOfError = errorId === 0 ? [0, 'OK'] : [1, 'HANDSET_ERRORS'];
  const [groupId, groupName] = groupOfError;
  return {
    status: statusOf(statusId, group),
    error: { groupId, groupName, id: errorId, name, description, permanent },
  };
}
