import { Inject, Injectable } from '@nestjs/common';
import {
  type Clock,
  type CreatePaymentBody,
  type IdempotencyClaim,
  newId,
  type NewPayment,
  PENDING_PAYMENTS_MAX,
  type PaymentProviderName,
  type PriceList,
  type UserId,
  type WorkspaceId,
} from '@watchword/contracts';
import { crashPoint } from '@watchword/observability';
import { CLOCK, DATABASE } from '@watchword/platform';
import type { DatabasePool, Queryable } from '@watchword/postgres';
import { AccountStore } from '../accounts/account.store.js';
import { AccountIdempotencyKeyStore } from '../accounts/idempotency-key.store.js';
import { PriceListCache } from '../prices/price-list.cache.js';
import type { PaymentProvider } from './payment-provider.port.js';
import { MANUAL_LIFE_MS, nextAsk } from './payment-schedule.policy.js';
import { newPaymentOf, orderOf, type PaymentRow } from './payment.js';
import { PaymentStore } from './payment.store.js';
import { PaymentProviders } from './providers.js';

export interface PaymentRequest extends CreatePaymentBody {
  readonly workspace_id: WorkspaceId;
  readonly user_id: UserId;
  readonly email: string;
  readonly idempotency: IdempotencyClaim | null;
}

/**
 * `provider_unavailable`: this installation has no account at the provider. `cannot_save`: the
 * provider cannot store an authorisation. `provider_failed`: it did not answer, and the caller may
 * repeat with the same key.
 */
export type PaymentResult =
  | { verdict: 'created' | 'replayed'; payment: NewPayment }
  | { verdict: 'idempotency_conflict' | 'unknown_workspace' | 'too_many_pending' }
  | { verdict: 'provider_unavailable' | 'cannot_save' | 'provider_failed' }
  | { verdict: 'provider_refused'; failure: string };

type Recorded =
  | { verdict: 'created' | 'replayed'; payment: PaymentRow }
  | { verdict: 'idempotency_conflict' | 'unknown_workspace' | 'too_many_pending' };

/**
 * Records a purchase, then asks the provider for its page. A request that dies in between is
 * repeated under its key and gets a new page for the same payment.
 */
@Injectable()
export class CreatePaymentHandler {
  constructor(
    @Inject(DATABASE) private readonly pool: DatabasePool,
    private readonly providers: PaymentProviders,
    private readonly prices: PriceListCache,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async create(request: PaymentRequest): Promise<PaymentResult> {
    const provider = this.providers.of(request.provider ?? this.providers.usual);
    if (!provider) return { verdict: 'provider_unavailable' };
    if (request.save_authorisation && !provider.canSave) return { verdict: 'cannot_save' };
    const recorded = await this.record(request, provider);
    if (!('payment' in recorded)) return recorded;
    const { verdict, payment } = recorded;
    const { status, checkoutUrl, failure } = payment;
    if (checkoutUrl === null && (status === 'failed' || status === 'expired')) {
      return { verdict: 'provider_refused', failure: failure ?? status };
    }
    if (status !== 'pending' || checkoutUrl !== null) {
      // A replay repeats the first answer, also when the payment has changed since.
      return { verdict, payment: newPaymentOf({ ...payment, status: 'pending' }) };
    }
    return this.open(verdict, payment, this.providers.of(payment.provider) ?? provider);
  }

  private async record(request: PaymentRequest, provider: PaymentProvider): Promise<Recorded> {
    const { workspace_id: workspaceId, idempotency } = request;
    const { credit_price: price } = (await this.prices.latest()).list;
    const recorded = await this.pool.transaction(async (transaction): Promise<Recorded> => {
      const at = new Date(this.clock.now());
      if (!(await new AccountStore(transaction).lock(workspaceId))) {
        return { verdict: 'unknown_workspace' };
      }
      const earlier = await replayed(transaction, workspaceId, idempotency, at);
      if (earlier) return earlier;
      const payments = new PaymentStore(transaction);
      if ((await payments.countPending(workspaceId)) >= PENDING_PAYMENTS_MAX) {
        return { verdict: 'too_many_pending' };
      }
      const id = newId();
      await payments.insert({ id, ...termsOf(request, provider.name, price, at) });
      if (idempotency) {
        const keys = new AccountIdempotencyKeyStore(transaction);
        await keys.bind(workspaceId, idempotency, { paymentId: id }, at);
      }
      crashPoint('billing.create-payment.before-commit');
      return { verdict: 'created', payment: (await payments.find(id))! };
    });
    crashPoint('billing.create-payment.after-commit');
    return recorded;
  }

  private async open(
    verdict: 'created' | 'replayed',
    payment: PaymentRow,
    provider: PaymentProvider,
  ): Promise<PaymentResult> {
    const payments = new PaymentStore(this.pool);
    const now = () => new Date(this.clock.now());
    const attempt = await payments.beginOpening(payment.id, now());
    crashPoint('billing.open-checkout.before-call');
    const opening = await provider.open(orderOf(payment, attempt));
    crashPoint('billing.open-checkout.after-call');
    if (opening.verdict === 'unanswered') return { verdict: 'provider_failed' };
    if (opening.verdict === 'refused') {
      await payments.end(payment.id, 'failed', opening.failure, now());
      return { verdict: 'provider_refused', failure: opening.failure };
    }
    const { checkoutUrl, providerReference } = opening;
    if (checkoutUrl !== null) {
      await payments.opened(payment.id, checkoutUrl, providerReference, now());
    }
    return { verdict, payment: newPaymentOf({ ...payment, checkoutUrl }) };
  }
}

/** Returns the payment of the same key, if any. The caller holds the account. */
async function replayed(
  transaction: Queryable,
  workspaceId: WorkspaceId,
  claim: IdempotencyClaim | null,
  at: Date,
): Promise<Recorded | undefined> {
  const known =
    claim && (await new AccountIdempotencyKeyStore(transaction).find(workspaceId, claim, at));
  if (!known) return undefined;
  const isSame = known.fingerprint === claim.fingerprint && known.paymentId !== null;
  if (!isSame) return { verdict: 'idempotency_conflict' };
  const payment = await new PaymentStore(transaction).find(known.paymentId!);
  return { verdict: 'replayed', payment: payment! };
}

/** Returns what is bought, at the current price. */
function termsOf(
  request: PaymentRequest,
  provider: PaymentProviderName,
  { amount, currency }: PriceList['credit_price'],
  at: Date,
) {
  const { workspace_id: workspaceId, user_id: userId, email: payerEmail, credits } = request;
  return {
    workspaceId,
    provider,
    credits,
    amount: credits * amount,
    currency,
    payerEmail,
    automatic: false,
    saveAuthorisation: request.save_authorisation ?? false,
    userId,
    dueAt: provider === 'manual' ? new Date(at.getTime() + MANUAL_LIFE_MS) : nextAsk(at, 0),
    createdAt: at,
  };
}
