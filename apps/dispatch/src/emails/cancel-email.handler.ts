import { Inject, Injectable } from '@nestjs/common';
import {
  type CancelEmailResult,
  type Clock,
  type EmailSummary,
  isUuid,
  type MessageId,
} from '@watchword/contracts';
import { crashPoint } from '@watchword/observability';
import { CLOCK } from '@watchword/platform';
import { cancelOnce, type ClaimedCancellation } from '../messages/cancel-once.js';
import type { KeyRow } from '../messages/message-write.js';
import type { Scope } from '../messages/scope.policy.js';
import { IdempotencyKeyStore } from '../messages/idempotency-key.store.js';
import { cancelled } from './email-change.policy.js';
import { type EmailChange, EmailChanges } from './email-changes.handler.js';
import type { Email } from './email.js';
import { emailSummary } from './email-record.policy.js';

export interface EmailCancellation extends Scope, ClaimedCancellation {
  readonly emailId: MessageId;
}

/** Cancels an email of which no copy was handed over. Then comes the refund, then the event. */
@Injectable()
export class CancelEmailHandler {
  constructor(
    private readonly changes: EmailChanges,
    private readonly keys: IdempotencyKeyStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  cancel(request: EmailCancellation): Promise<CancelEmailResult> {
    const known = { keys: this.keys, clock: this.clock };
    return cancelOnce<CancelEmailResult>(request, known, {
      first: (keys) => this.change(request, keys),
      again: async () => {
        const email = await this.apply(request, (same) => same);
        return email === null ? null : answer(email, true);
      },
    });
  }

  /** Cancels emails for the platform itself, where that is still possible. Returns how many. */
  async cancelMany(ids: readonly MessageId[]): Promise<number> {
    if (ids.length === 0) return 0;
    const change: EmailChange = (email, at) => cancelled(email, at) ?? email;
    crashPoint('dispatch.email-cancel-many.before-change');
    const emails = await this.changes.apply(ids.map((id) => ({ id, change })));
    crashPoint('dispatch.email-cancel-many.after-change');
    const isCancelled = (email: Email | null) =>
      email?.recipients.every(({ state }) => state === 'cancelled');
    return emails.filter(isCancelled).length;
  }

  private async change(
    request: EmailCancellation,
    keys: readonly KeyRow[],
  ): Promise<CancelEmailResult> {
    let isTooLate = false;
    const change: EmailChange = (email, at) => {
      const after = cancelled(email, at);
      isTooLate = after === null;
      return after ?? email;
    };
    const email = await this.apply(request, change, keys);
    if (email === null) return { outcome: 'not_found' };
    return isTooLate ? { outcome: 'conflict' } : answer(email, false);
  }

  private async apply(
    { emailId, workspaceId, testMode }: EmailCancellation,
    change: EmailChange,
    keys: readonly KeyRow[] = [],
  ): Promise<Email | null> {
    if (!isUuid(emailId) || !isUuid(workspaceId)) return null;
    const within = { workspaceId, testMode };
    crashPoint('dispatch.email-cancel.before-change');
    const [email] = await this.changes.apply([{ id: emailId, change, keys, within }]);
    crashPoint('dispatch.email-cancel.after-change');
    return email ?? null;
  }
}

/**
 * Returns the answer. The caller sees the end at once; others see it when the refund is settled.
 * Until then `refunded` is null.
 */
function answer(email: Email, replayed: boolean): CancelEmailResult {
  const ended = { ...email, settledAt: email.settledAt ?? email.updatedAt };
  const refunded = email.settledAt === null ? null : email.refunded;
  const summary: EmailSummary = { ...emailSummary(ended), refunded };
  return { outcome: 'cancelled', email: summary, replayed };
}
