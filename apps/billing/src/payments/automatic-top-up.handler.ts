import { Inject, Injectable } from '@nestjs/common';
import { type Clock, newId, type PriceList, type WorkspaceId } from '@watchword/contracts';
import { crashPoint, type Logger } from '@watchword/observability';
import { CLOCK, DATABASE, isUnavailable, LOGGER, OnceAMinute } from '@watchword/platform';
import type { DatabasePool } from '@watchword/postgres';
import { AccountStore } from '../accounts/account.store.js';
import { firstDayOf, monthOf } from '../plans/month.js';
import { PriceListCache } from '../prices/price-list.cache.js';
import { type Authorisation, Authorisations } from './authorisations.js';
import { endTopUps } from './end-top-ups.js';
import type { PaymentProvider, Standing } from './payment-provider.port.js';
import { nextCharge, PROCESSING_AGAIN_MS, UNKNOWN_AGAIN_MS } from './payment-schedule.policy.js';
import { orderOf, type PaymentRow, soughtOf } from './payment.js';
import { type ChargeId, PaymentStore } from './payment.store.js';
import { PaymentProviders } from './providers.js';
import { SettlePaymentHandler } from './settle-payment.handler.js';
import { TopUpSettingsStore } from './top-up-settings.store.js';

const WORKSPACES_AT_ONCE = 100;

/** The result of the charge with this number. */
type Attempted = Standing & { attempt: number };

/**
 * Buys credits with saved authorisations. A top-up is a payment: at most one per workspace is
 * pending, each charge has its own reference, and after a lost answer the charge is looked up
 * before another is made.
 */
@Injectable()
export class AutomaticTopUpHandler {
  private readonly lines: OnceAMinute;

  constructor(
    @Inject(DATABASE) private readonly pool: DatabasePool,
    private readonly providers: PaymentProviders,
    private readonly authorisations: Authorisations,
    private readonly settling: SettlePaymentHandler,
    private readonly prices: PriceListCache,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.lines = new OnceAMinute(clock);
  }

  /** Starts a top-up in each workspace with a low balance. Returns whether there may be more. */
  async begin(): Promise<boolean> {
    const month = this.monthStart();
    const low = await new TopUpSettingsStore(this.pool).low(month, WORKSPACES_AT_ONCE);
    if (low.length === 0) return false;
    // Read before the transaction, which could otherwise wait without end for a second connection.
    const price = (await this.prices.latest()).list.credit_price;
    let begun = 0;
    for (const workspaceId of low) {
      if (await this.isBegun(workspaceId, month, price)) begun += 1;
    }
    return low.length === WORKSPACES_AT_ONCE && begun > 0;
  }

  /** One workspace that fails does not stop those behind it. The next run begins it again. */
  private async isBegun(
    workspaceId: WorkspaceId,
    month: Date,
    price: PriceList['credit_price'],
  ): Promise<boolean> {
    try {
      await this.beginOne(workspaceId, month, price);
      return true;
    } catch (error) {
      if (isUnavailable(error)) throw error;
      if (this.lines.isDue(workspaceId)) {
        this.logger.error({ err: error, workspaceId }, 'beginning an automatic top-up failed');
      }
      return false;
    }
  }

  /** Returns the start of the current month, in UTC. */
  monthStart(): Date {
    return new Date(`${firstDayOf(monthOf(this.clock.now()))}T00:00:00Z`);
  }

  /** Runs under the account's lock, because a purchase may just have raised the balance. */
  private async beginOne(
    workspaceId: WorkspaceId,
    month: Date,
    { amount, currency }: PriceList['credit_price'],
  ): Promise<void> {
    await this.pool.transaction(async (transaction) => {
      await new AccountStore(transaction).lock(workspaceId);
      const stores = new TopUpSettingsStore(transaction);
      if (!(await stores.isLow(workspaceId, month))) return;
      const [settings, saved] = [
        await stores.find(workspaceId),
        await stores.findAuthorisation(workspaceId),
      ];
      const at = new Date(this.clock.now());
      await new PaymentStore(transaction).insert({
        id: newId(),
        workspaceId,
        provider: saved!.provider,
        credits: settings!.credits,
        amount: settings!.credits * amount,
        currency,
        payerEmail: saved!.payerEmail,
        automatic: true,
        saveAuthorisation: false,
        userId: null,
        dueAt: at,
        createdAt: at,
      });
      crashPoint('billing.begin-top-up.before-commit');
    });
    crashPoint('billing.begin-top-up.after-commit');
  }

  /** Charges a pending top-up, or asks for the result of its charge. */
  async charge(payment: PaymentRow): Promise<void> {
    const { id, workspaceId } = payment;
    const payments = new PaymentStore(this.pool);
    const saved = await this.authorisations.find(this.pool, workspaceId);
    const provider = this.providers.of(payment.provider);
    if (!provider) {
      return payments.lookAgain(id, new Date(this.clock.now() + UNKNOWN_AGAIN_MS));
    }
    const standing = payment.charging
      ? await this.find(payment, provider, saved)
      : await this.attempt(payment, provider);
    if (standing) await this.record(payment, standing);
  }

  /** Looks for the charge whose answer was lost, and repeats it if it never arrived. */
  private async find(
    payment: PaymentRow,
    provider: PaymentProvider,
    saved: Authorisation | undefined,
  ): Promise<Attempted | undefined> {
    const sought = soughtOf(payment, saved?.authorisation ?? null);
    const hasNewPayer = saved !== undefined && saved.savedAt >= payment.updatedAt;
    const found = await provider.find({ ...sought, hasNewPayer });
    const { attempt } = payment;
    if (found.state !== 'unpaid') return { ...found, attempt };
    return (await this.attempt(payment, provider)) ?? { ...found, attempt };
  }

  /** Returns undefined where nothing may be charged, or another process has begun to. */
  private async attempt(
    payment: PaymentRow,
    provider: PaymentProvider,
  ): Promise<Attempted | undefined> {
    const begun = await this.beginCharge(payment);
    if (!begun) return undefined;
    const { attempt, authorisation } = begun;
    crashPoint('billing.charge-top-up.before-call');
    const standing = await provider.charge(orderOf(payment, attempt), authorisation);
    crashPoint('billing.charge-top-up.after-call');
    return { ...standing, attempt };
  }

  /**
   * Holds the account, as every change of an authorisation does: when its person is an owner no more, or the
   * workspace is suspended, no charge begins any more.
   */
  private async beginCharge(
    payment: PaymentRow,
  ): Promise<{ attempt: number; authorisation: string } | undefined> {
    const { id, workspaceId, charging } = payment;
    const begun = await this.pool.transaction(async (transaction) => {
      await new AccountStore(transaction).lock(workspaceId);
      const payments = new PaymentStore(transaction);
      const at = new Date(this.clock.now());
      if (!(await new TopUpSettingsStore(transaction).isAllowed(payment))) {
        await payments.switchedOff(workspaceId, at);
        return undefined;
      }
      const attempt = charging ? payment.attempt : await payments.beginCharge(id, at);
      if (attempt === undefined) return undefined;
      const { authorisation } = (await this.authorisations.find(transaction, workspaceId))!;
      crashPoint('billing.begin-charge.before-commit');
      return { attempt, authorisation };
    });
    crashPoint('billing.begin-charge.after-commit');
    return begun;
  }

  private async record(payment: PaymentRow, standing: Attempted): Promise<void> {
    const now = this.clock.now();
    const payments = new PaymentStore(this.pool);
    if (standing.state === 'paid') {
      await this.settling.paid(payment.provider, payment.id, standing);
      return;
    }
    if (standing.state === 'unknown' || standing.state === 'processing') {
      const isUnknown = standing.state === 'unknown';
      const delayMs = isUnknown ? UNKNOWN_AGAIN_MS : PROCESSING_AGAIN_MS;
      return payments.lookAgain(payment.id, new Date(now + delayMs));
    }
    const failure = standing.state === 'declined' ? standing.failure : standing.state;
    // A card whose money was given back is not charged again.
    const next = standing.state === 'reversed' ? null : nextCharge(now, standing.attempt);
    const charge = { id: payment.id, attempt: standing.attempt };
    if (next === null) return this.giveUp(payment, charge, failure);
    await payments.declined(charge, failure, next, new Date(now));
  }

  /** Disables automatic top-ups after the last retry, until an owner enables them again. */
  private async giveUp(payment: PaymentRow, charge: ChargeId, failure: string): Promise<void> {
    const { workspaceId } = payment;
    await this.pool.transaction(async (transaction) => {
      const accounts = new AccountStore(transaction);
      await accounts.awaitTurn(workspaceId);
      const account = await accounts.lock(workspaceId);
      const at = new Date(this.clock.now());
      const { id, attempt } = charge;
      if (!(await new PaymentStore(transaction).end(id, 'failed', failure, at, attempt))) return;
      const ended = { payment, failure, balance: account!.balance };
      await endTopUps(transaction, ended, 'payment_failed', at);
      crashPoint('billing.give-up-top-up.before-commit');
    });
    crashPoint('billing.give-up-top-up.after-commit');
  }
}
