import { setTimeout as sleep } from 'node:timers/promises';
import { createPool } from '@watchword/postgres';
import { StripeSimulator } from '../../apps/billing/test/payments/stripe-simulator.ts';
import type { Answer, HttpClient } from '../support/http.ts';
import { logIn, type SessionHeaders, signUp } from '../support/session.ts';
import type { FaultRun } from './fault-run.ts';

/** What becomes of a payment after its checkout was opened. Nobody reports `unreported`: the provider is asked after a minute. */
const FATES = ['reported', 'reported often', 'refunded', 'unreported', 'abandoned'] as const;

const CREDITS = 100;
const PAYMENT_EVERY_MS = 500;
const TOP_UP_EVERY_MS = 300;
const RETRY_MS = 300;
const TRIES_MAX = 100;
/** Beyond any balance of the load, so that a top-up is always due. */
const TOP_UP = { threshold: 50_000_000, credits: 10, monthly_cap_credits: 50_000_000 };
/** Of so many looks at top-ups, charges are declined during the first half, and given up if that lasts long enough. */
const DECLINING_OF = 60;
const CHARGES_MAX = 5;
const SETTLED_WITHIN_MS = 60_000;

/** How long a process keeps a payment that it has claimed. */
const LEASE = "interval '2 minutes'";

/**
 * Owners who buy credits at a provider, which is played here, and one whose wallet fills itself again. The checker knows
 * the payments by the database, and `stop` compares them with what the provider has taken.
 */
export class SidePayments {
  private readonly run: FaultRun;
  private readonly stripe: StripeSimulator;
  private readonly stopping = new AbortController();
  private readonly begun = new Set<Promise<void>>();
  private ticking: Promise<unknown> = Promise.resolve();
  private buyer!: SessionHeaders;
  private saver!: SessionHeaders;
  private readonly startedAt = new Date().toISOString();
  private launchedAt = this.startedAt;
  private payments = 0;
  private looks = 0;

  // Node runs this file as it stands, and knows no parameter properties.
  private constructor(run: FaultRun, stripe: StripeSimulator) {
    this.run = run;
    this.stripe = stripe;
  }

  static async open(run: FaultRun): Promise<SidePayments> {
    return new SidePayments(run, await StripeSimulator.start());
  }

  /** The process before this one is dead, and what it had claimed need not wait. */
  relaunched(): void {
    this.launchedAt = new Date().toISOString();
  }

  /** Of the system, from its next start on. */
  get settings(): Record<string, string> {
    return this.stripe.settings;
  }

  async start(): Promise<void> {
    [this.buyer, this.saver] = [await this.payer('buyer'), await this.payer('saver')];
    await this.buy(this.saver, 'reported', { save_authorisation: true });
    this.ticking = Promise.all([
      this.every(PAYMENT_EVERY_MS, () => {
        return this.buy(this.buyer, FATES[this.payments % FATES.length]!);
      }),
      this.every(TOP_UP_EVERY_MS, () => this.topUp()),
    ]);
  }

  /** The system must be there. Nothing is charged twice, and nothing for nothing. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.ticking;
    await Promise.all(this.begun);
    await this.ask('PUT', this.saver, '/dashboard/top-up', { ...TOP_UP, enabled: false });
    this.stripe.declineCharges(0);
    const until = Date.now() + SETTLED_WITHIN_MS;
    let [paid, pending] = [0, 1];
    while ((pending > 0 || paid !== this.stripe.charges()) && Date.now() < until) {
      await this.hasten();
      await sleep(RETRY_MS);
      [paid, pending] = [await this.topUps('paid'), await this.topUps('pending')];
    }
    const charged = this.stripe.charges();
    this.run.say(`payments: ${this.payments} begun, ${charged} automatic charges, ${paid} paid`);
    this.run.expect(paid === charged, `${charged} automatic charges were taken, ${paid} are paid`);
    await this.stripe.close();
  }

  /** One workspace for all faults of a run: sign-ups are few. */
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

  private async buy(
    payer: SessionHeaders,
    fate: (typeof FATES)[number],
    more: object = {},
  ): Promise<void> {
    this.payments += 1;
    const body = { credits: CREDITS, provider: 'stripe', ...more };
    const key = { 'idempotency-key': `payment-${this.startedAt}-${this.payments}` };
    const created = await this.ask('POST', payer, '/dashboard/payments', body, key);
    const url = created?.json?.checkout_url as string | undefined;
    if (url === undefined || fate === 'abandoned') return;
    const callback = this.stripe.pay(url);
    if (fate === 'unreported') return;
    const times = fate === 'reported often' ? 3 : 1;
    await Promise.all(Array.from({ length: times }, () => this.report(callback)));
    if (fate !== 'refunded') return;
    const { data } = JSON.parse(callback.body.toString()) as {
      data: { object: { id: string; amount: number } };
    };
    await this.report(this.stripe.refund(data.object.id, data.object.amount));
  }

  /** Until it is taken, as the provider does. */
  private async report({ body, signature }: { body: Buffer; signature: string }): Promise<void> {
    const headers = { 'stripe-signature': signature, 'content-type': 'application/json' };
    const send = { raw: body.toString(), headers };
    await this.until((http) => http.request('POST', '/callbacks/payments/stripe', send));
  }

  /** Switched on again after it was given up. */
  private async topUp(): Promise<void> {
    this.looks += 1;
    const isDeclining = this.looks % DECLINING_OF < DECLINING_OF / 2;
    this.stripe.declineCharges(isDeclining ? CHARGES_MAX : 0);
    await this.hasten().catch(() => undefined);
    await this.ask('PUT', this.saver, '/dashboard/top-up', { ...TOP_UP, enabled: true });
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

  /** Asked again while the system is away. */
  private async until(ask: (http: HttpClient) => Promise<Answer>): Promise<Answer | undefined> {
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const answer = await ask(this.run.system.http).catch(() => undefined);
      if (answer !== undefined && answer.status < 500) return answer;
      await sleep(RETRY_MS);
    }
    return undefined;
  }

  /** Retries of declined charges come within moments instead of hours; a living process keeps what it has claimed. */
  private async hasten(): Promise<void> {
    await this.query(
      `UPDATE billing.payments SET due_at = now() WHERE status = 'pending' AND (
         (automatic AND due_at > now() + 2 * ${LEASE})
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

  private async query<Row extends object>(text: string): Promise<Row[]> {
    const options = { url: this.run.databaseUrl, applicationName: 'watchword-fault', max: 1 };
    const database = createPool(options);
    try {
      return (await database.query<Row>(text)).rows;
    } finally {
      await database.end();
    }
  }
}
