import type { Topic } from '@watchword/contracts';
import type { Bell, HandOver, WrittenMessage, Written } from './hand-over.port.js';

export interface DeskOptions {
  /**
   * Whether every reader of the service's topics is in this process and has nothing to read in the
   * table.
   */
  isSilent: () => boolean;
  deliver: (messages: readonly WrittenMessage[]) => void;
  /** Asks readers to look at the table, which may hold messages that were not handed over. */
  lookAtTable: () => void;
  /** Asks them to look also for rows that are not due yet: nobody hands those over. */
  lookForLost: () => void;
  isRead: (topic: Topic) => boolean;
}

interface Ticket {
  /**
   * The messages that a write committed, `look` when it rang, `lost` when it failed. Undefined while
   * it runs.
   */
  end?: readonly WrittenMessage[] | 'look' | 'lost';
}

/**
 * The writes of one service. Committed messages are handed over in the order in which their writes
 * began. A write that depends on another committed one began after it, although its answer may come
 * first.
 *
 * A write that rang the bell, or whose outcome is unknown, keeps its place in that order: consumers
 * look at the table before they take later messages.
 */
export class HandOverDesk implements HandOver {
  private readonly open: Ticket[] = [];

  constructor(private readonly options: DeskOptions) {}

  isRead(topic: Topic): boolean {
    return this.options.isRead(topic);
  }

  async around<Result>(write: (bell: Bell) => Promise<Written<Result>>): Promise<Result> {
    const ticket: Ticket = {};
    this.open.push(ticket);
    const isSilent = this.options.isSilent();
    try {
      const { result, messages } = await write(isSilent ? 'silent' : 'rings');
      ticket.end = isSilent ? messages() : 'look';
      return result;
    } catch (error) {
      ticket.end = 'lost';
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

  private pass({ end }: Ticket): void {
    if (end === 'look') this.options.lookAtTable();
    else if (end === 'lost') this.options.lookForLost();
    else if (end !== undefined && end.length > 0) this.options.deliver(end);
  }
}
