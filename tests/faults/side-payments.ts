import { setTimeout as sleep } from 'node:timers/promises';
import { PaystackSimulator } from '../../apps/billing/test/payments/paystack-simulator.ts';
import type {
  Callback,
  ProviderSimulator,
} from '../../apps/billing/test/payments/provider-simulator.ts';
import { StripeSimulator } from '../../apps/billing/test/payments/stripe-simulator.ts';
import type { Answer, HttpClient } from '../support/http.ts';
import { logIn, type SessionHeaders, signUp } from '../support/session.ts';
import type { FaultRun } from './fault-run.ts';
import { insist } from './insist.ts';

/**
 * What happens to a payment after its checkout was opened. `unreported` gets no callback, so the
 * provider is asked after a minute.
 */
const FATES = [
  'reported',
  'reported often',
  'refunded',
  'disputed',
  'unreported',
  'abandoned',
] as const;

/** Signature headers of the providers' callbacks. */
const SIGNATURES: Record<ProviderSimulator['name'], string> = {
  stripe: 'stripe-signature',
  paystack: 'x-paystack-signature',
};

const CREDITS = 100;
const PAYMENT_EVERY_MS = 500;
const TOP_UP_EVERY_MS = 300;
const RETRY_MS = 300;
/** Beyond any balance of the load, so that a top-up is always due. */
const TOP_UP = { threshold: 50_000_000, credits: 10, monthly_cap_credits: 50_000_000 };
/**
 * Checks of top-ups. Charges are declined during the first half, for 72 s: a top-up is given up after
 * five tries, and due ones are looked for every 5 s.
 */
const DECLINING_OF = 480;
const CHARGES_MAX = 5;
/**
 * A living process asks again a minute after a lost answer, and after its lease of two minutes
 * where it failed to write the result.
 */
const SETTLED_WITHIN_MS = 240_000;

/** How long a process holds a payment that it has claimed. */
const LEASE = "interval '2 minutes'";

/**
 * An owner that buys credits at both providers, which are simulated here, and one per provider with
 * automatic top-ups. The checker knows the payments by the database, and `stop` compares them with
 * what the providers have taken.
 */
export class SidePayments {
  private readonly run: FaultRun;
  private readonly providers: readonly ProviderSimulator[];
  private readonly stopping = new AbortController();
  private readonly begun = new Set<Promise<void>>();
  private ticking: Promise<unknown> = Promise.resolve();
  private buyer!: SessionHeaders;
  private savers: readonly SessionHeaders[] = [];
  private readonly startedAt = new Date().toISOString();
  private launchedAt = this.startedAt;
  private payments = 0;
  private turns = 0;

  // Node runs this file as it stands, and knows no parameter properties.
  private constructor(run: FaultRun, providers: readonly ProviderSimulator[]) {
    this.run = run;
    this.providers = providers;
    run.system.ended.addEventListener('abort', () => {
      this.stopping.abort();
      void this.close();
    });
  }

  static async open(run: FaultRun): Promise<SidePayments> {
    const providers = [await StripeSimulator.start(), await PaystackSimulator.start()];
    return new SidePayments(run, providers);
  }

  /** The process before this one is dead, and what it had claimed need not wait. */
  relaunched(): void {
    this.launchedAt = new Date().toISOString();
  }

  /** The environment of the system from its next start on: its providers are the simulators then. */
  get environment(): Record<string, string> {
    const simulators = this.providers.map(({ name, settings }) => [name, settings] as const);
    return {
      NODE_OPTIONS: `--import=${new URL('payment-simulators.mjs', import.meta.url).href}`,
      PAYMENT_SIMULATORS: JSON.stringify(Object.fromEntries(simulators)),
    };
  }

  async start(): Promise<void> {
    this.buyer = await this.payer('buyer');
    const savers: SessionHeaders[] = [];
    for (const provider of this.providers) {
      const saver = await this.payer(`saver-${provider.name}`);
      await this.buy(saver, provider, 'reported', { save_authorisation: true });
      const switched = await this.switchTopUp(saver, true);
      if (switched?.status !== 200) throw new Error(`no automatic top-up: ${switched?.text}`);
      savers.push(saver);
    }
    this.savers = savers;
    this.ticking = Promise.all([
      this.every(PAYMENT_EVERY_MS, () => this.buyNext()),
      this.every(TOP_UP_EVERY_MS, () => this.topUp()),
    ]);
  }

  /** The system must be there. Nothing is charged twice, and nothing for nothing. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.ticking;
    await Promise.all(this.begun);
    await this.switchTopUps(false);
    this.declineCharges(0);
    const until = Date.now() + SETTLED_WITHIN_MS;
    let [paid, pending] = [0, 1];
    while ((pending > 0 || paid !== this.charges()) && Date.now() < until) {
      await this.hasten();
      await sleep(RETRY_MS);
      [paid, pending] = [await this.topUps('paid'), await this.topUps('pending')];
    }
    const charged = this.charges();
    this.run.say(`payments: ${this.payments} begun, ${charged} automatic charges, ${paid} paid`);
    if (paid !== charged) this.run.say(`unpaid top-ups: ${JSON.stringify(await this.unpaid())}`);
    this.run.expect(paid === charged, `${charged} automatic charges were taken, ${paid} are paid`);
    await this.close();
  }

  private async close(): Promise<void> {
    for (const provider of this.providers) await provider.close();
  }

  private charges(): number {
    return this.providers.reduce((sum, provider) => sum + provider.charges(), 0);
  }

  private declineCharges(times: number): void {
    for (const provider of this.providers) provider.declineCharges(times);
  }

  private async switchTopUps(enabled: boolean): Promise<void> {
    for (const saver of this.savers) await this.switchTopUp(saver, enabled);
  }

  private switchTopUp(saver: SessionHeaders, enabled: boolean): Promise<Answer | undefined> {
    return this.ask('PUT', saver, '/dashboard/top-up', { ...TOP_UP, enabled });
  }

  /** Returns one workspace for all faults of a run, because sign-ups are limited. */
  private async payer(name: string): Promise<SessionHeaders> {
    const { http, port } = this.run.system;
    const body = { email: `${name}-${port}@example.com`, password: 'staple battery horse' };
    return signUp(http, body).catch(() => logIn(http, body));
  }

  private async every(everyMs: number, begin: () => Promise<unknown>): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const work = begin().then(
        () => undefined,
        (error: unknown) => this.run.say(`a payment of the load failed: ${String(error)}`),
      );
      this.begun.add(work);
      void work.finally(() => this.begun.delete(work));
      await sleep(everyMs);
    }
  }

  /** Buys with each fate at each provider in turn. */
  private buyNext(): Promise<void> {
    const { length } = FATES;
    const provider = this.providers[Math.floor(this.payments / length) % this.providers.length]!;
    return this.buy(this.buyer, provider, FATES[this.payments % length]!);
  }

  private async buy(
    payer: SessionHeaders,
    provider: ProviderSimulator,
    fate: (typeof FATES)[number],
    more: object = {},
  ): Promise<void> {
    this.payments += 1;
    const body = { credits: CREDITS, provider: provider.name, ...more };
    const key = { 'idempotency-key': `payment-${this.startedAt}-${this.payments}` };
    const created = await this.ask('POST', payer, '/dashboard/payments', body, key);
    const url = created?.json?.checkout_url as string | undefined;
    // At most five payments of a workspace are pending: one more is refused.
    if (url === undefined) return;
    if (fate === 'abandoned') return this.expire(created?.json?.payment_id as string);
    const callback = provider.pay(url);
    if (fate === 'unreported') return;
    const times = fate === 'reported often' ? 3 : 1;
    await Promise.all(Array.from({ length: times }, () => this.report(provider, callback)));
    const { id, amount } = paidOf(callback);
    if (fate === 'refunded') await this.report(provider, provider.refund(id, amount));
    if (fate === 'disputed') await this.report(provider, provider.dispute(id));
  }

  /** Repeats a callback until it is accepted, as the provider does. */
  private async report({ name }: ProviderSimulator, { body, signature }: Callback): Promise<void> {
    const headers = { [SIGNATURES[name]]: signature, 'content-type': 'application/json' };
    const send = { raw: body.toString(), headers };
    await this.until((http) => http.request('POST', `/callbacks/payments/${name}`, send));
  }

  /** Switched on again after it was given up. */
  private async topUp(): Promise<void> {
    this.turns += 1;
    const isDeclining = this.turns % DECLINING_OF < DECLINING_OF / 2;
    this.declineCharges(isDeclining ? CHARGES_MAX : 0);
    await this.hasten().catch(() => undefined);
    await this.expireLeftOpen().catch(() => undefined);
    await this.switchTopUps(true);
  }

  private ask(
    method: string,
    payer: SessionHeaders,
    path: string,
    body: unknown,
    more: Record<string, string> = {},
  ): Promise<Answer | undefined> {
    const headers = { ...payer, ...more };
    return this.until((http) => http.request(method, path, { body, headers }));
  }

  /** Repeated while the system is unavailable. */
  private until(ask: (http: HttpClient) => Promise<Answer>): Promise<Answer | undefined> {
    return insist(() => ask(this.run.system.http));
  }

  /** As a day later. */
  private async expire(id: string): Promise<void> {
    await this.expireWhere(`id = '${id}'`);
  }

  /** Those whose checkout page the load never saw. Five of them, and the buyer could begin no further one. */
  private async expireLeftOpen(): Promise<void> {
    await this.expireWhere(`NOT automatic AND created_at < now() - interval '2 minutes'`);
  }

  private async expireWhere(condition: string): Promise<void> {
    await this.query(
      `UPDATE billing.payments SET status = 'expired', due_at = NULL
       WHERE status = 'pending' AND ${condition}`,
    );
  }

  /** Retries of declined charges come within moments instead of hours; a living process keeps what it has claimed. */
  private async hasten(): Promise<void> {
    await this.query(
      `UPDATE billing.payments SET due_at = now() WHERE status = 'pending' AND (
         (automatic AND due_at > now() + 2 * ${LEASE})
         OR (NOT automatic AND created_at < now() - interval '5 seconds'
           AND due_at > now() AND due_at <= created_at + interval '1 minute')
         OR (due_at > now() AND due_at < timestamptz '${this.launchedAt}' + ${LEASE}))`,
    );
  }

  private async topUps(status: 'paid' | 'pending'): Promise<number> {
    const rows = await this.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM billing.payments
       WHERE automatic AND status = '${status}' AND created_at >= '${this.startedAt}'`,
    );
    return rows[0]!.n;
  }

  private unpaid(): Promise<object[]> {
    return this.query(
      `SELECT id, provider, status, attempt, charging, due_at, failure, held, updated_at
       FROM billing.payments
       WHERE automatic AND status <> 'paid' AND created_at >= '${this.startedAt}'
       ORDER BY id DESC LIMIT 20`,
    );
  }

  private query<Row extends object>(text: string): Promise<Row[]> {
    return this.run.withDatabase(async (database) => (await database.query<Row>(text)).rows);
  }
}

/** Returns the provider's own id of the reported payment. */
function paidOf({ body }: Callback): { id: string; amount: number } {
  type Paid = { id: string | number; amount: number };
  const { data } = JSON.parse(body.toString()) as { data: Paid & { object?: Paid } };
  const { id, amount } = data.object ?? data;
  return { id: String(id), amount };
}
