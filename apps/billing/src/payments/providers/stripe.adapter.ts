import Stripe from 'stripe';
import { asId, isUuid, type PaymentId } from '@watchword/contracts';
import type {
  Fact,
  Opening,
  Order,
  PaymentProvider,
  Reading,
  Reversal,
  Sought,
  Standing,
} from '../payment-provider.port.js';
import { amountFromStripe, stripeAmount } from './stripe-amount.policy.js';

export interface StripeAccount {
  readonly secretKey: string;
  readonly webhookSecret: string;
  readonly apiUrl: string;
  /** Where the payer's browser goes after the checkout page. */
  readonly returnUrl: string;
}

/** Milliseconds; with one repetition it stays below the deadline of the waiting call. */
const TIMEOUT_MS = 6_000;
const RETRIES = 1;
const LISTED_MAX = 100;
/** An amount that the currency does not allow at Stripe: the price of a credit must be another one. */
const AMOUNT_REFUSED = 'amount_not_chargeable';

type IntentOrId = string | Stripe.PaymentIntent | null;

/** What a later charge needs. */
interface Authorisation {
  customer: string;
  payment_method: string;
}

/**
 * Checkout Sessions for payers, Payment Intents for saved cards. Every object has the payment's id
 * in its metadata, and every creation an idempotency key.
 */
export class StripeProvider implements PaymentProvider {
  readonly name = 'stripe';
  readonly canSave = true;
  private readonly stripe: Stripe;

  constructor(private readonly account: StripeAccount) {
    const { protocol, hostname, port } = new URL(account.apiUrl);
    this.stripe = new Stripe(account.secretKey, {
      protocol: protocol === 'http:' ? 'http' : 'https',
      host: hostname,
      ...(port !== '' && { port: Number(port) }),
      timeout: TIMEOUT_MS,
      maxNetworkRetries: RETRIES,
      telemetry: false,
    });
  }

  async open(order: Order): Promise<Opening> {
    const { paymentId, reference, credits, currency, payerEmail } = order;
    const amount = stripeAmount(order.amount, currency);
    if (amount === null) return { verdict: 'refused', failure: AMOUNT_REFUSED };
    const metadata = { payment_id: paymentId, reference };
    try {
      const session = await this.stripe.checkout.sessions.create(
        {
          mode: 'payment',
          client_reference_id: paymentId,
          customer_email: payerEmail,
          line_items: [
            {
              quantity: 1,
              price_data: {
                currency: currency.toLowerCase(),
                unit_amount: amount,
                product_data: { name: `${credits} credits` },
              },
            },
          ],
          success_url: this.account.returnUrl,
          cancel_url: this.account.returnUrl,
          metadata,
          payment_intent_data: {
            metadata,
            ...(order.saveAuthorisation && { setup_future_usage: 'off_session' as const }),
          },
          ...(order.saveAuthorisation && { customer_creation: 'always' as const }),
        },
        { idempotencyKey: reference },
      );
      // A proxy's error page has no URL, and the SDK takes it for an answer.
      if (typeof session.url !== 'string') return { verdict: 'unanswered' };
      return { verdict: 'opened', checkoutUrl: session.url, providerReference: session.id };
    } catch (error) {
      const failure = refusalOf(error);
      return failure === undefined ? { verdict: 'unanswered' } : { verdict: 'refused', failure };
    }
  }

  async find(sought: Sought): Promise<Standing> {
    try {
      if (sought.authorisation !== null) return await this.findCharge(sought, sought.authorisation);
      if (sought.providerReference === null) return { state: 'unpaid' };
      const expand = ['payment_intent'];
      const session = await this.stripe.checkout.sessions.retrieve(sought.providerReference, {
        expand,
      });
      const intent = session.payment_intent;
      if (intent !== null && typeof intent !== 'string') {
        const standing = standingOf(intent);
        if (standing.state === 'paid' || standing.state === 'processing') return standing;
      }
      return { state: session.status === 'expired' ? 'expired' : 'unpaid' };
    } catch (error) {
      return failed(error);
    }
  }

  async charge(order: Order, authorisation: string): Promise<Standing> {
    const { customer, payment_method } = JSON.parse(authorisation) as Authorisation;
    const amount = stripeAmount(order.amount, order.currency);
    if (amount === null) return { state: 'declined', failure: AMOUNT_REFUSED };
    try {
      const intent = await this.stripe.paymentIntents.create(
        {
          amount,
          currency: order.currency.toLowerCase(),
          customer,
          payment_method,
          off_session: true,
          confirm: true,
          description: `${order.credits} credits`,
          metadata: { payment_id: order.paymentId, reference: order.reference },
        },
        { idempotencyKey: order.reference },
      );
      return standingOf(intent);
    } catch (error) {
      return failed(error);
    }
  }

  async readCallback(body: Buffer, signature: string): Promise<Reading> {
    let event: Stripe.Event;
    try {
      event = this.stripe.webhooks.constructEvent(body, signature, this.account.webhookSecret);
    } catch (error) {
      const isForged = error instanceof Stripe.errors.StripeSignatureVerificationError;
      return { verdict: isForged ? 'forged' : 'malformed' };
    }
    return { verdict: 'read', facts: await this.factsOf(event) };
  }

  async close(): Promise<void> {
    // The SDK closes its idle connections itself.
  }

  /** Looks up a charge after its answer was lost. */
  private async findCharge(sought: Sought, authorisation: string): Promise<Standing> {
    const { customer } = JSON.parse(authorisation) as Authorisation;
    const gte = Math.floor(sought.createdAt.getTime() / 1_000) - 60;
    const query = {
      ...(!sought.hasNewPayer && { customer }),
      created: { gte },
      limit: LISTED_MAX,
    };
    for await (const intent of this.stripe.paymentIntents.list(query)) {
      if (intent.metadata['reference'] === sought.reference) return standingOf(intent);
    }
    return { state: 'unpaid' };
  }

  private async factsOf(event: Stripe.Event): Promise<Fact[]> {
    switch (event.type) {
      case 'payment_intent.succeeded': {
        const paymentId = paymentIdOf(event.data.object.metadata);
        if (paymentId === undefined) return [];
        const standing = standingOf(event.data.object);
        if (standing.state !== 'paid') return [];
        const { state: _, ...paid } = standing;
        return [{ kind: 'paid', paymentId, ...paid }];
      }
      case 'checkout.session.expired':
      case 'checkout.session.async_payment_failed': {
        const paymentId = paymentIdOf(event.data.object.metadata);
        if (paymentId === undefined) return [];
        const isExpired = event.type === 'checkout.session.expired';
        const failure = isExpired ? null : 'payment_failed';
        return [{ kind: isExpired ? 'expired' : 'failed', paymentId, failure }];
      }
      case 'refund.created':
      case 'refund.updated':
      case 'refund.failed': {
        return this.refund(event.data.object.id);
      }
      case 'charge.dispute.created':
      case 'charge.dispute.funds_withdrawn': {
        const { id, amount, currency, status, payment_intent: intent } = event.data.object;
        // An inquiry takes no money yet.
        if (status.startsWith('warning_')) return [];
        return this.reversal('disputed', intent, { id, amount, currency });
      }
      default:
        return [];
    }
  }

  /** Events come in any order, so the refund counts as it is now. */
  private async refund(id: string): Promise<Fact[]> {
    const refund = answered(await this.stripe.refunds.retrieve(id));
    const { status, payment_intent: intent } = refund;
    if (status === 'succeeded') return this.reversal('refunded', intent, refund);
    if (status !== 'failed' && status !== 'canceled') return [];
    const paid = await this.paidWith(intent);
    if (paid === undefined) return [];
    return [{ kind: 'refund_failed', paymentId: paid.paymentId, reversalId: refund.id }];
  }

  private async reversal(
    kind: Reversal['kind'],
    intent: IntentOrId,
    { id, amount, currency }: { id: string; amount: number; currency: string },
  ): Promise<Fact[]> {
    const paid = await this.paidWith(intent);
    if (paid === undefined) return [];
    const money = { amount: amountFromStripe(amount, currency), currency: currency.toUpperCase() };
    return [{ kind, ...paid, reversalId: id, ...money }];
  }

  /** Refunds and disputes name only the Payment Intent, which names our payment. */
  private async paidWith(intent: IntentOrId) {
    if (intent === null) return undefined;
    const known =
      typeof intent === 'string'
        ? answered(await this.stripe.paymentIntents.retrieve(intent))
        : intent;
    const paymentId = paymentIdOf(known.metadata);
    return paymentId && { paymentId, providerPaymentId: known.id };
  }
}

/** Throws for a proxy's error page, which the SDK takes for an answer. */
function answered<Found extends { id: string }>(found: Found): Found {
  if (typeof found.id !== 'string') throw new Error('Stripe did not answer');
  return found;
}

/** Returns undefined for a payment of another system on the account. */
function paymentIdOf(metadata: Stripe.Metadata | null): PaymentId | undefined {
  const id = metadata?.['payment_id'];
  return id !== undefined && isUuid(id) ? asId(id) : undefined;
}

function standingOf(intent: Stripe.PaymentIntent): Standing {
  switch (intent.status) {
    case 'succeeded':
      return {
        state: 'paid',
        // The SDK does not check what an event holds.
        providerPaymentId: String((intent.id as unknown) ?? ''),
        reference: intent.metadata['reference'] ?? '',
        amount: amountFromStripe(intent.amount_received, intent.currency),
        currency: intent.currency.toUpperCase(),
        authorisation: authorisationOf(intent),
      };
    case 'processing':
      return { state: 'processing' };
    case 'requires_payment_method':
    case 'requires_action':
    case 'requires_confirmation':
    case 'canceled':
      return {
        state: 'declined',
        failure: intent.last_payment_error?.code ?? intent.status,
      };
    default:
      // A proxy's error page, which the SDK takes for an answer.
      return { state: 'unknown' };
  }
}

function authorisationOf(intent: Stripe.PaymentIntent): string | null {
  const { customer, payment_method: method } = intent;
  if (intent.setup_future_usage !== 'off_session' || !customer || !method) return null;
  const idOf = (object: string | { id: string }) =>
    typeof object === 'string' ? object : object.id;
  const authorisation: Authorisation = { customer: idOf(customer), payment_method: idOf(method) };
  return JSON.stringify(authorisation);
}

/**
 * Returns Stripe's reason for a request that it will never take. Undefined where it may have been
 * taken.
 */
function refusalOf(error: unknown): string | undefined {
  const { errors } = Stripe;
  if (
    error instanceof errors.StripeCardError ||
    error instanceof errors.StripeInvalidRequestError
  ) {
    return error.decline_code || error.code || error.type;
  }
  return undefined;
}

function failed(error: unknown): Standing {
  const failure = refusalOf(error);
  return failure === undefined ? { state: 'unknown' } : { state: 'declined', failure };
}
