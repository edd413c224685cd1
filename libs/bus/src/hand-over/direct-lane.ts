import type { OutgoingMessage } from '../bus.port.js';

export interface HandedMessage {
  readonly message: OutgoingMessage;
  /** Called for a message that is in no log, with whether it was handled. */
  readonly settle?: (isHandled: boolean) => void;
}

/** More stay in the log until they can be handled. */
const WAITING_MAX = 1_000;
/** Handled and not yet found in the log; a transaction that stays open can hold the log back for long. */
const HANDLED_MAX = 20_000;
/** Handled from the log; what is handed over late is among the last of these. */
const READ_MAX = 4_096;

/** What was handed over to one consumer, and what it remembers of that. Bounded in all its parts. */
export class DirectLane {
  private waiting: HandedMessage[] = [];
  /** Ids of what waits or is in hand, and has a row in the log. */
  private readonly coming = new Set<string>();
  private readonly handled = new Set<string>();
  private readonly read = new Set<string>();

  get hasWork(): boolean {
    return this.waiting.length > 0;
  }

  /** Something that has a row in the log was not found there yet. */
  get isUnswept(): boolean {
    return this.coming.size > 0 || this.handled.size > 0;
  }

  /** False when there is no room for all of them. */
  offer(messages: readonly HandedMessage[]): boolean {
    if (this.waiting.length + messages.length > WAITING_MAX) return false;
    if (this.handled.size > HANDLED_MAX) return false;
    for (const handed of messages) {
      const { id } = handed.message;
      if (!handed.settle && this.read.has(id)) continue;
      this.waiting.push(handed);
      if (!handed.settle) this.coming.add(id);
    }
    return true;
  }

  take(limit: number): HandedMessage[] {
    return this.waiting.splice(0, limit);
  }

  /** What was taken is handled, or not: then it is to be found in the log. */
  settle(batch: readonly HandedMessage[], isHandled: boolean): void {
    for (const { message, settle } of batch) {
      if (settle) {
        settle(isHandled);
        continue;
      }
      this.coming.delete(message.id);
      if (isHandled) this.handled.add(message.id);
    }
  }

  /** The log is to be read: it has what waits here. */
  drop(): void {
    if (this.waiting.length > 0) this.settle(this.take(this.waiting.length), false);
  }

  /** Found in the log: whether it was handled when it was handed over. To be asked once for each row. */
  pass(id: string): boolean {
    return this.handled.delete(id);
  }

  /** Found in the log: whether it will be handled as it was handed over. */
  isComing(id: string): boolean {
    return this.coming.has(id);
  }

  /** These were handled from the log. */
  noteRead(ids: readonly string[]): void {
    for (const id of ids) this.read.add(id);
    for (const id of this.read) {
      if (this.read.size <= READ_MAX) break;
      this.read.delete(id);
    }
  }
}
