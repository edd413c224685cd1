import type { Topic } from '@watchword/contracts';
import type { OutgoingMessage } from '../bus.port.js';

/** A message as an outbox stores it. */
export interface WrittenMessage extends OutgoingMessage {
  /** Name of its topic. */
  topic: string;
}

/**
 * The result of a write for its caller, and the messages that it committed, in the order in
 * which it wrote them.
 */
export interface Written<Result> {
  result: Result;
  /** Called only where this process has a consumer. */
  messages: () => readonly WrittenMessage[];
}

/**
 * The rows of a `silent` write are handed over, and due in the table only when that has failed. Those
 * of a write that `rings` are due at once.
 */
export type Bell = 'rings' | 'silent';

/**
 * Gives messages that a transaction has just committed to consumers in the same process, without a
 * read. The table remains the source: readers look at it once a second, after a start, and after
 * every write that failed.
 */
export interface HandOver {
  /**
   * Runs a write. The write passes the bell to its statement; see `withBell`. A failure of the
   * write is rethrown.
   */
  around<Result>(write: (bell: Bell) => Promise<Written<Result>>): Promise<Result>;
  /** Whether anyone can read the topic. What nobody can read need not be written. */
  isRead(topic: Topic): boolean;
}

/** Hands nothing over. */
export const NO_HAND_OVER: HandOver = {
  async around(write) {
    return (await write('rings')).result;
  },
  isRead: () => true,
};

/**
 * Returns the first argument of a function in a statement. It sets the bell (`parameter`) for the
 * transaction before the function runs, because PostgreSQL evaluates arguments first. The default of
 * `due_at` in the outbox reads the bell.
 */
export function withBell(parameter: string, argument: string): string {
  return `CASE WHEN set_config('watchword.outbox', ${parameter}, true) IS NOT NULL THEN ${argument} END`;
}
