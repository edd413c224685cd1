import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import {
  type Answer,
  type Callback,
  type ProviderSimulator,
  SimulatedApi,
  type Wrong,
} from './provider-simulator.ts';

const SECRET_KEY = 'sk_test_simulated_0123456789';
const WEBHOOK_SECRET = 'whsec_simulated_0123456789';

interface Intent {
  id: string;
  object: 'payment_intent';
  status: string;
  amount: number;
  amount_received: number;
  currency: string;
  customer: string | null;
  payment_method: string | null;
  setup_future_usage: string | null;
  metadata: Record<string, string>;
  created: number;
}

interface Session {
  id: string;
  object: 'checkout.session';
  url: string;
  status: string;
  payment_intent: string | null;
  metadata: Record<string, string>;
  order: URLSearchParams;
}

interface GivenRefund {
  id: string;
  amount: number;
  status: string;
  intent: string;
}

/** No two simulators of a process give the same id. */
let numbers = 0;

/** Checkout Sessions, Payment Intents, refunds and disputes, with Stripe's idempotency and signatures. */
export class StripeSimulator implements ProviderSimulator {
  readonly name = 'stripe';
  private readonly sessions = new Map<string, Session>();
  private readonly intents = new Map<string, Intent>();
  private readonly replies = new Map<string, { parameters: string; answer: Answer }>();
  /** As they are now. */
  private readonly refunds = new Map<string, object>();
  private declines = 0;
  private api!: SimulatedApi;

  static async start(): Promise<StripeSimulator> {
    const simulator = new StripeSimulator();
    simulator.api = await SimulatedApi.start((request, body) => simulator.handle(request, body));
    return simulator;
  }

  get settings() {
    return { secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET, apiUrl: this.api.url };
  }

  pay(checkoutUrl: string, wrong: Wrong = {}): Callback {
    const session = [...this.sessions.values()].find(({ url }) => url === checkoutUrl)!;
    const { order } = session;
    const price = 'line_items[0][price_data]';
    const amount = wrong.amount ?? Number(order.get(`${price}[unit_amount]`));
    const metadata = metadataOf(order, 'payment_intent_data[metadata]');
    if (wrong.paymentId !== undefined) metadata['payment_id'] = wrong.paymentId;
    if (wrong.reference !== undefined) metadata['reference'] = wrong.reference;
    const saves = order.get('payment_intent_data[setup_future_usage]');
    const intent = this.newIntent({
      amount,
      currency: (wrong.currency ?? order.get(`${price}[currency]`)!).toLowerCase(),
      customer: saves ? this.id('cus') : null,
      payment_method: this.id('pm'),
      setup_future_usage: saves,
      metadata,
    });
    session.status = 'complete';
    session.payment_intent = intent.id;
    const { id = intent.id } = wrong;
    return this.event('payment_intent.succeeded', { ...intent, id });
  }

  refund(intent: string, amount: number, id = this.id('re')): Callback {
    return this.refundEvent('refund.created', { id, amount, status: 'succeeded', intent });
  }

  failRefund(intent: string, amount: number, id: string): Callback {
    return this.refundEvent('refund.failed', { id, amount, status: 'failed', intent });
  }

  private refundEvent(type: string, { intent, ...given }: GivenRefund): Callback {
    const { currency } = this.intents.get(intent)!;
    const refund = { object: 'refund', ...given, currency, payment_intent: intent, metadata: {} };
    this.refunds.set(refund.id, refund);
    return this.event(type, refund);
  }

  dispute(intent: string): Callback {
    const { amount, currency } = this.intents.get(intent)!;
    const dispute = { id: this.id('dp'), object: 'dispute', amount, currency };
    return this.event('charge.dispute.created', {
      ...dispute,
      payment_intent: intent,
      status: 'needs_response',
    });
  }

  declineCharges(times: number): void {
    this.declines = times;
  }

  /** The SDK itself repeats a request once. */
  loseAnswers(times: number): void {
    this.api.lost = times * 2;
  }

  fail(times: number): void {
    this.api.failing = times * 2;
  }

  charges(): number {
    return [...this.intents.values()].filter(
      ({ metadata, setup_future_usage: usage, status }) =>
        metadata['payment_id'] && usage === null && status === 'succeeded' && metadata['charged'],
    ).length;
  }

  close(): Promise<void> {
    return this.api.close();
  }

  private handle(request: IncomingMessage, body: string): Answer {
    if (request.headers.authorization !== `Bearer ${SECRET_KEY}`) return refused(401, 'key');
    const url = new URL(request.url!, 'http://stripe');
    const form = new URLSearchParams(body);
    const key = String(request.headers['idempotency-key'] ?? '');
    if (request.method === 'GET') return this.read(url);
    const known = this.replies.get(key);
    if (known && known.parameters !== body) return refused(400, 'idempotency_error');
    if (known) return known.answer;
    const answer = this.write(url.pathname, form);
    if (key !== '') this.replies.set(key, { parameters: body, answer });
    return answer;
  }

  private read({ pathname, searchParams }: URL): Answer {
    const [, , kind, ...rest] = pathname.split('/');
    if (kind === 'checkout') {
      const session = this.sessions.get(rest[1]!);
      if (!session) return refused(404, 'resource_missing');
      const { order: _, payment_intent: intent, ...shown } = session;
      const expands = searchParams.get('expand[0]') === 'payment_intent' && intent !== null;
      const expanded = expands ? this.intents.get(intent) : intent;
      return { status: 200, json: { ...shown, payment_intent: expanded } };
    }
    if (kind === 'refunds') {
      const refund = this.refunds.get(rest[0]!);
      return refund ? { status: 200, json: refund } : refused(404, 'resource_missing');
    }
    if (rest[0] !== undefined) {
      const intent = this.intents.get(rest[0]);
      return intent ? { status: 200, json: intent } : refused(404, 'resource_missing');
    }
    const customer = searchParams.get('customer');
    const data = [...this.intents.values()].filter(
      (intent) => customer === null || intent.customer === customer,
    );
    return { status: 200, json: { object: 'list', data, has_more: false, url: pathname } };
  }

  private write(path: string, form: URLSearchParams): Answer {
    if (path === '/v1/checkout/sessions') {
      const id = this.id('cs');
      const session: Session = {
        id,
        object: 'checkout.session',
        url: `${this.api.url}/c/pay/${id}`,
        status: 'open',
        payment_intent: null,
        metadata: metadataOf(form, 'metadata'),
        order: form,
      };
      this.sessions.set(id, session);
      const { order: _, ...shown } = session;
      return { status: 200, json: shown };
    }
    if (path !== '/v1/payment_intents') return refused(404, 'unknown_path');
    if (this.declines > 0) {
      this.declines -= 1;
      const error = { type: 'card_error', code: 'card_declined', message: 'Declined.' };
      return { status: 402, json: { error } };
    }
    const intent = this.newIntent({
      amount: Number(form.get('amount')),
      currency: form.get('currency')!,
      customer: form.get('customer'),
      payment_method: form.get('payment_method'),
      setup_future_usage: null,
      metadata: { ...metadataOf(form, 'metadata'), charged: 'yes' },
    });
    return { status: 200, json: intent };
  }

  private newIntent(
    given: Omit<Intent, 'id' | 'object' | 'status' | 'amount_received' | 'created'>,
  ): Intent {
    const intent: Intent = {
      id: this.id('pi'),
      object: 'payment_intent',
      status: 'succeeded',
      amount_received: given.amount,
      created: Math.floor(Date.now() / 1_000),
      ...given,
    };
    this.intents.set(intent.id, intent);
    return intent;
  }

  private event(type: string, object: unknown): Callback {
    const event = { id: this.id('evt'), object: 'event', type, data: { object } };
    const body = Buffer.from(JSON.stringify(event, null, 2));
    const time = Math.floor(Date.now() / 1_000);
    const signed = createHmac('sha256', WEBHOOK_SECRET).update(`${time}.`).update(body);
    return { body, signature: `t=${time},v1=${signed.digest('hex')}` };
  }

  private id(prefix: string): string {
    return `${prefix}_${++numbers}`;
  }
}

function metadataOf(form: URLSearchParams, name: string): Record<string, string> {
  const members = [...form].flatMap(([key, value]) =>
    key.startsWith(`${name}[`) ? [[key.slice(name.length + 1, -1), value]] : [],
  );
  return Object.fromEntries(members) as Record<string, string>;
}

function refused(status: number, code: string): Answer {
  const type = code === 'idempotency_error' ? code : 'invalid_request_error';
  return { status, json: { error: { type, code, message: code } } };
}
