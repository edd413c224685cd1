import type { Topic } from '@watchword/contracts';
import type { OutgoingMessage } from '../bus.port.js';

/** A message as the queue table stores it. */
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
  /** Called only where this process delivers them. */
  messages: () => readonly WrittenMessage[];
}

/**
 * When readers may claim the rows of a write: at once, or later, because this process delivers them
 * to its own consumers first.
 */
export type Due = 'now' | 'later';

/**
 * Delivers messages that a transaction has just committed to consumers in the same process, without
 * a read of the table. It only saves that read: rows of every other write are due at once, and the
 * table notifies its readers of them.
 */
export interface InProcessQueue {
  /**
   * Runs a write of messages of these topics. The write passes `due` to its statement; see
   * `withDue`. A failure of the write is rethrown.
   */
  write<Result>(
    topics: readonly Topic[],
    write: (due: Due) => Promise<Written<Result>>,
  ): Promise<Result>;
  /** Whether the topic has a reader. Messages without one need not be written. */
  isRead(topic: Topic): boolean;
}

/** Leaves every message to the table. */
export const NO_IN_PROCESS_QUEUE: InProcessQueue = {
  async write(_, write) {
    return (await write('now')).result;
  },
  isRead: () => true,
};

/**
 * Returns the first argument of a function in a statement. It sets `due` (`parameter`) for the
 * transaction before the function runs, because PostgreSQL evaluates arguments first. The default of
 * `due_at` in the queue reads it.
 */
export function withDue(parameter: string, argument: string): string {
  return `CASE WHEN set_config('watchword.due', ${parameter}, true) IS NOT NULL THEN ${argument} END`;
}

export interface CommitQueueOptions {
  /** Whether every reader of the topics is in this process and has nothing to read in the table. */
  canDeliver: (topics: readonly Topic[]) => boolean;
  deliver: (messages: readonly WrittenMessage[]) => void;
  /** Makes readers poll the table for what was not delivered here. */
  poll: (topics: readonly Topic[]) => void;
  /** Makes them poll also for rows that are due later and that this process lost. */
  pollForLost: (topics: readonly Topic[]) => void;
  isRead: (topic: Topic) => boolean;
}

interface PendingWrite {
  /** Delivers what the write committed. Undefined while it runs. */
  pass?: () => void;
}

/**
 * The writes of one service. Committed messages are delivered in the order in which their writes
 * began. A write that depends on another committed one began after it, although its answer may come
 * first.
 *
 * A write with rows that are due now, or with an unknown outcome, has its place in that order, too:
 * consumers poll the table before they take later messages.
 */
export class CommitQueue implements InProcessQueue {
  private readonly pending: PendingWrite[] = [];

  constructor(private readonly options: CommitQueueOptions) {}

  isRead(topic: Topic): boolean {
    return this.options.isRead(topic);
  }

  async write<Result>(
    topics: readonly Topic[],
    write: (due: Due) => Promise<Written<Result>>,
  ): Promise<Result> {
    const { canDeliver, deliver, poll, pollForLost } = this.options;
    const pending: PendingWrite = {};
    this.pending.push(pending);
    const isDelivered = canDeliver(topics);
    try {
      const { result, messages } = await write(isDelivered ? 'later' : 'now');
      pending.pass = isDelivered ? () => deliver(messages()) : () => poll(topics);
      return result;
    } catch (error) {
      pending.pass = () => pollForLost(topics);
      throw error;
    } finally {
      this.release();
    }
  }

  /** Passes on all writes up to the first that still runs. The caller's answer leaves first. */
  private release(): void {
    while (this.pending[0]?.pass !== undefined) setImmediate(this.pending.shift()!.pass!);
  }
}
