import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import {
  type Answer,
  type Callback,
  type ProviderSimulator,
  SimulatedApi,
  type Wrong,
} from './provider-simulator.ts';

const SECRET_KEY = 'sk_test_paystack_simulated';

interface Transaction {
  id: number;
  reference: string;
  status: string;
  amount: number;
  currency: string;
  gateway_response: string;
  authorization: { authorization_code?: string; reusable?: boolean };
  customer: { email: string };
  charged: boolean;
}

/** No two simulators of a process give the same id. */
let numbers = 4_099_260_000;

/** Transactions, charges of authorisations, refunds and disputes, as Paystack documents them. */
export class PaystackSimulator implements ProviderSimulator {
  readonly name = 'paystack';
  private readonly transactions = new Map<string, Transaction>();
  private readonly authorisations = new Map<string, string>();
  private declines = 0;
  private api!: SimulatedApi;

  static async start(): Promise<PaystackSimulator> {
    const simulator = new PaystackSimulator();
    simulator.api = await SimulatedApi.start((request, body) => simulator.handle(request, body));
    return simulator;
  }

  get settings() {
    return { secretKey: SECRET_KEY, webhookSecret: '', apiUrl: this.api.url };
  }

  pay(checkoutUrl: string, wrong: Wrong = {}): Callback {
    const reference = decodeURIComponent(checkoutUrl.split('/').at(-1)!);
    const transaction = this.transactions.get(reference)!;
    const code = `AUTH_${++numbers}`;
    this.authorisations.set(code, transaction.customer.email);
    Object.assign(transaction, wrong, { status: 'success', gateway_response: 'Successful' });
    this.transactions.set(transaction.reference, transaction);
    transaction.authorization = { authorization_code: code, reusable: true };
    return this.event('charge.success', shown(transaction));
  }

  refund(id: string, amount: number, refund = `TRF_${++numbers}`): Callback {
    const transaction = this.byId(id);
    if (amount >= transaction.amount) transaction.status = 'reversed';
    return this.refundEvent('processed', { id, amount, refund });
  }

  failRefund(id: string, amount: number, refund: string): Callback {
    return this.refundEvent('failed', { id, amount, refund });
  }

  private refundEvent(
    status: 'processed' | 'failed',
    { id, amount, refund }: { id: string; amount: number; refund: string },
  ): Callback {
    const { reference, currency } = this.byId(id);
    return this.event(`refund.${status}`, {
      status,
      transaction_reference: reference,
      refund_reference: refund,
      amount: String(amount),
      currency,
    });
  }

  dispute(id: string): Callback {
    const { reference, amount, currency } = this.byId(id);
    const transaction = { id: Number(id), reference, amount, currency };
    const dispute = { id: ++numbers, refund_amount: amount, currency };
    return this.event('charge.dispute.create', { ...dispute, status: 'pending', transaction });
  }

  declineCharges(times: number): void {
    this.declines = times;
  }

  loseAnswers(times: number): void {
    this.api.lost = times;
  }

  fail(times: number): void {
    this.api.failing = times;
  }

  charges(): number {
    const all = [...this.transactions.values()];
    return all.filter(({ charged, status }) => charged && status === 'success').length;
  }

  close(): Promise<void> {
    return this.api.close();
  }

  private handle({ method, url = '', headers }: IncomingMessage, body: string): Answer {
    if (headers.authorization !== `Bearer ${SECRET_KEY}`) return refused(401, 'Invalid key');
    if (method === 'GET') {
      const reference = decodeURIComponent(url.replace('/transaction/verify/', ''));
      const known = this.transactions.get(reference);
      if (!known) return refused(400, 'Transaction reference not found.');
      return done('Verification successful', shown(known));
    }
    const order = JSON.parse(body) as Record<string, string> & { amount: number };
    const { reference = '' } = order;
    if (this.transactions.has(reference)) return refused(400, 'Duplicate Transaction Reference');
    if (url === '/transaction/initialize') {
      this.begin(order);
      const authorization_url = `${this.api.url}/pay/${encodeURIComponent(reference)}`;
      return done('Authorization URL created', { authorization_url, reference });
    }
    const { authorization_code: code = '', email } = order;
    if (this.authorisations.get(code) !== email) {
      return refused(400, 'Email does not match Authorization code.');
    }
    const isDeclined = this.declines > 0;
    if (isDeclined) this.declines -= 1;
    const transaction = this.begin(order);
    transaction.charged = true;
    transaction.status = isDeclined ? 'failed' : 'success';
    transaction.gateway_response = isDeclined ? 'Declined' : 'Approved';
    return done('Charge attempted', shown(transaction));
  }

  private begin(order: Record<string, string> & { amount: number }): Transaction {
    const transaction: Transaction = {
      id: ++numbers,
      reference: order['reference']!,
      status: 'abandoned',
      amount: order.amount,
      currency: order['currency']!,
      gateway_response: '',
      authorization: {},
      customer: { email: order['email']! },
      charged: false,
    };
    this.transactions.set(transaction.reference, transaction);
    return transaction;
  }

  private byId(id: string): Transaction {
    return [...this.transactions.values()].find((one) => String(one.id) === id)!;
  }

  private event(event: string, data: unknown): Callback {
    const body = Buffer.from(JSON.stringify({ event, data }));
    return { body, signature: createHmac('sha512', SECRET_KEY).update(body).digest('hex') };
  }
}

function shown(transaction: Transaction): object {
  return { ...transaction, charged: undefined };
}

function done(message: string, data: object): Answer {
  return { status: 200, json: { status: true, message, data } };
}

function refused(status: number, message: string): Answer {
  return { status, json: { status: false, message } };
}
