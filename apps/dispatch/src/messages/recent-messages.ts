import { Injectable } from '@nestjs/common';
import type { MessageId } from '@watchword/contracts';
import type { Message } from './message.js';
import { carrierIdsOf } from './parts.policy.js';

/** The last half minute at 300 messages a second; most messages end by then. */
const KEPT_MAX = 8_192;
/** The oldest go in portions, because a map whose first entries are gone takes long to find its beginning. */
const PORTION = 1 / 8;

/**
 * Open messages, as this process last wrote or read them. Another process may have changed one
 * since. So only a write may be decided on them, because a write names the version it was decided
 * on.
 */
@Injectable()
export class RecentMessages {
  private readonly messages = new Map<MessageId, Message>();
  /** Ids of messages by the carrier's id of an attempt. */
  private readonly ids = new Map<string, MessageId>();

  get(id: MessageId): Message | undefined {
    return this.messages.get(id);
  }

  /** The one that a carrier calls so. */
  ofProvider(provider: string, providerMessageId: string | null): Message | undefined {
    const id = this.ids.get(`${provider} ${providerMessageId}`);
    return id === undefined ? undefined : this.messages.get(id);
  }

  keep(message: Message): void {
    this.forget(message.id);
    if (isDone(message)) return;
    this.messages.set(message.id, message);
    for (const name of namesOf(message)) this.ids.set(name, message.id);
    if (this.messages.size > KEPT_MAX * (1 + PORTION)) this.dropOldest();
  }

  private dropOldest(): void {
    for (const oldest of this.messages.keys()) {
      if (this.messages.size <= KEPT_MAX) return;
      this.forget(oldest);
    }
  }

  /** Called when another process changed the message. */
  forget(id: MessageId): void {
    const known = this.messages.get(id);
    if (!known) return;
    this.messages.delete(id);
    for (const name of namesOf(known)) if (this.ids.get(name) === id) this.ids.delete(name);
  }
}

/** A code that was verified after its delivery hears of nothing but a second guess. */
function isDone({ endedAt, verifiedAt, deliveredAt }: Message): boolean {
  return endedAt !== null || (verifiedAt !== null && deliveredAt !== null);
}

function namesOf({ attempts }: Message): string[] {
  return attempts.flatMap(({ provider, providerMessageId, parts }) =>
    carrierIdsOf(providerMessageId, parts?.ids).map((id) => `${provider} ${id}`),
  );
}
