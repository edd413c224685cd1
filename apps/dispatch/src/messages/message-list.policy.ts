import {
  type Family,
  MESSAGE_STATES,
  type MessageRecord,
  type MessageState,
  MomentCursor,
  type MomentPosition,
  type PhoneKind,
  publicStatus,
} from '@watchword/contracts';
import { visibleState } from './message-change.policy.js';
import { messageRecord } from './message-record.policy.js';
import type { Message } from './message.js';

/** Kind of the listed messages. Undefined for all. */
type ListedKind = PhoneKind | undefined;

const cursorOf = (kind: ListedKind) => new MomentCursor(kind ?? 'message');

export function cursorAfter(kind: ListedKind, position: MomentPosition): string {
  return cursorOf(kind).after(position);
}

/** Undefined when the cursor belongs to another list. */
export function positionOf(kind: ListedKind, cursor: string): MomentPosition | undefined {
  return cursorOf(kind).read(cursor);
}

const FAMILIES: readonly Family[] = ['a', 'b'];

/** Returns whether a filter means the state: by the word that the record shows. */
function matchesStatus(status: string, state: MessageState, family: Family): boolean {
  return publicStatus(state, family) === status;
}

/** Returns all states that a filter means, as `family:state`. */
export function statesMatching(status: string): string[] {
  return FAMILIES.flatMap((family) =>
    MESSAGE_STATES.filter((state) => matchesStatus(status, state, family)).map(
      (state) => `${family}:${state}`,
    ),
  );
}

/** Returns the records that fit a filter when they are read: a status can change after the walk that found the ids. */
export function recordsWithStatus(
  messages: readonly (Message | null)[],
  status: string | undefined,
): MessageRecord[] {
  return messages
    .filter((message) => message !== null)
    .filter(
      (message) =>
        status === undefined || matchesStatus(status, visibleState(message), message.family),
    )
    .map(messageRecord);
}
