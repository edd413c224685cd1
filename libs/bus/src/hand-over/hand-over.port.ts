import type { OutgoingMessage } from '../bus.port.js';

/** A message as it stands in an outbox. */
export interface WrittenMessage extends OutgoingMessage {
  /** Name of its topic. */
  topic: string;
}

/** What a write answers to its caller, and what it has committed to the outbox, in the order of the log. */
export interface Written<Result> {
  result: Result;
  /** Asked for only where there is a consumer in this process. */
  messages: () => readonly WrittenMessage[];
}

/** A write that is silent hands its rows over itself; any other write rings the readers of the log. */
export type Bell = 'rings' | 'silent';

/**
 * What a transaction has just committed to an outbox is given to the consumers of the same process, without
 * a notification and without a reading. The log stays the truth: consumers look at it once a second, after a start,
 * and whenever a write did not end well.
 */
export interface HandOver {
  /** The write gets the bell for its statement; see `withBell`. Its own failure is passed on. */
  around<Result>(write: (bell: Bell) => Promise<Written<Result>>): Promise<Result>;
}

/** For a bus that has no consumers of the same process, such as Kafka: every write rings. */
export const NO_HAND_OVER: HandOver = {
  async around(write) {
    return (await write('rings')).result;
  },
};

/**
 * The first argument of a function in a statement. The bell (`parameter`) is set for the transaction before the
 * function runs, because PostgreSQL evaluates arguments first; the trigger of the outbox looks at it.
 */
export function withBell(parameter: string, argument: string): string {
  return `CASE WHEN set_config('watchword.outbox', ${parameter}, true) IS NOT NULL THEN ${argument} END`;
}
