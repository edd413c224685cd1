import {
  type CancelEmailResult,
  type Clock,
  type EmailSummary,
  type IdempotencyClaim,
  isUuid,
} from '@watchword/contracts';
import { crashPoint } from '@watchword/observability';
import { sqlState } from '@watchword/postgres';
import type { KeyRow } from '../messages/message.store.js';
import type { Walls } from '../messages/walls.policy.js';
import type { IdempotencyKeyStore } from '../messages/idempotency-key.store.js';
import { cancelled } from './email-change.policy.js';
import type { EmailChange, EmailChanges } from './email-changes.handler.js';
import type { Email } from './email.js';
import { emailSummary } from './email-record.policy.js';

export interface EmailCancellation extends Walls {
  readonly emailId: string;
  readonly idempotency: IdempotencyClaim | null;
}

const UNIQUE_VIOLATION = '23505';

/** Cancels an email of which no copy was handed over. The refund follows, and then the event. */
export class CancelEmailHandler {
  constructor(
    private readonly changes: EmailChanges,
    private readonly keys: IdempotencyKeyStore,
    private readonly clock: Clock,
  ) {}

  async cancel(request: EmailCancellation): Promise<CancelEmailResult> {
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

  private async change(request: EmailCancellation): Promise<CancelEmailResult> {
    let isTooLate = false;
    const change: EmailChange = (email, at) => {
      const after = cancelled(email, at);
      isTooLate = after === null;
      return after ?? email;
    };
    const email = await this.apply(request, change, this.keyRows(request));
    if (email === null) return { outcome: 'not_found' };
    return isTooLate ? { outcome: 'conflict' } : answer(email, false);
  }

  /** What the key did before; null when it did nothing yet. */
  private async replayOf(request: EmailCancellation): Promise<CancelEmailResult | null> {
    const { workspaceId, idempotency } = request;
    if (idempotency === null) return null;
    const { scope, key, fingerprint } = idempotency;
    const at = new Date(this.clock.now());
    const [known] = await this.keys.find([{ workspaceId, scope, key }], at);
    if (known === undefined) return null;
    if (known.fingerprint !== fingerprint) return { outcome: 'idempotency_conflict' };
    const email = await this.apply(request, (same) => same);
    return email === null ? null : answer(email, true);
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

  private keyRows({ workspaceId, idempotency }: EmailCancellation): KeyRow[] {
    if (idempotency === null) return [];
    const createdAt = new Date(this.clock.now());
    return [{ workspaceId, ...idempotency, result: { outcome: 'cancelled' }, createdAt }];
  }
}

/** The caller sees the end at once, and others when the refund is settled; until then `refunded` is null. */
function answer(email: Email, replayed: boolean): CancelEmailResult {
  const ended = { ...email, settledAt: email.settledAt ?? email.updatedAt };
  const refunded = email.settledAt === null ? null : email.refunded;
  const summary: EmailSummary = { ...emailSummary(ended), refunded };
  return { outcome: 'cancelled', email: summary, replayed };
}
