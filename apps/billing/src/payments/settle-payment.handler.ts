import { Inject, Injectable } from '@nestjs/common';
import type { Clock, EntryId, PaymentId, PaymentProviderName } from '@watchword/contracts';
import { crashPoint, type Logger } from '@watchword/observability';
import { CLOCK, DATABASE, LOGGER } from '@watchword/platform';
import type { DatabasePool, Queryable } from '@watchword/postgres';
import { AccountStore, type AccountRow } from '../accounts/account.store.js';
import { postTopUp } from '../accounts/post-top-up.js';
import { takenBack, toppedUp } from '../accounts/top-up.policy.js';
import { Authorisations } from './authorisations.js';
import { endTopUps } from './end-top-ups.js';
import type { Fact, Paid, Reversal } from './payment-provider.port.js';
import { reversedCredits } from './payment-schedule.policy.js';
import { PaymentStore } from './payment.store.js';
import { hasReference, type PaymentRow } from './payment.js';
import { TopUpSettingsStore } from './top-up-settings.store.js';

export type Settlement =
  | 'entered'
  /** A repetition. */
  | 'known'
  /** It does not fit the payment: nothing was entered or taken back, and an operator must check it. */
  | 'held'
  | 'unknown_payment'
  /** A reversal of a payment that is not paid yet. */
  | 'too_early'
  /** A reversal of money that was never entered, so nothing is taken back. */
  | 'not_entered';

type FailedRefund = Extract<Fact, { kind: 'refund_failed' }>;

interface Held {
  account: AccountRow;
  payment: PaymentRow;
  at: Date;
}

/** Enters what providers report, once. Every change locks the account, then the payment. */
@Injectable()
export class SettlePaymentHandler {
  constructor(
    @Inject(DATABASE) private readonly pool: DatabasePool,
    private readonly authorisations: Authorisations,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  settle(provider: PaymentProviderName, fact: Fact): Promise<Settlement> {
    if (fact.kind === 'paid') return this.paid(provider, fact.paymentId, fact);
    if ('failure' in fact) {
      return this.end(provider, fact.paymentId, fact.kind, fact.failure);
    }
    if (fact.kind === 'refund_failed') return this.refundFailed(provider, fact);
    return this.reverse(provider, fact);
  }

  paid(provider: PaymentProviderName, paymentId: PaymentId, paid: Paid): Promise<Settlement> {
    return this.holding(paymentId, async (transaction, held) => {
      const { account, payment, at } = held;
      if (payment.providerPaymentId === paid.providerPaymentId) return 'known';
      const payments = new PaymentStore(transaction);
      const misfit = misfitOf(payment, provider, paid);
      if (misfit !== null) return this.hold(transaction, held, misfit);
      if (await payments.hasEntered(provider, paid.providerPaymentId)) {
        return this.hold(transaction, held, 'entered_before');
      }
      const after = toppedUp(account, payment.credits, 'purchase');
      if (typeof after === 'string') return this.hold(transaction, held, after);
      await postTopUp(
        transaction,
        { ...after, updatedAt: at },
        { credits: payment.credits, kind: 'purchase', paymentId },
      );
      await payments.paid(paymentId, paid.providerPaymentId, at);
      await this.saveAuthorisation(transaction, payment, paid.authorisation, at);
      return 'entered';
    });
  }

  private async saveAuthorisation(
    transaction: Queryable,
    payment: PaymentRow,
    authorisation: string | null,
    savedAt: Date,
  ): Promise<void> {
    const { workspaceId, provider, payerEmail, saveAuthorisation, userId: savedBy } = payment;
    if (!saveAuthorisation || authorisation === null || savedBy === null) return;
    const saved = { provider, payerEmail, authorisation, savedAt, savedBy };
    await this.authorisations.save(transaction, workspaceId, saved);
  }

  private reverse(provider: PaymentProviderName, fact: Reversal): Promise<Settlement> {
    return this.holding(fact.paymentId, async (transaction, held) => {
      const { account, payment, at } = held;
      const payments = new PaymentStore(transaction);
      if (payment.provider !== provider) {
        return this.hold(transaction, held, 'provider_differs');
      }
      if (payment.providerPaymentId !== fact.providerPaymentId) {
        return isUnpaid(payment) ? 'too_early' : 'not_entered';
      }
      if (fact.reversalId === '') return this.hold(transaction, held, 'reversal_id_missing');
      if (await payments.hasReversal(payment.id, fact.reversalId)) return 'known';
      if (payment.currency !== fact.currency) {
        return this.hold(transaction, held, 'currency_differs');
      }
      const { amount, credits } = reversedCredits(payment, fact.amount);
      const { kind, reversalId: providerReversalId } = fact;
      const entryId = await takeBack(transaction, account, { payment, credits, kind, at });
      const reversal = {
        paymentId: payment.id,
        providerReversalId,
        kind,
        amount,
        credits,
        entryId,
      };
      await payments.reverse(reversal, at);
      const topUps = new TopUpSettingsStore(transaction);
      await topUps.switchOff(payment.workspaceId, kind, at);
      // Only the card's person turns it on again.
      if (kind === 'disputed') await topUps.agree(payment.workspaceId, null);
      return 'entered';
    });
  }

  /** The merchant has the money, and the credits were taken back. An operator decides. */
  private refundFailed(
    provider: PaymentProviderName,
    { paymentId, reversalId }: FailedRefund,
  ): Promise<Settlement> {
    return this.holding(paymentId, async (transaction, held) => {
      const isKnown = await new PaymentStore(transaction).hasReversal(paymentId, reversalId);
      const isTaken = isKnown && held.payment.provider === provider;
      return isTaken ? this.hold(transaction, held, 'refund_failed') : 'known';
    });
  }

  private end(
    provider: PaymentProviderName,
    paymentId: PaymentId,
    status: 'failed' | 'expired',
    failure: string | null,
  ): Promise<Settlement> {
    return this.holding(paymentId, async (transaction, { payment, at }) => {
      if (payment.provider !== provider || payment.automatic) return 'known';
      const isEnded = await new PaymentStore(transaction).end(paymentId, status, failure, at);
      return isEnded ? 'entered' : 'known';
    });
  }

  /**
   * An automatic top-up ends with it, because money may have moved. Automatic top-ups go on when an owner
   * enables them again.
   */
  private async hold(
    transaction: Queryable,
    { account, payment, at }: Held,
    cause: string,
  ): Promise<'held'> {
    const { id, workspaceId } = payment;
    const payments = new PaymentStore(transaction);
    if (await payments.hold(id, cause, at)) {
      this.logger.error(
        { payment: id, workspace: workspaceId, cause },
        'payment report does not match the payment, an operator must check it',
      );
    }
    if (payment.automatic && (await payments.end(id, 'failed', cause, at))) {
      const ended = { payment, failure: cause, balance: account.balance };
      await endTopUps(transaction, ended, 'payment_held', at);
    }
    return 'held';
  }

  /** Runs one transaction with the account and the payment locked, with its crash points. */
  private async holding(
    paymentId: PaymentId,
    work: (transaction: Queryable, held: Held) => Promise<Settlement>,
  ): Promise<Settlement> {
    const known = await new PaymentStore(this.pool).find(paymentId);
    if (!known) return 'unknown_payment';
    const settlement = await this.pool.transaction(async (transaction) => {
      const accounts = new AccountStore(transaction);
      await accounts.awaitTurn(known.workspaceId);
      const account = await accounts.lock(known.workspaceId);
      const payment = await new PaymentStore(transaction).lock(paymentId);
      const at = new Date(this.clock.now());
      const done = await work(transaction, { account: account!, payment: payment!, at });
      crashPoint('billing.settle-payment.before-commit');
      return done;
    });
    crashPoint('billing.settle-payment.after-commit');
    return settlement;
  }
}

/** Whether money of this payment can still be entered. What was held never is, and a second payment is held. */
function isUnpaid({ providerPaymentId, held }: PaymentRow): boolean {
  return providerPaymentId === null && held === null;
}

function misfitOf(payment: PaymentRow, provider: PaymentProviderName, paid: Paid): string | null {
  if (payment.provider !== provider) return 'provider_differs';
  if (paid.providerPaymentId === '') return 'provider_payment_id_missing';
  // A manual payment has no page and no charge, and so no reference.
  if (provider !== 'manual' && !hasReference(payment, paid.reference)) return 'reference_differs';
  if (payment.providerPaymentId !== null) return 'paid_twice';
  if (payment.currency !== paid.currency) return 'currency_differs';
  return payment.amount === paid.amount ? null : 'amount_differs';
}

async function takeBack(
  transaction: Queryable,
  account: AccountRow,
  {
    payment,
    credits,
    kind,
    at,
  }: {
    payment: PaymentRow;
    credits: number;
    kind: Reversal['kind'];
    at: Date;
  },
): Promise<EntryId | null> {
  // All of it was taken back before.
  if (credits === 0) return null;
  const { after, taken } = takenBack(account, credits);
  const { entry } = await postTopUp(
    transaction,
    { ...after, updatedAt: at },
    {
      credits: -taken,
      kind: 'adjustment',
      note: kind === 'refunded' ? 'The payment was refunded.' : 'The payment is disputed.',
      paymentId: payment.id,
      reversedCredits: credits,
      debtChange: credits - taken,
    },
  );
  return entry.id;
}
