import { Inject, Injectable } from '@nestjs/common';
import { CLOCK } from '@watchword/platform';
import { type CancelResult, type Clock, type IdempotencyClaim, isUuid } from '@watchword/contracts';
import { crashPoint } from '@watchword/observability';
import { sqlState } from '@watchword/postgres';
import { isOfKind } from '../channels/channels.js';
import type { TextKind } from '../channels/text-channel.js';
import type { Message } from './message.js';
import { cancel, expireIfDue, isPossible } from './message-change.policy.js';
import type { MessageChanges } from './message-changes.handler.js';
import { messageRecord } from './message-record.policy.js';
import type { KeyRow } from './message.store.js';
import type { Walls } from './walls.policy.js';
import { IdempotencyKeyStore } from './idempotency-key.store.js';
import { ANSWERING_CHANGES } from './answering.js';

export interface Cancellation extends Walls {
  readonly messageId: string;
  readonly kind: TextKind;
  readonly idempotency: IdempotencyClaim | null;
}

const UNIQUE_VIOLATION = '23505';

/**
 * Cancels a message, where the transition table of its kind allows that: once this is written it is given
 * to no further provider, and a code verifies no more. What it costs is known at once, or follows from a
 * refund or from an answer that a provider still owes; the caller reads the message until it is settled.
 */
@Injectable()
export class CancelMessageHandler {
  constructor(
    @Inject(ANSWERING_CHANGES) private readonly changes: MessageChanges,
    private readonly keys: IdempotencyKeyStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async cancel(request: Cancellation): Promise<CancelResult> {
    const replay = await this.replayOf(request);
    if (replay !== null) return replay;
    try {
      return await this.change(request);
    } catch (error) {
      // The same key did the same at the same moment, in another process.
      const raced = sqlState(error) === UNIQUE_VIOLATION ? await this.replayOf(request) : null;
      if (raced === null) throw error;
      return raced;
    }
  }

  private async change(request: Cancellation): Promise<CancelResult> {
    let refusal: 'not_found' | 'conflict' | null = 'not_found';
    const change = (message: Message, at: Date): Message => {
      refusal = refusalOf(request, message, at);
      return refusal === null ? cancel(message, at) : message;
    };
    const message = await this.apply(request, change, this.keyRows(request));
    if (refusal !== null || message === null) return { outcome: refusal ?? 'not_found' };
    return cancelled(message, false);
  }

  /** What the key did before; null when it did nothing yet. */
  private async replayOf(request: Cancellation): Promise<CancelResult | null> {
    const { workspaceId, idempotency } = request;
    if (idempotency === null) return null;
    const { scope, key, fingerprint } = idempotency;
    const at = new Date(this.clock.now());
    const [known] = await this.keys.find([{ workspaceId, scope, key }], at);
    if (known === undefined) return null;
    if (known.fingerprint !== fingerprint) return { outcome: 'idempotency_conflict' };
    const message = await this.apply(request, (same) => same);
    return message === null ? null : cancelled(asWhenCancelled(message), true);
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

  private keyRows({ workspaceId, idempotency }: Cancellation): KeyRow[] {
    if (idempotency === null) return [];
    const createdAt = new Date(this.clock.now());
    return [{ workspaceId, ...idempotency, result: { outcome: 'cancelled' }, createdAt }];
  }
}

function refusalOf(
  { kind }: Cancellation,
  message: Message,
  at: Date,
): 'not_found' | 'conflict' | null {
  if (!isOfKind(message.content, kind)) return 'not_found';
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
