import { Inject, Injectable } from '@nestjs/common';
import type { Clock, PaymentId } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { CLOCK, DATABASE, LOGGER } from '@watchword/platform';
import type { DatabasePool } from '@watchword/postgres';
import { AutomaticTopUpHandler } from './automatic-top-up.handler.js';
import { nextAsk, PROCESSING_AGAIN_MS, UNKNOWN_AGAIN_MS } from './payment-schedule.policy.js';
import { type PaymentRow, soughtOf } from './payment.js';
import type { Standing } from './payment-provider.port.js';
import { PaymentStore } from './payment.store.js';
import { PaymentProviders } from './providers.js';
import { SettlePaymentHandler } from './settle-payment.handler.js';

/** Milliseconds; longer than any provider takes to answer. */
const LEASE_MS = 120_000;
const PAYMENTS_AT_ONCE = 20;

interface Occasion {
  /** The provider has reported that money of the payment went back. */
  readonly isRefunded: boolean;
}

/** Asks providers about payments that they did not report, and charges automatic top-ups. */
@Injectable()
export class DuePaymentsHandler {
  constructor(
    @Inject(DATABASE) private readonly pool: DatabasePool,
    private readonly providers: PaymentProviders,
    private readonly settling: SettlePaymentHandler,
    private readonly topUps: AutomaticTopUpHandler,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Returns whether there may be more. */
  async handle(): Promise<boolean> {
    const now = this.clock.now();
    const due = await new PaymentStore(this.pool).claimDue(
      new Date(now),
      new Date(now + LEASE_MS),
      PAYMENTS_AT_ONCE,
    );
    await Promise.all(due.map((payment) => this.look(payment, { isRefunded: false })));
    return due.length === PAYMENTS_AT_ONCE;
  }

  /**
   * Checks one payment. If it fails, the others continue, and it is tried again after its lease.
   */
  private async look(payment: PaymentRow, occasion: Occasion): Promise<void> {
    try {
      await (payment.automatic ? this.topUps.charge(payment) : this.ask(payment, occasion));
    } catch (error) {
      this.logger.error({ err: error, payment: payment.id }, 'a due payment was not handled');
    }
  }

  /**
   * Asks the provider before a refund of a payment that it did not report as paid. Money that went back is
   * entered, too, because the refund takes it.
   */
  async askNow(paymentId: PaymentId): Promise<void> {
    const payment = await new PaymentStore(this.pool).find(paymentId);
    if (payment) await this.look(payment, { isRefunded: true });
  }

  private async ask(payment: PaymentRow, { isRefunded }: Occasion): Promise<void> {
    const provider = this.providers.of(payment.provider);
    const payments = new PaymentStore(this.pool);
    const again = (delayMs: number) =>
      payments.lookAgain(payment.id, new Date(this.clock.now() + delayMs));
    if (!provider) return again(UNKNOWN_AGAIN_MS);
    const standing = await provider.find(soughtOf(payment, null));
    if (standing.state === 'unknown') return again(UNKNOWN_AGAIN_MS);
    if (standing.state === 'paid' || (standing.state === 'reversed' && isRefunded)) {
      await this.settling.paid(provider.name, payment.id, standing);
      return;
    }
    const next = nextAsk(payment.createdAt, payment.asked + 1);
    const failure = failureOf(standing);
    const isOver = failure !== null || standing.state === 'expired';
    if (isOver || (next === null && standing.state === 'unpaid')) {
      const kind = failure === null ? 'expired' : 'failed';
      await this.settling.settle(provider.name, { kind, paymentId: payment.id, failure });
      return;
    }
    if (next === null) return again(PROCESSING_AGAIN_MS);
    await payments.asked(payment.id, next);
  }
}

/** Returns null for a payment that has not failed. */
function failureOf(standing: Standing): string | null {
  if (standing.state === 'reversed') return standing.state;
  return standing.state === 'declined' ? standing.failure : null;
}
