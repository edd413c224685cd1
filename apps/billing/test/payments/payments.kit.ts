import { expect } from '@jest/globals';
import type { Type } from '@nestjs/common';
import type { TestingModule } from '@nestjs/testing';
import {
  newId,
  type OperatorPayment,
  type Page,
  type Payment,
  type PaymentId,
  type PutTopUpBody,
  routes,
  type TopUpSettings,
  type UserId,
  type WorkspaceId,
} from '@watchword/contracts';
import { type DatabasePool, DatabaseUnavailable } from '@watchword/postgres';
import { FakeClock, type TestDatabase } from '@watchword/testing';
import { AutomaticTopUpHandler } from '../../src/payments/automatic-top-up.handler.js';
import {
  CreatePaymentHandler,
  type PaymentRequest,
} from '../../src/payments/create-payment.handler.js';
import { DuePaymentsHandler } from '../../src/payments/due-payments.handler.js';
import type { PaymentProvider } from '../../src/payments/payment-provider.port.js';
import { PaystackProvider } from '../../src/payments/providers/paystack.adapter.js';
import { StripeProvider } from '../../src/payments/providers/stripe.adapter.js';
import {
  ledgerFaults,
  openTestDatabase,
  queueOf,
  replica,
  type Serve,
  type TestCalls,
} from '../billing.kit.js';
import { PaystackSimulator } from './paystack-simulator.ts';
import type { Callback, ProviderSimulator } from './provider-simulator.ts';
import { StripeSimulator } from './stripe-simulator.ts';

export const ENCRYPTION_KEYS = ['0f'.repeat(32)];
/** Who pays, unless a test says so. */
export const OWNER = newId<UserId>();
/** Of a purchase. */
export const CREDITS = 1_000;
export const PRICE = 100;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;

export const SIMULATORS: Record<'stripe' | 'paystack', () => Promise<ProviderSimulator>> = {
  stripe: () => StripeSimulator.start(),
  paystack: () => PaystackSimulator.start(),
};

function adapterOf({ name, settings }: ProviderSimulator): PaymentProvider {
  const returnUrl = 'https://example.com/console';
  const account = { ...settings, returnUrl };
  return name === 'paystack' ? new PaystackProvider(account) : new StripeProvider(account);
}

export type CreateRequest = PaymentRequest;

/** Returns the provider's id of the payment in its report. */
export function providerIdIn({ body }: Callback): string {
  return /pi_\d+|(?<="id":)\d+/.exec(body.toString())![0];
}

/** Billing with one provider, played by its simulator. */
export class PaymentEnvironment {
  private constructor(
    readonly database: TestDatabase,
    readonly simulator: ProviderSimulator,
    readonly clock: FakeClock,
    private readonly module: TestingModule,
    readonly calls: TestCalls,
    readonly serve: Serve,
  ) {}

  static async open(
    simulator: ProviderSimulator,
    given?: TestDatabase,
  ): Promise<PaymentEnvironment> {
    const database = given ?? (await openTestDatabase());
    const clock = new FakeClock();
    const { calls, serve, module } = await replica(database, clock, [adapterOf(simulator)]);
    return new PaymentEnvironment(database, simulator, clock, module, calls, serve);
  }

  get pool(): DatabasePool {
    return this.database.pool;
  }

  async close(): Promise<void> {
    await this.module.close();
    await this.simulator.close();
    const faults = await ledgerFaults(this.pool);
    await this.database.drop();
    expect(faults).toEqual([]);
  }

  async wallet(credits = 0): Promise<WorkspaceId> {
    const workspace = newId<WorkspaceId>();
    await this.calls.openAccount({ workspace_id: workspace, credits, kind: 'bonus' });
    return workspace;
  }

  create(workspace: WorkspaceId, over: Partial<CreateRequest> = {}) {
    return this.part(CreatePaymentHandler).create({
      workspace_id: workspace,
      user_id: OWNER,
      email: 'owner@example.com',
      credits: CREDITS,
      provider: this.simulator.name,
      idempotency: null,
      ...over,
    });
  }

  /** Creates a payment and returns it with its page. */
  async checkout(workspace: WorkspaceId, over: Partial<CreateRequest> = {}) {
    const created = await this.create(workspace, over);
    if (!('payment' in created)) throw new Error(created.verdict);
    const { payment_id: id, checkout_url: url } = created.payment;
    return { id, url: url! };
  }

  /** Makes a purchase that is paid and reported. */
  async bought(workspace: WorkspaceId, over: Partial<CreateRequest> = {}): Promise<PaymentId> {
    const { id, url } = await this.checkout(workspace, over);
    await this.receive(this.simulator.pay(url));
    return id;
  }

  async receive({ body, signature }: Callback): Promise<string> {
    const { verdict } = await this.calls.receivePaymentCallback({
      provider: this.simulator.name,
      signature,
      body_base64: body.toString('base64'),
    });
    return verdict;
  }

  /** Repeats the callback while the database has no free connection, as providers do after a 503. */
  async receiveAtLast(callback: Callback): Promise<string> {
    for (;;) {
      try {
        return await this.receive(callback);
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable)) throw error;
      }
    }
  }

  async payment(workspace: WorkspaceId, id: PaymentId): Promise<Payment> {
    const asked = { workspace_id: workspace, parameters: { id } };
    return (await this.serve<Payment>(routes.getPayment, asked)).body!;
  }

  async providerIdOf(id: string): Promise<string> {
    const { rows } = await this.pool.query<{ id: string }>(
      'SELECT provider_payment_id AS id FROM billing.payments WHERE id = $1',
      [id],
    );
    return rows[0]!.id;
  }

  async account(workspace: WorkspaceId) {
    const account = await this.calls.getAccount({ workspace_id: workspace });
    const { rows } = await this.pool.query<{ debt: number }>(
      'SELECT debt FROM billing.accounts WHERE workspace_id = $1',
      [workspace],
    );
    const { balance, purchased_credits: purchased } = account!;
    return { balance, purchased, debt: rows[0]!.debt };
  }

  async entries(workspace: WorkspaceId) {
    const page = await this.calls.listEntries({ workspace_id: workspace, limit: 200 });
    return page.data.map(({ top_up_kind: kind, credits, payment_id: payment }) => ({
      kind,
      credits,
      payment,
    }));
  }

  /** Returns what an operator sees of held payments. */
  async held() {
    const query = { limit: 10, held: true };
    return (await this.serve<Page<OperatorPayment>>(routes.searchPayments, { query })).body!;
  }

  /** Lists payments as a member sees them. */
  async list(workspace: WorkspaceId, limit = 100): Promise<Page<Payment>> {
    const asked = { workspace_id: workspace, query: { limit } };
    return (await this.serve<Page<Payment>>(routes.listPayments, asked)).body!;
  }

  /** Confirms a manual payment, as an operator does. */
  async confirm(id: PaymentId): Promise<OperatorPayment> {
    const asked = { parameters: { id } };
    return (await this.serve<OperatorPayment>(routes.confirmPayment, asked)).body!;
  }

  async topUpSettings(workspace: WorkspaceId): Promise<TopUpSettings> {
    return (await this.serve<TopUpSettings>(routes.getTopUp, { workspace_id: workspace })).body!;
  }

  /** Sets the automatic top-up, as this member does. */
  async putTopUp(workspace: WorkspaceId, id: UserId, body: PutTopUpBody): Promise<TopUpSettings> {
    const user = { id, email: 'owner@example.com' };
    const asked = { workspace_id: workspace, user, body };
    return (await this.serve<TopUpSettings>(routes.putTopUp, asked)).body!;
  }

  async lastAnnounced() {
    return (await queueOf(this.pool, 'svc.credit-events.v1')).at(-1)!.payload;
  }

  part<Part>(type: Type<Part>): Part {
    return this.module.get(type, { strict: false });
  }

  /** Runs the jobs once. */
  async look(): Promise<void> {
    await this.part(AutomaticTopUpHandler).begin();
    await this.part(DuePaymentsHandler).handle();
  }
}
