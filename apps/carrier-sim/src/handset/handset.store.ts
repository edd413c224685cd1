import type { Provider } from '../outcomes/outcome.js';
import type { Encoding } from './segments.js';

/** One whole message as a phone shows it, however many segments it had. */
export interface HandsetMessage {
  readonly provider: Provider;
  readonly to: string;
  readonly from: string;
  readonly body: string;
  readonly encoding: Encoding;
  readonly segments: number;
  /** The carrier's own id of the message. */
  readonly reference: string;
  readonly receivedAtMs: number;
}

/** Bounds memory (about 50 MB when full of short texts). */
const MESSAGES_MAX = 100_000;

/**
 * A ring of the last messages, and the same messages by number, because tests ask for one number's
 * messages while others arrive. Per number the oldest comes first, so the message that leaves the
 * ring is always the first of its number's list.
 */
export class HandsetStore {
  private ring: HandsetMessage[] = [];
  private oldest = 0;
  private byNumber = new Map<string, HandsetMessage[]>();

  constructor(private readonly messagesMax = MESSAGES_MAX) {}

  get size(): number {
    return this.ring.length;
  }

  add(message: HandsetMessage): void {
    if (this.ring.length < this.messagesMax) {
      this.ring.push(message);
    } else {
      this.forget(this.ring[this.oldest]!);
      this.ring[this.oldest] = message;
      this.oldest = (this.oldest + 1) % this.messagesMax;
    }
    const sameNumber = this.byNumber.get(message.to);
    if (sameNumber) sameNumber.push(message);
    else this.byNumber.set(message.to, [message]);
  }

  /** Returns the messages, oldest first. */
  find(to: string | undefined, sinceMs: number): HandsetMessage[] {
    const candidates = to === undefined ? this.inOrder() : (this.byNumber.get(to) ?? []);
    return candidates.filter(({ receivedAtMs }) => receivedAtMs >= sinceMs);
  }

  clear(): void {
    this.ring = [];
    this.oldest = 0;
    this.byNumber = new Map();
  }

  private inOrder(): HandsetMessage[] {
    return [...this.ring.slice(this.oldest), ...this.ring.slice(0, this.oldest)];
  }

  private forget({ to }: HandsetMessage): void {
    const sameNumber = this.byNumber.get(to)!;
    sameNumber.shift();
    if (sameNumber.length === 0) this.byNumber.delete(to);
  }
}
