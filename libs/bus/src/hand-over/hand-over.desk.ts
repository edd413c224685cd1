import type { Bell, HandOver, WrittenMessage, Written } from './hand-over.port.js';

export interface DeskOptions {
  /** Whether all consumers of the service's topics are in this process, and no bell has to ring. */
  isSilent: () => boolean;
  deliver: (messages: readonly WrittenMessage[]) => void;
  /** Something may be in the log that is not handed over. */
  lookAtLog: () => void;
}

interface Ticket {
  /** Undefined while the write is under way. */
  end?: readonly WrittenMessage[] | 'look';
}

/**
 * The writes of one service. What they have committed is handed over in the order in which they began: a write that
 * was decided on what another one had committed began after it, although its answer may come first.
 *
 * A write that was not silent, or whose outcome is unknown, has its place in that order too: consumers look at
 * the log before they take what came after it.
 */
export class HandOverDesk implements HandOver {
  private readonly open: Ticket[] = [];

  constructor(private readonly options: DeskOptions) {}

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

  /** After what waits for the write's answer: a caller's answer leaves before its consequences begin. */
  private release(): void {
    for (let end = this.open[0]?.end; end !== undefined; end = this.open[0]?.end) {
      this.open.shift();
      const ended = end;
      setImmediate(() => this.pass(ended));
    }
  }

  private pass(end: readonly WrittenMessage[] | 'look'): void {
    if (end === 'look') this.options.lookAtLog();
    else if (end.length > 0) this.options.deliver(end);
  }
}
