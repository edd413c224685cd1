import { Inject, Injectable } from '@nestjs/common';
import { MicroBatcher } from '@watchword/batching';
import {
  isPhoneKind,
  isUuid,
  lowerId,
  type MessageId,
  type RecentSend,
} from '@watchword/contracts';
import { arrivalOf } from './arrivals.js';
import type { Message } from './message.js';
import { expireIfDue } from './message-change.policy.js';
import { type MessageChangeRequest, MessageChanges } from './message-changes.handler.js';
import { READ_BOUNDS } from './read-bounds.js';
import type { Scope } from './scope.policy.js';

/**
 * Reads that come together are one statement; a read writes only when it finds an expired code. A
 * message outside the caller's scope is not found.
 */
@Injectable()
export class MessageReads {
  private readonly batcher: MicroBatcher<MessageChangeRequest, Message | null>;

  constructor(@Inject(MessageChanges) changes: MessageChanges) {
    this.batcher = new MicroBatcher({
      name: 'dispatch.reads',
      flush: (requests) => changes.apply(requests),
      ...READ_BOUNDS,
    });
  }

  async read(id: MessageId, within: Scope, kind: string): Promise<Message | null> {
    if (!isUuid(id)) return null;
    const message = await this.readAny(lowerId(id), within);
    return message?.content.kind === kind ? message : null;
  }

  readAny(id: MessageId, within: Scope | undefined): Promise<Message | null> {
    return this.batcher.submit({ id, within, change: expireIfDue });
  }

  /** Waits a bounded time for codes and SMS that were just accepted. */
  arrival(sent: readonly RecentSend[], within: Scope): Promise<void> {
    const texts = sent.filter(({ kind }) => isPhoneKind(kind));
    return arrivalOf(texts, async ({ message_id: id }) => {
      return (await this.readAny(lowerId(id), within)) !== null;
    });
  }

  drain(): Promise<void> {
    return this.batcher.drain();
  }
}
