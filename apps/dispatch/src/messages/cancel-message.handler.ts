import { Inject, Injectable } from '@nestjs/common';
import { CLOCK } from '@watchword/platform';
import {
  type CancelResult,
  type Clock,
  isUuid,
  type MessageId,
  type PhoneKind,
} from '@watchword/contracts';
import { crashPoint } from '@watchword/observability';
import { cancelOnce, type ClaimedCancellation } from './cancel-once.js';
import type { Message } from './message.js';
import { cancel, expireIfDue, isPossible } from './message-change.policy.js';
import { MessageChanges } from './message-changes.handler.js';
import { messageRecord } from './message-record.policy.js';
import type { KeyRow } from './message-write.js';
import type { Scope } from './scope.policy.js';
import { IdempotencyKeyStore } from './idempotency-key.store.js';

export interface Cancellation extends Scope, ClaimedCancellation {
  readonly messageId: MessageId;
  readonly kind: PhoneKind;
}

/**
 * Cancels a message, where its kind's transition table allows it. Afterwards it goes to no further
 * provider, and its code no longer verifies. The refund is known at once, or follows from a refund
 * or a provider's outstanding answer; the caller reads the message until it is settled.
 */
@Injectable()
export class CancelMessageHandler {
  constructor(
    @Inject(MessageChanges) private readonly changes: MessageChanges,
    private readonly keys: IdempotencyKeyStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  cancel(request: Cancellation): Promise<CancelResult> {
    const known = { keys: this.keys, clock: this.clock };
    return cancelOnce<CancelResult>(request, known, {
      first: (keys) => this.change(request, keys),
      again: async () => {
        const message = await this.apply(request, (same) => same);
        return message === null ? null : cancelled(asWhenCancelled(message), true);
      },
    });
  }

  /** Cancels messages for the platform itself, where that is still possible. Returns how many. */
  async cancelMany(ids: readonly MessageId[]): Promise<number> {
    if (ids.length === 0) return 0;
    const change = (message: Message, at: Date) =>
      isPossible(message, 'cancellation_asked') ? cancel(message, at) : message;
    crashPoint('dispatch.cancel-many.before-change');
    const messages = await this.changes.apply(ids.map((id) => ({ id, change })));
    crashPoint('dispatch.cancel-many.after-change');
    return messages.filter((message) => message?.state === 'cancelled').length;
  }

  private async change(request: Cancellation, keys: readonly KeyRow[]): Promise<CancelResult> {
    let refusal: 'not_found' | 'conflict' | null = 'not_found';
    const change = (message: Message, at: Date): Message => {
      refusal = refusalOf(request, message, at);
      return refusal === null ? cancel(message, at) : message;
    };
    const message = await this.apply(request, change, keys);
    if (refusal !== null || message === null) return { outcome: refusal ?? 'not_found' };
    return cancelled(message, false);
  }

  private async apply(
    { messageId, workspaceId, testMode }: Cancellation,
    change: (message: Message, at: Date) => Message,
    keys: readonly KeyRow[] = [],
  ): Promise<Message | null> {
    if (!isUuid(messageId)) return null;
    crashPoint('dispatch.cancel.before-change');
    const within = { workspaceId, testMode };
    const [message] = await this.changes.apply([{ id: messageId, change, keys, within }]);
    crashPoint('dispatch.cancel.after-change');
    return message ?? null;
  }
}

function refusalOf(
  { kind }: Cancellation,
  message: Message,
  at: Date,
): 'not_found' | 'conflict' | null {
  if (message.content.kind !== kind) return 'not_found';
  return isPossible(expireIfDue(message, at), 'cancellation_asked') ? null : 'conflict';
}

/** A replay repeats the first answer: a delivery noted on an attempt came after the cancellation. */
function asWhenCancelled(message: Message): Message {
  const attempts = message.attempts.map((attempt) => ({ ...attempt, lateDelivery: false }));
  return { ...message, attempts };
}

function cancelled(message: Message, replayed: boolean): CancelResult {
  const settled = message.settledAt !== null;
  return { outcome: 'cancelled', message: messageRecord(message), settled, replayed };
}
