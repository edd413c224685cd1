import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '@watchword/contracts';
import { refund, send } from '../billing.kit.js';
import { CREDITS, PaymentEnvironment, PRICE, providerIdIn, SIMULATORS } from './payments.kit.js';

const ALL = CREDITS * PRICE;

describe.each(['stripe', 'paystack'] as const)('money that goes back through %s', (name) => {
  let environment: PaymentEnvironment;

  beforeEach(async () => {
    environment = await PaymentEnvironment.open(await SIMULATORS[name]());
  });

  afterEach(() => environment?.close());

  it('decisions 21: a refund of a payment takes its credits back once; what was spent is a debt that later purchases pay', async () => {
    const workspace = await environment.wallet();
    const id = await environment.bought(workspace);
    await environment.calls.topUp({
      ...{ workspace_id: workspace, credits: -900, kind: 'adjustment', idempotency: null },
    });
    const refund = environment.simulator.refund(
      await environment.providerIdOf(id),
      CREDITS * PRICE,
    );
    for (let turn = 0; turn < 3; turn += 1)
      expect(await environment.receive(refund)).toBe('handled');
    expect(await environment.account(workspace)).toEqual({ balance: 0, purchased: 0, debt: 900 });
    expect(await environment.payment(workspace, id)).toMatchObject({
      status: 'refunded',
      refunded_amount: CREDITS * PRICE,
    });
    expect((await environment.entries(workspace))[0]).toEqual({
      kind: 'adjustment',
      credits: -100,
      payment: id,
    });
    await environment.bought(workspace, { credits: 600 });
    expect(await environment.account(workspace)).toEqual({ balance: 0, purchased: 600, debt: 300 });
    expect(await environment.lastAnnounced()).toMatchObject({ credits: 600, balance_after: 0 });
    const idempotency = { scope: 'operator POST /top-ups', key: newId(), fingerprint: 'a' };
    const purchase = {
      ...{ workspace_id: workspace, credits: 1_000, kind: 'purchase' as const, idempotency },
    };
    const done = await environment.calls.topUp(purchase);
    expect(done).toMatchObject({ verdict: 'done', entry: { credits: 1_000 }, balance: 700 });
    expect(await environment.calls.topUp(purchase)).toEqual({ ...done, verdict: 'replayed' });
    expect(await environment.lastAnnounced()).toMatchObject({ credits: 1_000, balance_after: 700 });
    expect(await environment.account(workspace)).toEqual({
      balance: 700,
      purchased: 1_600,
      debt: 0,
    });
  });

  it('decisions 21: partial refunds take parts of a payment back, and a dispute the rest', async () => {
    const workspace = await environment.wallet();
    const id = await environment.bought(workspace);
    const provider = await environment.providerIdOf(id);
    // A part of a credit counts as a whole one.
    await environment.receive(environment.simulator.refund(provider, 150));
    expect(await environment.account(workspace)).toMatchObject({ balance: 998, purchased: 998 });
    await environment.receive(environment.simulator.refund(provider, 150));
    expect(await environment.account(workspace)).toMatchObject({ balance: 997, purchased: 997 });
    await environment.receive(environment.simulator.dispute(provider));
    expect(await environment.account(workspace)).toEqual({ balance: 0, purchased: 0, debt: 0 });
    expect(await environment.payment(workspace, id)).toMatchObject({ status: 'disputed' });
  });

  it('decisions 21: asks for the payment when its refund comes first', async () => {
    const workspace = await environment.wallet();
    const { id, url } = await environment.checkout(workspace);
    const callback = environment.simulator.pay(url);
    const refund = environment.simulator.refund(providerIdIn(callback), CREDITS * PRICE);
    expect(await environment.receive(refund)).toBe('handled');
    expect(await environment.payment(workspace, id)).toMatchObject({ status: 'refunded' });
    await environment.receive(callback);
    expect(await environment.account(workspace)).toEqual({ balance: 0, purchased: 0, debt: 0 });
  });

  it('decisions 21: pays a debt with what messages give back, before it can be spent', async () => {
    const workspace = await environment.wallet();
    const id = await environment.bought(workspace);
    const parked = Array.from({ length: 3 }, () => send(workspace, { segments: 60 }));
    await Promise.all(parked.map((request) => environment.calls.accept(request)));
    await environment.receive(environment.simulator.dispute(await environment.providerIdOf(id)));
    expect(await environment.account(workspace)).toEqual({ balance: 0, purchased: 0, debt: 900 });
    const other = await environment.wallet(50);
    const others = send(other);
    await environment.calls.accept(others);
    await refund(environment.pool, [parked[0]!, others, send(workspace), parked[1]!]);
    expect(await environment.account(other)).toMatchObject({ balance: 50, debt: 0 });
    expect(await environment.account(workspace)).toEqual({ balance: 0, purchased: 0, debt: 300 });
    expect(await environment.lastAnnounced()).toMatchObject({ credits: 300, balance_after: 0 });
    expect((await environment.entries(workspace)).slice(0, 3)).toMatchObject([
      { kind: 'adjustment', credits: -600 },
      { credits: 300 },
      { credits: 300 },
    ]);
    await environment.calls.topUp({
      ...{ workspace_id: workspace, credits: 200, kind: 'purchase', idempotency: null },
    });
    await refund(environment.pool, parked);
    expect(await environment.account(workspace)).toEqual({ balance: 200, purchased: 200, debt: 0 });
    expect(await environment.lastAnnounced()).toMatchObject({ credits: 300, balance_after: 200 });
  });
});

it('holds a refund without an id at Paystack, which could be a repetition', async () => {
  const environment = await PaymentEnvironment.open(await SIMULATORS.paystack());
  const workspace = await environment.wallet();
  const id = await environment.bought(workspace);
  await environment.receive(
    environment.simulator.refund(await environment.providerIdOf(id), ALL, ''),
  );
  const held = 'reversal_id_missing';
  expect(await environment.held()).toMatchObject({ data: [{ payment_id: id, held }] });
  expect(await environment.account(workspace)).toMatchObject({ balance: CREDITS });
  await environment.close();
});
