import { channelOf } from '../channels/channels.js';
import type { Message } from './message.js';

/** At three hundred OTPs a second, those of the last half minute: most codes are typed in by then. */
const KEPT_MAX = 8_192;

/**
 * OTPs that are still open, as this process last wrote or read them. Another process may have changed one
 * since, so only a write may be decided on them, because a write names the version that it was decided on.
 */
export class RecentMessages {
  private readonly messages = new Map<string, Message>();

  constructor(private readonly keptMax = KEPT_MAX) {}

  get(id: string): Message | undefined {
    return this.messages.get(id);
  }

  keep(message: Message): void {
    if (!channelOf(message.content).isReadAgain) return;
    this.messages.delete(message.id);
    if (message.endedAt !== null) return;
    this.messages.set(message.id, message);
    if (this.messages.size <= this.keptMax) return;
    const [oldest] = this.messages.keys();
    if (oldest !== undefined) this.messages.delete(oldest);
  }

  /** Somebody else changed it. */
  forget(id: string): void {
    this.messages.delete(id);
  }
}
