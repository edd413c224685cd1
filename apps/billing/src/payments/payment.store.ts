import type {
  EntryId,
  PaymentId,
  PaymentProviderName,
  PaymentStatus,
  UserId,
  WorkspaceId,
} from '@watchword/contracts';
import { type Queryable, statement } from '@watchword/postgres';
import { crashPoint } from '@watchword/observability';
import { PAYMENT_COLUMNS, type PaymentRow } from './payment.js';

const insert = statement(
  'billing.insert-payment',
  `INSERT INTO billing.payments (
     id, workspace_id, provider, credits, amount, currency, payer_email, status, automatic,
     save_authorisation, user_id, due_at, created_at, updated_at
   ) VALUES ($1, $2, $3, $4, $5, $6, $7, 'pending', $8, $9, $10, $11, $12, $12)`,
);

const find = statement(
  'billing.find-payment',
  `SELECT ${PAYMENT_COLUMNS} FROM billing.payments WHERE id = $1`,
);

const lock = statement(
  'billing.lock-payment',
  `SELECT ${PAYMENT_COLUMNS} FROM billing.payments WHERE id = $1 FOR UPDATE`,
);

const countPending = statement(
  'billing.count-pending-payments',
  `SELECT count(*)::integer AS count FROM billing.payments
   WHERE workspace_id = $1 AND status = 'pending'`,
);

const list = statement(
  'billing.list-payments',
  `SELECT ${PAYMENT_COLUMNS} FROM billing.payments
   WHERE workspace_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3`,
);

const search = statement(
  'billing.search-payments',
  `SELECT ${PAYMENT_COLUMNS} FROM billing.payments
   WHERE id < $1 AND ($3::uuid IS NULL OR workspace_id = $3) AND ($4::text IS NULL OR status = $4)
     AND ($5::boolean IS NULL OR $5 = (held IS NOT NULL))
   ORDER BY id DESC LIMIT $2`,
);

const beginOpening = statement(
  'billing.begin-opening',
  `UPDATE billing.payments SET attempt = attempt + 1, updated_at = $2
   WHERE id = $1 RETURNING attempt`,
);

const opened = statement(
  'billing.checkout-opened',
  `UPDATE billing.payments SET checkout_url = $2, provider_reference = $3, updated_at = $4
   WHERE id = $1`,
);

const awaitTurn = statement(
  'billing.await-turn-at-provider-payment',
  `SELECT pg_advisory_xact_lock(hashtext('billing.provider-payments'), hashtext($1))`,
);

const hasEntered = statement(
  'billing.has-entered-provider-payment',
  'SELECT FROM billing.payments WHERE provider = $1 AND provider_payment_id = $2',
);

const paid = statement(
  'billing.payment-paid',
  `UPDATE billing.payments
   SET status = 'paid', provider_payment_id = $2, paid_at = $3, updated_at = $3, due_at = NULL,
     charging = false, failure = NULL, held = NULL
   WHERE id = $1`,
);

/** Only a pending payment ends without money. $5 is the charge that it ends with, or null. */
const ended = statement(
  'billing.payment-ended',
  `UPDATE billing.payments
   SET status = $2, failure = $3, updated_at = $4, due_at = NULL, charging = false
   WHERE id = $1 AND status = 'pending' AND attempt = coalesce($5, attempt)`,
);

const hold = statement(
  'billing.hold-payment',
  `UPDATE billing.payments SET held = $2, due_at = NULL, updated_at = $3
   WHERE id = $1 AND held IS DISTINCT FROM $2`,
);

const reversed = statement(
  'billing.payment-reversed',
  `UPDATE billing.payments
   SET status = $2, refunded_amount = refunded_amount + $3, reversed_credits = reversed_credits + $4,
     updated_at = $5
   WHERE id = $1`,
);

const insertReversal = statement(
  'billing.insert-reversal',
  `INSERT INTO billing.payment_reversals (
     payment_id, provider_reversal_id, kind, amount, credits, entry_id, created_at
   ) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
);

const hasReversal = statement(
  'billing.has-reversal',
  `SELECT FROM billing.payment_reversals WHERE payment_id = $1 AND provider_reversal_id = $2`,
);

/** A process that dies leaves its payments to the next poll after the lease. */
const claimDue = statement(
  'billing.claim-due-payments',
  `UPDATE billing.payments SET due_at = $2
   WHERE id IN (
     SELECT id FROM billing.payments WHERE due_at <= $1 ORDER BY due_at LIMIT $3
     FOR UPDATE SKIP LOCKED
   )
   RETURNING ${PAYMENT_COLUMNS}`,
);

const asked = statement(
  'billing.payment-asked',
  `UPDATE billing.payments SET asked = asked + 1, due_at = $2
   WHERE id = $1 AND status = 'pending'`,
);

const lookAgain = statement(
  'billing.look-at-payment-again',
  `UPDATE billing.payments SET due_at = $2 WHERE id = $1 AND status = 'pending'`,
);

const beginCharge = statement(
  'billing.begin-charge',
  `UPDATE billing.payments SET charging = true, attempt = attempt + 1, updated_at = $2
   WHERE id = $1 AND status = 'pending' AND NOT charging
   RETURNING attempt`,
);

/** A process that was slow may report an older charge than the one that is running. */
const declined = statement(
  'billing.charge-declined',
  `UPDATE billing.payments SET charging = false, failure = $3, due_at = $4, updated_at = $5
   WHERE id = $1 AND status = 'pending' AND attempt = $2`,
);

/** Top-ups of a workspace, between two charges only: the result of a running one is still to come. */
const switchedOff = statement(
  'billing.top-ups-switched-off',
  `UPDATE billing.payments
   SET status = 'failed', failure = 'switched_off', updated_at = $2, due_at = NULL
   WHERE workspace_id = $1 AND automatic AND status = 'pending' AND NOT charging`,
);

const clearSaveAuthorisation = statement(
  'billing.save-no-authorisation-of-person',
  `UPDATE billing.payments SET save_authorisation = false
   WHERE workspace_id = $1 AND user_id = $2 AND save_authorisation AND status = 'pending'`,
);

type NewPaymentColumn =
  | 'id'
  | 'workspaceId'
  | 'provider'
  | 'credits'
  | 'amount'
  | 'currency'
  | 'payerEmail'
  | 'automatic'
  | 'saveAuthorisation'
  | 'userId'
  | 'createdAt';

export interface NewPaymentRow extends Pick<PaymentRow, NewPaymentColumn> {
  dueAt: Date | null;
}

export interface PaymentSearch {
  beforeId: string;
  limit: number;
  workspaceId: WorkspaceId | null;
  status: PaymentStatus | null;
  held: boolean | null;
}

/** A charge of an automatic top-up. */
export interface ChargeId {
  id: PaymentId;
  attempt: number;
}

export interface ReversalRow {
  paymentId: PaymentId;
  providerReversalId: string;
  kind: 'refunded' | 'disputed';
  amount: number;
  credits: number;
  entryId: EntryId | null;
}

export class PaymentStore {
  constructor(private readonly database: Queryable) {}

  async insert(payment: NewPaymentRow): Promise<void> {
    await this.database.query(insert, [
      payment.id,
      payment.workspaceId,
      payment.provider,
      payment.credits,
      payment.amount,
      payment.currency,
      payment.payerEmail,
      payment.automatic,
      payment.saveAuthorisation,
      payment.userId,
      payment.dueAt,
      payment.createdAt,
    ]);
  }

  async find(id: PaymentId): Promise<PaymentRow | undefined> {
    return (await this.database.query<PaymentRow>(find, [id])).rows[0];
  }

  /** Locks the payment until the transaction ends. */
  async lock(id: PaymentId): Promise<PaymentRow | undefined> {
    return (await this.database.query<PaymentRow>(lock, [id])).rows[0];
  }

  async countPending(workspaceId: WorkspaceId): Promise<number> {
    const { rows } = await this.database.query<{ count: number }>(countPending, [workspaceId]);
    return rows[0]!.count;
  }

  async list(workspaceId: WorkspaceId, beforeId: string, limit: number): Promise<PaymentRow[]> {
    return (await this.database.query<PaymentRow>(list, [workspaceId, beforeId, limit])).rows;
  }

  async search(wanted: PaymentSearch): Promise<PaymentRow[]> {
    const { beforeId, limit, workspaceId, status, held } = wanted;
    const values = [beforeId, limit, workspaceId, status, held];
    return (await this.database.query<PaymentRow>(search, values)).rows;
  }

  /** Returns the number of the checkout page. */
  async beginOpening(id: PaymentId, at: Date): Promise<number> {
    return (await this.database.query<{ attempt: number }>(beginOpening, [id, at])).rows[0]!
      .attempt;
  }

  async opened(id: PaymentId, url: string, reference: string | null, at: Date): Promise<void> {
    crashPoint('billing.checkout-opened.before-commit');
    await this.database.query(opened, [id, url, reference, at]);
    crashPoint('billing.checkout-opened.after-commit');
  }

  /** Waits for other transactions that enter the same payment of the provider. */
  async hasEntered(provider: PaymentProviderName, providerPaymentId: string): Promise<boolean> {
    await this.database.query(awaitTurn, [providerPaymentId]);
    const { rowCount } = await this.database.query(hasEntered, [provider, providerPaymentId]);
    return rowCount === 1;
  }

  async paid(id: PaymentId, providerPaymentId: string, at: Date): Promise<void> {
    await this.database.query(paid, [id, providerPaymentId, at]);
  }

  /** Returns false when it is not pending any more, or another charge than `attempt` has begun. */
  async end(
    id: PaymentId,
    status: 'failed' | 'expired',
    failure: string | null,
    at: Date,
    attempt: number | null = null,
  ): Promise<boolean> {
    return (await this.database.query(ended, [id, status, failure, at, attempt])).rowCount === 1;
  }

  /** Returns true the first time. */
  async hold(id: PaymentId, cause: string, at: Date): Promise<boolean> {
    return (await this.database.query(hold, [id, cause, at])).rowCount === 1;
  }

  async hasReversal(paymentId: PaymentId, providerReversalId: string): Promise<boolean> {
    return (await this.database.query(hasReversal, [paymentId, providerReversalId])).rowCount === 1;
  }

  async reverse(reversal: ReversalRow, at: Date): Promise<void> {
    const { paymentId, providerReversalId, kind, amount, credits, entryId } = reversal;
    const values = [paymentId, providerReversalId, kind, amount, credits, entryId, at];
    await this.database.query(insertReversal, values);
    await this.database.query(reversed, [paymentId, kind, amount, credits, at]);
  }

  /** Returns due payments, leased to this process until `leaseUntil`. */
  async claimDue(now: Date, leaseUntil: Date, limit: number): Promise<PaymentRow[]> {
    crashPoint('billing.claim-due-payments.before-commit');
    const values = [now, leaseUntil, limit];
    const { rows } = await this.database.query<PaymentRow>(claimDue, values);
    if (rows.length > 0) crashPoint('billing.claim-due-payments.after-commit');
    return rows;
  }

  async asked(id: PaymentId, dueAt: Date | null): Promise<void> {
    await this.database.query(asked, [id, dueAt]);
  }

  async lookAgain(id: PaymentId, dueAt: Date): Promise<void> {
    await this.database.query(lookAgain, [id, dueAt]);
  }

  /**
   * Returns the number of the charge. Undefined when one is running, or none is wanted any more.
   */
  async beginCharge(id: PaymentId, at: Date): Promise<number | undefined> {
    const { rows } = await this.database.query<{ attempt: number }>(beginCharge, [id, at]);
    return rows[0]?.attempt;
  }

  async declined(charge: ChargeId, failure: string, dueAt: Date, at: Date): Promise<void> {
    crashPoint('billing.charge-declined.before-commit');
    await this.database.query(declined, [charge.id, charge.attempt, failure, dueAt, at]);
    crashPoint('billing.charge-declined.after-commit');
  }

  async switchedOff(workspaceId: WorkspaceId, at: Date): Promise<void> {
    await this.database.query(switchedOff, [workspaceId, at]);
  }

  /** Pending payments of this person save no authorisation. */
  async clearSaveAuthorisation(workspaceId: WorkspaceId, userId: UserId): Promise<void> {
    await this.database.query(clearSaveAuthorisation, [workspaceId, userId]);
  }
}
