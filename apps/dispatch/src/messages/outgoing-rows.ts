import type { Written, WrittenMessage } from '@watchword/bus';
import { type MessageId, timeText, type Topic, TOPICS } from '@watchword/contracts';
import { databaseJson } from './database-json.js';
import type { Outgoing } from './message-event.policy.js';

export interface WrittenRow {
  id: MessageId;
}

/** What a statement answers that names ids only where it has not written all: null, nearly always, stands for all. */
export interface WrittenIds {
  written: string[] | null;
}

export function idsOf(
  [row]: readonly WrittenIds[],
  writes: readonly { message: { id: MessageId } }[],
): Set<string> {
  return new Set(row?.written ?? writes.map(({ message }) => message.id));
}

/** An event or command of a message, as text. */
export interface OutgoingRow extends WrittenMessage {
  messageId: MessageId;
}

const WRITTEN_TOPICS = [TOPICS.messageEvents, TOPICS.refundCommands];

/** Returns the topics of the rows. Only their readers look for what was written. */
export function topicsOf(rows: readonly OutgoingRow[]): Topic[] {
  return WRITTEN_TOPICS.filter(({ name }) => rows.some(({ topic }) => topic === name));
}

/** Renders each payload once, for the queue and for the consumers of this process. */
export function outgoingOf(
  writes: readonly { message: { id: MessageId }; outgoing: readonly Outgoing[] }[],
): OutgoingRow[] {
  return writes.flatMap(({ message, outgoing }) =>
    outgoing.map(({ payload: value, time, ...row }) => {
      const payload = databaseJson(value);
      // A text with an escape may have lost characters that PostgreSQL cannot store.
      const mayDiffer = payload.includes('\\u');
      return {
        messageId: message.id,
        ...row,
        time: timeText(time),
        payload,
        value: mayDiffer ? undefined : value,
      };
    }),
  );
}

/**
 * Returns two parameters of a statement: the rows as JSON, and their payloads, one a line, in the
 * order of the log. JSON has no line breaks, so PostgreSQL need not parse the payloads.
 */
export function outgoingColumns(
  outgoing: readonly OutgoingRow[],
): [rows: string | null, payloads: string | null] {
  if (outgoing.length === 0) return [null, null];
  const rows = outgoing.map((row) => ({ ...row, payload: undefined, value: undefined }));
  return [databaseJson(rows), outgoing.map(({ payload }) => payload).join('\n')];
}

/** Returns the ids that a statement has written, and the queue rows that it wrote with them. */
export function ofWritten(
  ids: Set<string>,
  outgoing: readonly OutgoingRow[],
): Written<Set<string>> {
  return { result: ids, messages: () => outgoing.filter(({ messageId }) => ids.has(messageId)) };
}
