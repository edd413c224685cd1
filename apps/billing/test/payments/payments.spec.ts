import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newId, type PaymentId } from '@watchword/contracts';
import { altered } from '@watchword/testing';
import {
  CREDITS,
  HOUR_MS,
  MINUTE_MS,
  PaymentEnvironment,
  PRICE,
  providerIdIn,
  SIMULATORS,
} from './payments.kit.js';

const DUPLICATES = 500;

describe.each(['stripe', 'paystack'] as const)('payments through %s', (name) => {
  let environment: PaymentEnvironment;

  beforeEach(async () => {
    environment = await PaymentEnvironment.open(await SIMULATORS[name]());
  });

  afterEach(() => environment?.close());

  it('enters a purchase when the provider reports it, and not before', async () => {
    const workspace = await environment.wallet(10);
    const { id, url } = await environment.checkout(workspace);
    expect(await environment.payment(workspace, id)).toMatchObject({
      status: 'pending',
      provider: name,
      credits: CREDITS,
      amount: CREDITS * PRICE,
      currency: 'NGN',
      automatic: false,
      paid_at: null,
    });
    const callback = environment.simulator.pay(url);
    expect(await environment.account(workspace)).toMatchObject({ balance: 10 });
    expect(await environment.receive(callback)).toBe('handled');
    expect(await environment.account(workspace)).toEqual({
      balance: 1_010,
      purchased: 1_000,
      debt: 0,
    });
    expect(await environment.payment(workspace, id)).toMatchObject({ status: 'paid' });
    const [entry] = await environment.entries(workspace);
    expect(entry).toEqual({ kind: 'purchase', credits: 1_000, payment: id });
    expect(await environment.lastAnnounced()).toMatchObject({
      top_up_kind: 'purchase',
      credits: 1_000,
    });
  });

  it(`makes one entry of ${DUPLICATES} concurrent duplicates of a callback`, async () => {
    const workspace = await environment.wallet();
    const { url } = await environment.checkout(workspace);
    const callback = environment.simulator.pay(url);
    const verdicts = await Promise.all(
      Array.from({ length: DUPLICATES }, () => environment.receiveAtLast(callback)),
    );
    expect(new Set(verdicts)).toEqual(new Set(['handled']));
    expect(await environment.entries(workspace)).toHaveLength(1);
    expect(await environment.account(workspace)).toMatchObject({ balance: CREDITS });
  });

  it.each([
    ['amount', { amount: CREDITS * PRICE - 1 }, 'amount_differs'],
    ['larger amount', { amount: CREDITS * PRICE + 1 }, 'amount_differs'],
    ['currency', { currency: 'USD' }, 'currency_differs'],
  ])('makes no entry of another %s, and holds it for an operator', async (_, wrong, held) => {
    const workspace = await environment.wallet();
    const { id, url } = await environment.checkout(workspace);
    const callback = environment.simulator.pay(url, wrong);
    for (let turn = 0; turn < 2; turn += 1)
      expect(await environment.receive(callback)).toBe('handled');
    expect(await environment.entries(workspace)).toEqual([]);
    const payment = { payment_id: id, held, status: 'pending' };
    expect(await environment.held()).toMatchObject({ data: [payment] });
  });

  it("enters one of the provider's payments once, though reported for several at once", async () => {
    const workspaces = await Promise.all(Array.from({ length: 5 }, () => environment.wallet()));
    const pages = await Promise.all(workspaces.map((each) => environment.checkout(each)));
    const reports = pages.map(({ url }) => environment.simulator.pay(url, { id: '4711' }));
    for (let turn = 0; turn < 2; turn += 1) {
      const verdicts = await Promise.all(reports.map((report) => environment.receive(report)));
      expect(new Set(verdicts)).toEqual(new Set(['handled']));
    }
    const entries = await Promise.all(workspaces.map((each) => environment.entries(each)));
    expect(entries.flat()).toHaveLength(1);
    const { data: held } = await environment.held();
    expect(held.map((each) => each.held)).toEqual(Array(4).fill('entered_before'));
  });

  it('ignores payments of other systems on the account, and their refunds', async () => {
    const workspace = await environment.wallet();
    const { id, url } = await environment.checkout(workspace);
    const foreign = { paymentId: 'order-17', reference: 'order-17' };
    const callback = environment.simulator.pay(url, foreign);
    expect(await environment.receive(callback)).toBe('handled');
    const refund = environment.simulator.refund(providerIdIn(callback), CREDITS * PRICE);
    expect(await environment.receive(refund)).toBe('handled');
    expect(await environment.payment(workspace, id)).toMatchObject({ status: 'pending' });
    expect(await environment.held()).toEqual({ data: [] });
  });

  it('believes nothing that the provider has not signed', async () => {
    const workspace = await environment.wallet();
    const { url } = await environment.checkout(workspace);
    const { body, signature } = environment.simulator.pay(url);
    const changed = Buffer.from(body.toString().replace('"', ' "'));
    expect(await environment.receive({ body: changed, signature })).toBe('forged');
    expect(await environment.receive({ body, signature: '' })).toBe('forged');
    expect(await environment.receive({ body, signature: altered(signature) })).toBe('forged');
    expect(await environment.entries(workspace)).toEqual([]);
  });

  it('decisions 21: asks about a payment whose callback never came', async () => {
    const workspace = await environment.wallet();
    const { id, url } = await environment.checkout(workspace);
    await environment.look();
    environment.simulator.pay(url);
    environment.clock.advance(MINUTE_MS - 1);
    await environment.look();
    expect(await environment.payment(workspace, id)).toMatchObject({ status: 'pending' });
    environment.clock.advance(1);
    await environment.look();
    expect(await environment.payment(workspace, id)).toMatchObject({ status: 'paid' });
  });

  it('decisions 21: expires after a day, and still takes the money that comes later', async () => {
    const workspace = await environment.wallet();
    const { id, url } = await environment.checkout(workspace);
    for (const passed of [MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 24 * HOUR_MS]) {
      expect(await environment.payment(workspace, id)).toMatchObject({ status: 'pending' });
      environment.clock.advance(passed);
      await environment.look();
    }
    expect(await environment.payment(workspace, id)).toMatchObject({ status: 'expired' });
    await environment.receive(environment.simulator.pay(url));
    expect(await environment.payment(workspace, id)).toMatchObject({ status: 'paid' });
    expect(await environment.account(workspace)).toMatchObject({ balance: CREDITS });
  });

  it('opens one payment under one key, also when the answer was lost', async () => {
    const workspace = await environment.wallet();
    const idempotency = {
      scope: 'session POST /dashboard/payments',
      key: newId(),
      fingerprint: 'a',
    };
    environment.simulator.loseAnswers(1);
    expect(await environment.create(workspace, { idempotency })).toEqual({
      verdict: 'provider_failed',
    });
    const again = await environment.create(workspace, { idempotency });
    const third = await environment.create(workspace, { idempotency });
    expect(again).toMatchObject({ verdict: 'replayed', payment: { status: 'pending' } });
    expect(third).toEqual(again);
    const other = { ...idempotency, fingerprint: 'b' };
    expect(await environment.create(workspace, { idempotency: other })).toEqual({
      verdict: 'idempotency_conflict',
    });
    const list = await environment.list(workspace, 10);
    expect(list).toMatchObject({ data: [{}] });
    const { checkout_url: url } = (again as { payment: { checkout_url: string } }).payment;
    await environment.receive(environment.simulator.pay(url));
    expect(await environment.account(workspace)).toMatchObject({ balance: CREDITS });
    expect(await environment.create(workspace, { idempotency })).toEqual(again);
  });

  it('replays a refusal of the provider as a refusal', async () => {
    const workspace = await environment.wallet();
    const idempotency = {
      scope: 'session POST /dashboard/payments',
      key: newId(),
      fingerprint: 'a',
    };
    await environment.create(workspace, { idempotency });
    await environment.pool.query(
      `UPDATE billing.payments SET status = 'failed', failure = 'too_small', checkout_url = NULL,
         due_at = NULL WHERE workspace_id = $1`,
      [workspace],
    );
    expect(await environment.create(workspace, { idempotency })).toEqual({
      verdict: 'provider_refused',
      failure: 'too_small',
    });
  });
});

describe('manual payments', () => {
  let environment: PaymentEnvironment;

  beforeEach(async () => {
    environment = await PaymentEnvironment.open(await SIMULATORS.paystack());
  });

  afterEach(() => environment?.close());

  it('decisions 25: an operator confirms a manual payment, once', async () => {
    const workspace = await environment.wallet();
    const created = await environment.create(workspace, { provider: 'manual' });
    expect(created).toMatchObject({ verdict: 'created', payment: { checkout_url: null } });
    const { payment_id } = (created as { payment: { payment_id: PaymentId } }).payment;
    const confirmations = await Promise.all(
      Array.from({ length: 20 }, () => environment.confirm(payment_id)),
    );
    for (const each of confirmations) expect(each).toMatchObject({ status: 'paid' });
    expect(await environment.entries(workspace)).toEqual([
      { kind: 'purchase', credits: 1_000, payment: payment_id },
    ]);
  });

  it('decisions 25: a manual payment cannot save an authorisation; others are not confirmed by hand', async () => {
    const workspace = await environment.wallet();
    const wish = { provider: 'manual' as const, save_authorisation: true };
    expect(await environment.create(workspace, wish)).toEqual({ verdict: 'cannot_save' });
    const { id } = await environment.checkout(workspace);
    await expect(environment.confirm(id)).rejects.toMatchObject({ type: 'conflict' });
    await expect(environment.confirm(newId())).rejects.toMatchObject({ type: 'not_found' });
  });
});
