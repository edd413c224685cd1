import type { OutgoingMessage } from '../bus.port.js';
import type { ReadMessage } from '../consumer/read-message.js';

export interface HandedMessage {
  readonly message: OutgoingMessage;
  /** Set by the first consumer, so that others need not parse. All consumers read one topic. */
  parsed?: ReadMessage;
}

/** Most messages that wait. More of them stay in the log. */
const WAITING_MAX = 1_000;
/**
 * Most messages handled and not yet found in the log. An open transaction can hold the log back for
 * long.
 */
const HANDLED_MAX = 20_000;
/** Most remembered ids of messages handled from the log. Late hand-overs are among these. */
const READ_MAX = 4_096;

/** Messages handed over to one consumer, and its memory of them. Every part is bounded. */
export class DirectLane {
  private waiting: HandedMessage[] = [];
  /** Ids of messages that wait or are being handled. */
  private readonly coming = new Set<string>();
  private readonly handled = new Set<string>();
  private readonly readFromLog = new Set<string>();

  get hasWork(): boolean {
    return this.waiting.length > 0;
  }

  /** Messages that wait or are being handled. */
  get inHand(): number {
    return this.coming.size;
  }

  /** Whether a message that was handed over has not been found in the log yet. */
  get isUnswept(): boolean {
    return this.coming.size > 0 || this.handled.size > 0;
  }

  /** Adds messages. Returns false, and adds none, when there is no room for all of them. */
  offer(messages: readonly HandedMessage[]): boolean {
    if (this.waiting.length + messages.length > WAITING_MAX) return false;
    if (this.handled.size > HANDLED_MAX) return false;
    for (const handed of messages) {
      const { id } = handed.message;
      if (this.readFromLog.has(id)) continue;
      this.waiting.push(handed);
      this.coming.add(id);
    }
    return true;
  }

  take(limit: number): HandedMessage[] {
    return this.waiting.splice(0, limit);
  }

  /** Records whether a batch was handled. A batch that was not is left to the log. */
  settle(batch: readonly HandedMessage[], isHandled: boolean): void {
    for (const { message } of batch) {
      this.coming.delete(message.id);
      if (isHandled) this.handled.add(message.id);
    }
  }

  /** Drops the waiting messages, because the log is read now and holds them. */
  drop(): void {
    if (this.waiting.length > 0) this.settle(this.take(this.waiting.length), false);
  }

  /** Returns whether a row of the log was handled when it was handed over. Call it once per row. */
  pass(id: string): boolean {
    return this.handled.delete(id);
  }

  /** Returns whether a row of the log is about to be handled as it was handed over. */
  isComing(id: string): boolean {
    return this.coming.has(id);
  }

  /** Keeps the ids of messages that were handled from the log. */
  noteRead(ids: readonly string[]): void {
    for (const id of ids) this.readFromLog.add(id);
    for (const id of this.readFromLog) {
      if (this.readFromLog.size <= READ_MAX) break;
      this.readFromLog.delete(id);
    }
  }
}
