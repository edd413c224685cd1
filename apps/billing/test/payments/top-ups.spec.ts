import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type WorkspaceId } from '@watchword/contracts';
import { KeyRing } from '@watchword/platform';
import { billingService } from '../../src/index.js';
import { PaymentStore } from '../../src/payments/payment.store.js';
import { queueOf } from '../billing.kit.js';
import {
  ENCRYPTION_KEYS,
  HOUR_MS,
  MINUTE_MS,
  OWNER,
  PaymentEnvironment,
  SIMULATORS,
} from './payments.kit.js';

const SETTINGS = { enabled: true, threshold: 500, credits: 1_000, monthly_cap_credits: 3_000 };
const RETRIES_MS = [15 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, 24 * HOUR_MS];

describe.each(['stripe', 'paystack'] as const)('automatic top-ups through %s', (name) => {
  let environment: PaymentEnvironment;
  let workspace: WorkspaceId;

  beforeEach(async () => {
    environment = await PaymentEnvironment.open(await SIMULATORS[name]());
    workspace = await environment.wallet();
    await environment.bought(workspace, { save_authorisation: true });
  });

  afterEach(() => environment?.close());

  const enable = (over: Partial<typeof SETTINGS> = {}) =>
    environment.putTopUp(workspace, OWNER, { ...SETTINGS, ...over });
  const spend = (credits: number) =>
    environment.calls.topUp({
      ...{ workspace_id: workspace, credits: -credits, kind: 'adjustment', idempotency: null },
    });
  const settings = () => environment.topUpSettings(workspace);
  const automatic = async () =>
    (await environment.list(workspace)).data.filter((payment) => payment.automatic);
  const failures = async () =>
    (await queueOf(environment.pool, 'svc.credit-events.v1'))
      .map(({ payload }) => payload as { type: string })
      .filter(({ type }) => type === 'credit.top_up_failed');

  it('need a saved authorisation, which is encrypted and bound to its workspace', async () => {
    const other = await environment.wallet();
    const refused = { type: 'conflict', field: 'enabled' };
    await expect(environment.putTopUp(other, OWNER, SETTINGS)).rejects.toMatchObject(refused);
    expect(await enable()).toMatchObject({
      ...{ ...SETTINGS, authorisation: { provider: name }, disabled_reason: null },
    });
    const { rows } = await environment.pool.query<{ authorisation: Buffer }>(
      'SELECT authorisation FROM billing.payment_authorisations WHERE workspace_id = $1',
      [workspace],
    );
    const [{ authorisation }] = rows as [{ authorisation: Buffer }];
    expect(authorisation.toString('latin1')).not.toMatch(/AUTH_|cus_|owner@/);
    const ring = new KeyRing(ENCRYPTION_KEYS, billingService.sealed![0]!.purpose);
    expect(ring.open(authorisation, workspace)).toMatch(/AUTH_|cus_/);
    expect(() => ring.open(authorisation, other)).toThrow();
  });

  it('decisions 5: buy when the balance is below the threshold, and not at it', async () => {
    await enable();
    await spend(500);
    await environment.look();
    expect(await automatic()).toEqual([]);
    await spend(1);
    await environment.look();
    expect(await automatic()).toMatchObject([{ status: 'paid', credits: 1_000 }]);
    expect(await environment.account(workspace)).toEqual({
      balance: 1_499,
      purchased: 2_000,
      debt: 0,
    });
    await environment.look();
    expect(environment.simulator.charges()).toBe(1);
  });

  it('decisions 21: buy once, though several processes look at once', async () => {
    await enable();
    await spend(900);
    await Promise.all(Array.from({ length: 8 }, () => environment.look()));
    await environment.look();
    expect(await automatic()).toHaveLength(1);
    expect(environment.simulator.charges()).toBe(1);
    expect(await environment.account(workspace)).toMatchObject({ balance: 1_100 });
  });

  it('decisions 5: keep to the monthly cap, and begin anew with the month', async () => {
    await enable({ monthly_cap_credits: 2_500 });
    for (let turn = 0; turn < 4; turn += 1) {
      const { balance } = await environment.account(workspace);
      await spend(balance);
      await environment.look();
    }
    expect(await automatic()).toHaveLength(2);
    expect(await settings()).toMatchObject({ bought_this_month: 2_000 });
    environment.clock.set('2026-02-01T00:00:00.000Z');
    await environment.look();
    expect(await automatic()).toHaveLength(3);
  });

  it('decisions 21: charge once, though the answer of the charge was lost', async () => {
    await enable();
    await spend(900);
    environment.simulator.loseAnswers(1);
    await environment.look();
    expect(await automatic()).toMatchObject([{ status: 'pending' }]);
    environment.clock.advance(2 * MINUTE_MS);
    await environment.look();
    expect(await automatic()).toMatchObject([{ status: 'paid' }]);
    expect(environment.simulator.charges()).toBe(1);
  });

  it('decisions 21: find a charge whose answer was lost, though another card was saved since', async () => {
    await enable();
    await spend(900);
    environment.simulator.loseAnswers(1);
    await environment.look();
    environment.clock.advance(1_000);
    await environment.bought(workspace, { save_authorisation: true });
    environment.clock.advance(2 * MINUTE_MS);
    await environment.look();
    expect(await automatic()).toMatchObject([{ status: 'paid' }]);
    expect(environment.simulator.charges()).toBe(1);
  });

  it('decisions 21: end a running charge neither for an older decline nor for being switched off', async () => {
    await enable();
    await spend(900);
    environment.simulator.declineCharges(1);
    await environment.look();
    const { payment_id: id } = (await automatic())[0]!;
    const payments = new PaymentStore(environment.pool);
    const at = new Date(environment.clock.now());
    expect(await payments.beginCharge(id, at)).toBe(2);
    await payments.declined({ id, attempt: 1 }, 'Declined', at, at);
    expect(await payments.end(id, 'failed', 'Declined', at, 1)).toBe(false);
    await payments.switchedOff(workspace, at);
    expect(await payments.beginCharge(id, at)).toBeUndefined();
    environment.clock.advance(RETRIES_MS[0]!);
    await environment.look();
    expect(await automatic()).toMatchObject([{ status: 'paid' }]);
    expect(environment.simulator.charges()).toBe(1);
  });

  it('decisions 21: take a provider that is out of order for no decline', async () => {
    await enable();
    await spend(900);
    environment.simulator.fail(1);
    await environment.look();
    expect(await automatic()).toMatchObject([{ status: 'pending', failure: null }]);
    environment.clock.advance(2 * MINUTE_MS);
    await environment.look();
    expect(await automatic()).toMatchObject([{ status: 'paid' }]);
    expect(environment.simulator.charges()).toBe(1);
  });

  it('decisions 5: failed automatic top-ups are retried, then switched off with an event', async () => {
    await enable();
    await spend(900);
    environment.simulator.declineCharges(5);
    await environment.look();
    for (const delay of RETRIES_MS) {
      expect(await automatic()).toMatchObject([{ status: 'pending' }]);
      environment.clock.advance(delay - 1);
      await environment.look();
      expect(await failures()).toEqual([]);
      environment.clock.advance(1);
      await environment.look();
    }
    expect(await automatic()).toMatchObject([
      { status: 'failed', failure: name === 'stripe' ? 'card_declined' : 'Declined' },
    ]);
    const [payment] = await automatic();
    expect(await failures()).toMatchObject([
      { workspace_id: workspace, payment_id: payment!.payment_id, credits: 1_000, balance: 100 },
    ]);
    expect(await settings()).toMatchObject({ enabled: false, disabled_reason: 'payment_failed' });
    environment.clock.advance(48 * HOUR_MS);
    await environment.look();
    expect(await automatic()).toHaveLength(1);
    expect(await enable()).toMatchObject({ disabled_reason: null });
    await environment.look();
    expect(await automatic()).toMatchObject([{ status: 'paid' }, { status: 'failed' }]);
  });

  it('decisions 21: succeed on a retry, and make one entry', async () => {
    await enable();
    await spend(900);
    environment.simulator.declineCharges(2);
    await environment.look();
    for (const delay of RETRIES_MS.slice(0, 2)) {
      environment.clock.advance(delay);
      await environment.look();
    }
    expect(await automatic()).toMatchObject([{ status: 'paid', failure: null }]);
    expect(await environment.account(workspace)).toMatchObject({ balance: 1_100 });
    expect(await failures()).toEqual([]);
  });

  it('decisions 21: automatic top-ups are not retried once an owner has switched them off', async () => {
    await enable();
    await spend(900);
    environment.simulator.declineCharges(1);
    await environment.look();
    await enable({ enabled: false });
    environment.clock.advance(RETRIES_MS[0]!);
    await environment.look();
    expect(await automatic()).toMatchObject([{ status: 'failed', failure: 'switched_off' }]);
    expect(environment.simulator.charges()).toBe(0);
  });

  it('decisions 21: end when the report of a charge does not fit, until an owner enables them again', async () => {
    await enable();
    await spend(900);
    environment.simulator.loseAnswers(1);
    await environment.look();
    await environment.pool.query('UPDATE billing.payments SET amount = amount + 1 WHERE automatic');
    environment.clock.advance(2 * MINUTE_MS);
    await environment.look();
    const failed = { status: 'failed', failure: 'amount_differs' };
    expect(await automatic()).toMatchObject([failed]);
    const ended = { enabled: false, disabled_reason: 'payment_held', bought_this_month: 1_000 };
    expect(await settings()).toMatchObject(ended);
    expect(await failures()).toMatchObject([{ failure: 'amount_differs' }]);
    const held = await environment.held();
    expect(held).toMatchObject({ data: [{ held: 'amount_differs' }] });
    expect(await environment.account(workspace)).toMatchObject({ balance: 100 });
    await enable();
    await environment.look();
    expect(await automatic()).toMatchObject([{ status: 'paid' }, failed]);
  });

  it.each(['refund', 'dispute'] as const)(
    'decisions 21: are switched off by a %s',
    async (kind) => {
      await enable();
      const [payment] = (await environment.list(workspace, 1)).data;
      const provider = await environment.providerIdOf(payment!.payment_id);
      const { simulator } = environment;
      const callback =
        kind === 'refund' ? simulator.refund(provider, 100) : simulator.dispute(provider);
      await environment.receive(callback);
      const disabled_reason = kind === 'refund' ? 'refunded' : 'disputed';
      expect(await settings()).toMatchObject({ enabled: false, disabled_reason });
    },
  );
});
