import type { Written, WrittenMessage } from '@watchword/bus';
import { databaseJson } from './database-json.js';
import type { Outgoing } from './message-event.policy.js';

/** Id of a message that a statement has written. */
export interface WrittenRow {
  id: string;
}

/** An event or command of a message, as text. */
export interface OutgoingRow extends WrittenMessage {
  messageId: string;
}

/** Renders each payload once, for the outbox and for the consumers of this process. */
export function outgoingOf(
  writes: readonly { message: { id: string }; outgoing: readonly Outgoing[] }[],
): OutgoingRow[] {
  return writes.flatMap(({ message, outgoing }) =>
    outgoing.map(({ payload, time, ...row }) => ({
      messageId: message.id,
      ...row,
      time: time.toISOString(),
      payload: databaseJson(payload),
    })),
  );
}

/** Numbered, because the log keeps the order in which rows are inserted. */
export function outgoingJson(outgoing: readonly OutgoingRow[]): string {
  const rows = outgoing.map(({ payload, ...row }, index) => {
    const head = databaseJson({ ordinal: index + 1, ...row }).slice(0, -1);
    return `${head},"payload":${payload}}`;
  });
  return `[${rows.join(',')}]`;
}

/** The ids that a statement has written, and what went into the outbox with them. */
export function ofWritten(
  rows: readonly WrittenRow[],
  outgoing: readonly OutgoingRow[],
): Written<Set<string>> {
  const result = new Set(rows.map(({ id }) => id));
  return { result, messages: () => outgoing.filter(({ messageId }) => result.has(messageId)) };
}
