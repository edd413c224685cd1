import type { Topic } from '@watchword/contracts';
import type { Bell, HandOver, WrittenMessage, Written } from './hand-over.port.js';

export interface DeskOptions {
  /**
   * Whether every consumer of the service's topics is in this process, so that no notification is
   * needed.
   */
  isSilent: () => boolean;
  deliver: (messages: readonly WrittenMessage[]) => void;
  /** Asks consumers to read the log, which may hold messages that were not handed over. */
  lookAtLog: () => void;
  /** Counts committed messages that wait for their turn here, for consumers of this process. Returns how to end that. */
  passing: (messages: readonly WrittenMessage[]) => () => void;
  inHand: () => number;
  alsoInHand: (count: () => number) => void;
}

interface Ticket {
  /**
   * The messages that a write committed, or `look` when it rang or failed. Undefined while it runs.
   */
  end?: readonly WrittenMessage[] | 'look';
  /** Ends the counting of its messages. */
  passed?: () => void;
}

/**
 * The writes of one service. Committed messages are handed over in the order in which their writes
 * began. A write that depends on another committed one began after it, although its answer may come
 * first.
 *
 * A write that rang the bell, or whose outcome is unknown, keeps its place in that order: consumers
 * read the log before they take later messages.
 */
export class HandOverDesk implements HandOver {
  private readonly open: Ticket[] = [];

  constructor(private readonly options: DeskOptions) {}

  inHand(): number {
    return this.options.inHand();
  }

  alsoInHand(count: () => number): void {
    this.options.alsoInHand(count);
  }

  /** Other programs than ours do not read the logs in PostgreSQL. */
  isRead({ readers }: Topic): boolean {
    return readers.length > 0;
  }

  async around<Result>(write: (bell: Bell) => Promise<Written<Result>>): Promise<Result> {
    const ticket: Ticket = {};
    this.open.push(ticket);
    const isSilent = this.options.isSilent();
    try {
      const { result, messages } = await write(isSilent ? 'silent' : 'rings');
      ticket.end = isSilent ? messages() : 'look';
      if (ticket.end !== 'look') ticket.passed = this.options.passing(ticket.end);
      return result;
    } catch (error) {
      ticket.end = 'look';
      throw error;
    } finally {
      this.release();
    }
  }

  /** Hands over what waits for the write. The caller's answer leaves first. */
  private release(): void {
    while (this.open[0]?.end !== undefined) {
      const ticket = this.open.shift()!;
      setImmediate(() => this.pass(ticket));
    }
  }

  private pass({ end, passed }: Ticket): void {
    passed?.();
    if (end === 'look') this.options.lookAtLog();
    else if (end !== undefined && end.length > 0) this.options.deliver(end);
  }
}
