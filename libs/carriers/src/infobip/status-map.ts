import type { Reason } from '@watchword/contracts';
import type { CarrierReport } from '../provider.port.js';

/** Groups of Infobip's statuses. */
const GROUP = { accepted: 0, pending: 1, undeliverable: 2, delivered: 3, expired: 4, rejected: 5 };

/** The network has the message. Its handset does not have it yet. */
const DELIVERED_TO_OPERATOR = 2;
/** Infobip does not know whether the message was delivered. */
const RECEIPT_UNKNOWN = 29;
/** The message was accepted before, so this answer is an acceptance. */
const DUPLICATE_MESSAGE_ID = 23;

/** Ids of the statuses of the group `REJECTED`, with our reasons. */
const REJECTIONS = new Map<number, Reason>([
  [6, 'no_route'],
  [8, 'invalid_number'],
  [10, 'dnd_active'],
  [11, 'sender_id_rejected'],
  [12, 'provider_rejected'],
  [13, 'sender_id_rejected'],
  [14, 'opted_out'],
  [17, 'provider_rejected'],
  [18, 'provider_rejected'],
  [19, 'no_route'],
  [20, 'throttled'],
  [21, 'provider_unavailable'],
  [24, 'message_invalid'],
  [25, 'message_invalid'],
  [51, 'invalid_number'],
  [52, 'invalid_number'],
  [87, 'fraud_blocked'],
  [100, 'carrier_rejected'],
]);

/** Ids of errors, with our reasons. 5492 is a duplicate that the network dropped. */
const ERRORS = new Map<number, Reason>([
  [1, 'unknown_subscriber'],
  [5, 'unknown_subscriber'],
  [6, 'absent_subscriber'],
  [8, 'absent_subscriber'],
  [9, 'unknown_subscriber'],
  [11, 'subscriber_barred'],
  [12, 'handset_error'],
  [13, 'subscriber_barred'],
  [27, 'absent_subscriber'],
  [31, 'handset_error'],
  [32, 'handset_error'],
  [33, 'handset_error'],
  [34, 'network_error'],
  [255, 'unknown_error'],
  [256, 'handset_error'],
  [260, 'network_error'],
  [345, 'no_route'],
  [351, 'invalid_number'],
  [352, 'invalid_number'],
  [355, 'message_invalid'],
  [368, 'sender_id_rejected'],
  [375, 'sender_id_rejected'],
  [502, 'absent_subscriber'],
  [541, 'throttled'],
  [542, 'throttled'],
  [561, 'content_rejected'],
  [566, 'content_rejected'],
  [568, 'content_rejected'],
  [569, 'content_rejected'],
  [581, 'subscriber_barred'],
  [603, 'opted_out'],
  [607, 'content_rejected'],
  [608, 'fraud_blocked'],
  [629, 'subscriber_barred'],
  [2048, 'network_error'],
  [2049, 'unknown_subscriber'],
  [2050, 'dnd_active'],
  [2051, 'content_rejected'],
  [3041, 'unknown_subscriber'],
  [4098, 'expired'],
  [4101, 'expired'],
  [4103, 'throttled'],
  [4104, 'throttled'],
  [5492, 'carrier_rejected'],
]);

/** Group and id of a status. */
export interface InfobipStatus {
  group: number;
  id: number;
}

/** Returns the state. A group that Infobip adds later is not final. */
export function infobipState(status: InfobipStatus): CarrierReport['state'] {
  const { group, id } = status;
  if (group === GROUP.delivered) return id === DELIVERED_TO_OPERATOR ? 'enroute' : 'delivered';
  if (group === GROUP.expired) return id === RECEIPT_UNKNOWN ? 'enroute' : 'failed';
  return group === GROUP.undeliverable || isRejected(status) ? 'failed' : 'enroute';
}

/** Returns whether Infobip took nothing. It takes a message with a duplicate id only once. */
export function isRejected({ group, id }: InfobipStatus): boolean {
  return group === GROUP.rejected && id !== DUPLICATE_MESSAGE_ID;
}

/** Returns whether the group is one that exists today. Another one says nothing about a submit. */
export function isKnownGroup(group: number): boolean {
  return Object.values(GROUP).includes(group);
}

/** Returns the code of a status that is no failure. Only a group that exists tells its state. */
export function infobipCode({ group, id }: InfobipStatus): string {
  return isKnownGroup(group) ? `status ${id}` : `group ${group} status ${id}`;
}

export function knowsInfobipState(code: string): boolean {
  return !code.startsWith('group ');
}

/** Returns the reason of a failure and the code that gave it. `errorId` is 0 without an error. */
export function infobipFailure(
  { group, id }: InfobipStatus,
  errorId: number,
): { reason: Reason; rawCode: string } {
  const rawCode = `status ${id}`;
  if (group === GROUP.rejected) return { reason: REJECTIONS.get(id) ?? 'unknown_error', rawCode };
  if (group === GROUP.expired) return { reason: 'expired', rawCode };
  if (errorId === 0) return { reason: 'carrier_rejected', rawCode };
  return { reason: ERRORS.get(errorId) ?? 'unknown_error', rawCode: `error ${errorId}` };
}
