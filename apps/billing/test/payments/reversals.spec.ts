import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '@watchword/contracts';
import { refund, send } from '../billing.kit.js';
import { CREDITS, PaymentGround, PRICE, providerIdIn, SIMULATORS } from './payments.kit.js';

const ALL = CREDITS * PRICE;

describe.each(['stripe', 'paystack'] as const)('money that goes back through %s', (name) => {
  let ground: PaymentGround;

  beforeEach(async () => {
    ground = await PaymentGround.open(await SIMULATORS[name]());
  });

  afterEach(() => ground?.close());

  it('decisions 21: takes a refund back once; what was spent is a debt that later purchases pay', async () => {
    const workspace = await ground.wallet();
    const id = await ground.bought(workspace);
    await ground.calls.topUp({
      ...{ workspace_id: workspace, credits: -900, kind: 'adjustment', idempotency: null },
    });
    const refund = ground.simulator.refund(await ground.providerIdOf(id), CREDITS * PRICE);
    for (let turn = 0; turn < 3; turn += 1) expect(await ground.receive(refund)).toBe('handled');
    expect(await ground.account(workspace)).toEqual({ balance: 0, purchased: 0, debt: 900 });
    expect(await ground.payment(workspace, id)).toMatchObject({
      status: 'refunded',
      refunded_amount: CREDITS * PRICE,
    });
    expect((await ground.entries(workspace))[0]).toEqual({
      kind: 'adjustment',
      credits: -100,
      payment: id,
    });
    await ground.bought(workspace, { credits: 600 });
    expect(await ground.account(workspace)).toEqual({ balance: 0, purchased: 600, debt: 300 });
    expect(await ground.lastAnnounced()).toMatchObject({ credits: 600, balance_after: 0 });
    const idempotency = { scope: 'operator POST /top-ups', key: newId(), fingerprint: 'a' };
    const purchase = {
      ...{ workspace_id: workspace, credits: 1_000, kind: 'purchase' as const, idempotency },
    };
    const done = await ground.calls.topUp(purchase);
    expect(done).toMatchObject({ verdict: 'done', entry: { credits: 1_000 }, balance: 700 });
    expect(await ground.calls.topUp(purchase)).toEqual({ ...done, verdict: 'replayed' });
    expect(await ground.lastAnnounced()).toMatchObject({ credits: 1_000, balance_after: 700 });
    expect(await ground.account(workspace)).toEqual({ balance: 700, purchased: 1_600, debt: 0 });
  });

  it('decisions 21: takes parts of a payment back, and a dispute the rest', async () => {
    const workspace = await ground.wallet();
    const id = await ground.bought(workspace);
    const provider = await ground.providerIdOf(id);
    // A part of a credit counts as a whole one.
    await ground.receive(ground.simulator.refund(provider, 150));
    expect(await ground.account(workspace)).toMatchObject({ balance: 998, purchased: 998 });
    await ground.receive(ground.simulator.refund(provider, 150));
    expect(await ground.account(workspace)).toMatchObject({ balance: 997, purchased: 997 });
    await ground.receive(ground.simulator.dispute(provider));
    expect(await ground.account(workspace)).toEqual({ balance: 0, purchased: 0, debt: 0 });
    expect(await ground.payment(workspace, id)).toMatchObject({ status: 'disputed' });
  });

  it('decisions 21: asks for the payment when its refund comes first', async () => {
    const workspace = await ground.wallet();
    const { id, url } = await ground.checkout(workspace);
    const callback = ground.simulator.pay(url);
    const refund = ground.simulator.refund(providerIdIn(callback), CREDITS * PRICE);
    expect(await ground.receive(refund)).toBe('handled');
    expect(await ground.payment(workspace, id)).toMatchObject({ status: 'refunded' });
    await ground.receive(callback);
    expect(await ground.account(workspace)).toEqual({ balance: 0, purchased: 0, debt: 0 });
  });

  it('decisions 21: pays a debt with what messages give back, before it can be spent', async () => {
    const workspace = await ground.wallet();
    const id = await ground.bought(workspace);
    const parked = Array.from({ length: 3 }, () => send(workspace, { segments: 60 }));
    await Promise.all(parked.map((request) => ground.calls.accept(request)));
    await ground.receive(ground.simulator.dispute(await ground.providerIdOf(id)));
    expect(await ground.account(workspace)).toEqual({ balance: 0, purchased: 0, debt: 900 });
    const other = await ground.wallet(50);
    const others = send(other);
    await ground.calls.accept(others);
    await refund(ground.pool, [parked[0]!, others, send(workspace), parked[1]!]);
    expect(await ground.account(other)).toMatchObject({ balance: 50, debt: 0 });
    expect(await ground.account(workspace)).toEqual({ balance: 0, purchased: 0, debt: 300 });
    expect(await ground.lastAnnounced()).toMatchObject({ credits: 300, balance_after: 0 });
    expect((await ground.entries(workspace)).slice(0, 3)).toMatchObject([
      { kind: 'adjustment', credits: -600 },
      { credits: 300 },
      { credits: 300 },
    ]);
    await ground.calls.topUp({
      ...{ workspace_id: workspace, credits: 200, kind: 'purchase', idempotency: null },
    });
    await refund(ground.pool, parked);
    expect(await ground.account(workspace)).toEqual({ balance: 200, purchased: 200, debt: 0 });
    expect(await ground.lastAnnounced()).toMatchObject({ credits: 300, balance_after: 200 });
  });
});

it('holds a refund without an id at Paystack, which could be a repetition', async () => {
  const ground = await PaymentGround.open(await SIMULATORS.paystack());
  const workspace = await ground.wallet();
  const id = await ground.bought(workspace);
  await ground.receive(ground.simulator.refund(await ground.providerIdOf(id), ALL, ''));
  const held = 'reversal_id_missing';
  expect(await ground.held()).toMatchObject({ data: [{ payment_id: id, held }] });
  expect(await ground.account(workspace)).toMatchObject({ balance: CREDITS });
  await ground.close();
});
