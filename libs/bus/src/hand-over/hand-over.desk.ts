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
  /** Returns how many of the messages a consumer of the process reads. */
  readHere: (messages: readonly WrittenMessage[]) => number;
  /** What the consumers of the process hold, and what services add. */
  inHand: () => number;
  alsoInHand: (count: () => number) => void;
}

interface Ticket {
  /**
   * The messages that a write committed, or `look` when it rang or failed. Undefined while it runs.
   */
  end?: readonly WrittenMessage[] | 'look';
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
  /** Messages for consumers of this process that are handed over once the callers have their answers. */
  private passing = 0;

  constructor(private readonly options: DeskOptions) {}

  inHand(): number {
    return this.passing + this.options.inHand();
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
    for (let end = this.open[0]?.end; end !== undefined; end = this.open[0]?.end) {
      this.open.shift();
      const ended = end;
      const count = ended === 'look' ? 0 : this.options.readHere(ended);
      this.passing += count;
      setImmediate(() => {
        this.passing -= count;
        this.pass(ended);
      });
    }
  }

  private pass(end: readonly WrittenMessage[] | 'look'): void {
    if (end === 'look') this.options.lookAtLog();
    else if (end.length > 0) this.options.deliver(end);
  }
}
