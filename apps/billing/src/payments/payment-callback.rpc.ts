import { Controller, Inject } from '@nestjs/common';
import { type AnswerOf, billingCalls, type RequestOf } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { CallPattern, LOGGER } from '@watchword/platform';
import { DuePaymentsHandler } from './due-payments.handler.js';
import type { Fact, PaymentProvider } from './payment-provider.port.js';
import { PaymentProviders } from './providers.js';
import { type Settlement, SettlePaymentHandler } from './settle-payment.handler.js';

/** Callbacks of providers. A repetition is handled like the first one, and enters nothing. */
@Controller()
export class PaymentCallbackRpc {
  constructor(
    private readonly providers: PaymentProviders,
    private readonly settling: SettlePaymentHandler,
    private readonly due: DuePaymentsHandler,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @CallPattern(billingCalls, 'receivePaymentCallback')
  async receivePaymentCallback({
    provider: name,
    signature,
    body_base64: body,
  }: RequestOf<'receivePaymentCallback'>): AnswerOf<'receivePaymentCallback'> {
    const provider = name === 'manual' ? undefined : this.providers.of(name);
    if (!provider) return { verdict: 'unknown_provider' };
    const reading = await provider.readCallback(Buffer.from(body, 'base64'), signature);
    if (reading.verdict !== 'read') return reading;
    if (!reading.facts.every(isWhole)) return { verdict: 'malformed' };
    for (const fact of reading.facts) {
      const settlement = await this.settle(provider, fact);
      if (settlement === 'too_early') return { verdict: 'too_early' };
      const { kind, paymentId } = fact;
      const about = { provider: name, kind, payment: paymentId };
      if (settlement === 'unknown_payment') this.logger.warn(about, 'unknown payment reported');
      if (settlement === 'not_entered')
        this.logger.warn(about, 'refund of a payment that was never entered');
    }
    return { verdict: 'handled' };
  }

  /**
   * Settles a fact. Providers keep no order: a refund may come before its payment, which is then
   * asked for.
   */
  private async settle(provider: PaymentProvider, fact: Fact): Promise<Settlement> {
    // The provider did not say which payment it was. It repeats the report.
    if ('providerPaymentId' in fact && fact.providerPaymentId === null) return 'too_early';
    const settlement = await this.settling.settle(provider.name, fact);
    if (settlement !== 'too_early') return settlement;
    await this.due.askNow(fact.paymentId);
    return this.settling.settle(provider.name, fact);
  }
}

function isWhole(fact: Fact): boolean {
  return !('amount' in fact) || (Number.isSafeInteger(fact.amount) && fact.amount >= 0);
}
