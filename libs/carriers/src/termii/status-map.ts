import type { Reason } from '@watchword/contracts';
import type { CarrierReport } from '../provider.port.js';

interface RefusalText {
  /** Termii's words. Termii has no codes, so they are the raw code. */
  readonly text: string;
  /** Part of the answer's text, in small letters. */
  readonly part: string;
  /** Only with this HTTP status, where the part alone says too little. */
  readonly status?: number;
  readonly reason: Reason;
}

/** Texts of refused submits, with our reasons. The first that fits decides. */
const REFUSALS: readonly RefusalText[] = [
  refusal('DND Active on Phone Number', 'dnd active', 'dnd_active'),
  refusal('Invalid Sender Id', 'invalid sender id', 'sender_id_rejected'),
  refusal('You are not set up on this route', 'not set up on this route', 'sender_id_rejected'),
  refusal('Your device has reached the daily limit', 'daily limit', 'throttled'),
  refusal('Device not found', 'device not found', 'provider_rejected'),
  refusal('Your account is not active', 'not active', 'provider_rejected'),
  refusal('Insufficient balance', 'insufficient balance', 'provider_rejected'),
  refusal('Unauthorized', 'unauthorized', 'provider_rejected'),
  { ...refusal('Invalid phone number', 'phone', 'invalid_number'), status: 422 },
];

function refusal(text: string, part: string, reason: Reason): RefusalText {
  return { text, part, reason };
}

interface ReportedStatus {
  readonly state: CarrierReport['state'];
  readonly reason: Reason | null;
}

const ENROUTE: ReportedStatus = { state: 'enroute', reason: null };
const failed = (reason: Reason): ReportedStatus => ({ state: 'failed', reason });

/**
 * Beginnings of a report's status, in small letters. `Message Sent` is the first status of every
 * message. `Received` belongs to inbound messages. The words after it are not documented; other
 * carriers use them for progress, so they do not end a message.
 */
const STATUSES: ReadonlyArray<readonly [beginning: string, status: ReportedStatus]> = [
  ['delivered', { state: 'delivered', reason: null }],
  ['message sent', ENROUTE],
  ['sent', ENROUTE],
  ['dnd active', failed('dnd_active')],
  ['message failed', failed('carrier_rejected')],
  ['failed', failed('carrier_rejected')],
  ['rejected', failed('carrier_rejected')],
  ['expired', failed('expired')],
  ['received', ENROUTE],
  ['pending', ENROUTE],
  ['queued', ENROUTE],
  ['submitted', ENROUTE],
  ['processing', ENROUTE],
  ['accepted', ENROUTE],
  ['in progress', ENROUTE],
];

/** Returns Termii's words and our reason. Null for a text that is not in the table. */
export function termiiRefusal(
  status: number,
  message: unknown,
): { text: string; reason: Reason } | null {
  if (typeof message !== 'string') return null;
  const small = message.toLowerCase();
  const found = REFUSALS.find(
    (one) => small.includes(one.part) && (one.status ?? status) === status,
  );
  return found ?? null;
}

/** Returns the meaning of a report's status. An unknown status is a failure without a reason. */
export function termiiStatus(status: string): ReportedStatus {
  const small = status.trim().toLowerCase();
  const [, found] = STATUSES.find(([beginning]) => small.startsWith(beginning)) ?? [];
  return found ?? failed('unknown_error');
}
