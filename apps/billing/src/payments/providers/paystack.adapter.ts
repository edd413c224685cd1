import { createHmac, timingSafeEqual } from 'node:crypto';
import { Pool } from 'undici';
import {
  type Fact,
  type Opening,
  type Order,
  type PaymentProvider,
  paymentIdOf,
  type Reading,
  type Sought,
  type Standing,
} from '../payment-provider.port.js';

export interface PaystackAccount {
  readonly secretKey: string;
  readonly apiUrl: string;
  /** Where the payer's browser goes after the checkout page. */
  readonly returnUrl: string;
}

const TIMEOUT_MS = 10_000;
const CONNECTIONS = 8;
const ANSWER_BYTES_MAX = 256 * 1024;

type Json = Readonly<Record<string, unknown>>;
type Answer = { status: number; ok: boolean; message: string; data: Json };

/** What a later charge needs. Paystack binds an authorisation to the email it was given with. */
interface Authorisation {
  authorization_code: string;
  email: string;
}

export class PaystackProvider implements PaymentProvider {
  readonly name = 'paystack';
  readonly canSave = true;
  private readonly pool: Pool;
  private readonly path: string;

  constructor(private readonly account: PaystackAccount) {
    const { origin, pathname } = new URL(account.apiUrl);
    this.path = pathname.replace(/\/+$/, '');
    this.pool = new Pool(origin, {
      connections: CONNECTIONS,
      connectTimeout: TIMEOUT_MS,
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    });
  }

  async open(order: Order): Promise<Opening> {
    const { reference, amount, currency, payerEmail } = order;
    const answer = await this.call('POST', '/transaction/initialize', {
      email: payerEmail,
      amount,
      currency,
      reference,
      callback_url: this.account.returnUrl,
      metadata: { payment_id: order.paymentId },
    });
    if (answer === undefined) return { verdict: 'unanswered' };
    const { authorization_url: url } = answer.data;
    if (!answer.ok || typeof url !== 'string') {
      return { verdict: 'refused', failure: answer.message };
    }
    return { verdict: 'opened', checkoutUrl: url, providerReference: reference };
  }

  async find({ reference }: Sought): Promise<Standing> {
    const answer = await this.call('GET', `/transaction/verify/${encodeURIComponent(reference)}`);
    if (answer === undefined) return { state: 'unknown' };
    // Paystack answers so for a reference that it has never seen.
    if (!answer.ok) return { state: 'unpaid' };
    return standingOf(answer.data);
  }

  async charge(order: Order, authorisation: string): Promise<Standing> {
    const { authorization_code, email } = JSON.parse(authorisation) as Authorisation;
    const { reference, amount, currency } = order;
    const answer = await this.call('POST', '/transaction/charge_authorization', {
      authorization_code,
      email,
      amount,
      currency,
      reference,
      metadata: { payment_id: order.paymentId },
    });
    if (answer === undefined) return { state: 'unknown' };
    if (answer.ok) return standingOf(answer.data);
    // A reference is charged once. The look-up returns its result.
    if (/duplicate transaction reference/i.test(answer.message)) {
      return { state: 'processing' };
    }
    return { state: 'declined', failure: answer.message };
  }

  async readCallback(body: Buffer, signature: string): Promise<Reading> {
    const expected = createHmac('sha512', this.account.secretKey).update(body).digest();
    const given = Buffer.from(signature, 'hex');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      return { verdict: 'forged' };
    }
    const event = objectOf(parsed(body.toString('utf8')));
    if (typeof event['event'] !== 'string') return { verdict: 'malformed' };
    return { verdict: 'read', facts: await this.factsOf(event['event'], objectOf(event['data'])) };
  }

  async close(): Promise<void> {
    await this.pool.destroy();
  }

  /** Returns no facts for events of other systems on the account, and for events without money. */
  private async factsOf(event: string, data: Json): Promise<Fact[]> {
    switch (event) {
      case 'charge.success':
        return paidBy(data);
      case 'refund.processed':
        return this.refund(data);
      case 'refund.failed': {
        const paymentId = paymentIdOf(data['transaction_reference']);
        const reversalId = refundIdOf(data);
        return paymentId === undefined ? [] : [{ kind: 'refund_failed', paymentId, reversalId }];
      }
      case 'charge.dispute.create':
        return this.dispute(data);
      default:
        return [];
    }
  }

  private async refund(data: Json): Promise<Fact[]> {
    const { transaction_reference: reference, amount, currency } = data;
    const paymentId = paymentIdOf(reference);
    if (paymentId === undefined) return [];
    return [
      {
        kind: 'refunded',
        paymentId,
        providerPaymentId: await this.idAtPaystack(reference),
        reversalId: refundIdOf(data),
        amount: Number(amount),
        currency: String(currency),
      },
    ];
  }

  private async dispute(data: Json): Promise<Fact[]> {
    const transaction = objectOf(data['transaction']);
    const { reference } = transaction;
    const paymentId = paymentIdOf(reference);
    if (paymentId === undefined) return [];
    const id = textOf(data['id']);
    return [
      {
        kind: 'disputed',
        paymentId,
        providerPaymentId: textOf(transaction['id']) || (await this.idAtPaystack(reference)),
        reversalId: id && `dispute-${id}`,
        amount: Number(data['refund_amount'] ?? transaction['amount']),
        currency: String(data['currency'] ?? transaction['currency']),
      },
    ];
  }

  /** Returns the payment that has this reference at Paystack. Null where Paystack does not say. */
  private async idAtPaystack(reference: unknown): Promise<string | null> {
    const path = `/transaction/verify/${encodeURIComponent(String(reference))}`;
    const answer = await this.call('GET', path);
    return answer?.ok ? textOf(answer.data['id']) || null : null;
  }

  /** Returns undefined when Paystack may have acted and did not say. */
  private async call(
    method: 'GET' | 'POST',
    path: string,
    body?: Json,
  ): Promise<Answer | undefined> {
    try {
      const { statusCode, body: answer } = await this.pool.request({
        method,
        path: this.path + path,
        headers: {
          authorization: `Bearer ${this.account.secretKey}`,
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const text = await answer.text();
      if (statusCode >= 500 || statusCode === 429 || text.length > ANSWER_BYTES_MAX)
        return undefined;
      // The key is wrong: nothing was done, but that can change.
      if (statusCode === 401) return undefined;
      const json = objectOf(parsed(text));
      if (typeof json['status'] !== 'boolean') return undefined;
      const message = typeof json['message'] === 'string' ? json['message'] : 'refused';
      return { status: statusCode, ok: json['status'], message, data: objectOf(json['data']) };
    } catch {
      return undefined;
    }
  }
}

function standingOf(transaction: Json): Standing {
  const { id, reference, status, amount, currency } = transaction;
  switch (status) {
    case 'success':
    case 'reversed':
      return {
        state: status === 'success' ? 'paid' : 'reversed',
        providerPaymentId: textOf(id),
        reference: String(reference),
        amount: Number(amount),
        currency: String(currency),
        authorisation: authorisationOf(transaction),
      };
    case 'failed': {
      const { gateway_response: response } = transaction;
      return { state: 'declined', failure: typeof response === 'string' ? response : status };
    }
    case 'abandoned':
      return { state: 'unpaid' };
    default:
      return { state: 'processing' };
  }
}

function authorisationOf(transaction: Json): string | null {
  const { authorization_code: code, reusable } = objectOf(transaction['authorization']);
  const { email } = objectOf(transaction['customer']);
  if (reusable !== true || typeof code !== 'string' || typeof email !== 'string') return null;
  const authorisation: Authorisation = { authorization_code: code, email };
  return JSON.stringify(authorisation);
}

function paidBy(transaction: Json): Fact[] {
  const paymentId = paymentIdOf(transaction['reference']);
  const standing = standingOf(transaction);
  if (paymentId === undefined || standing.state !== 'paid') return [];
  const { state: _, ...paid } = standing;
  return [{ kind: 'paid', paymentId, ...paid }];
}

/** Returns an empty text if the refund has no id. */
function refundIdOf(refund: Json): string {
  return textOf(refund['refund_reference'] ?? refund['id']);
}

function textOf(id: unknown): string {
  return typeof id === 'string' || typeof id === 'number' ? String(id) : '';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Json)
    : {};
}
