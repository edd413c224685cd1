/** Money: interface sections 1.2 to 1.7; decisions 5, 13 and 16. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { freshNumber } from '../support/numbers.js';
import { expectError, instant, uuidV7, useSystem } from '../support/suite.js';

const suite = useSystem();

describe('a send', () => {
  it('1.2: a send is charged when it is accepted, once, at the price it answers', async () => {
    const customer = await suite.customer({ credits: 100 });
    const { json } = await customer.sendSms({ message: 'A'.repeat(161) });
    expect(json.credit_cost).toBe(10);
    expect(await customer.balance()).toBe(90);
    await customer.smsWith('delivered', json.id);
    expect(await customer.balance()).toBe(90);
    const [charge] = await customer.ledger();
    expect(charge).toMatchObject({ kind: 'charge', credits: -10, message_id: json.id });
  });

  it('decisions 13: ledger entries have the documented shape and add up', async () => {
    const customer = await suite.customer({ credits: 50 });
    const failing = freshNumber();
    await suite.scenario({ to: failing, receipts: [{ after_ms: 10, outcome: 'failed' }] });
    const { json } = await customer.sendOtp({ phone_number: failing });
    await customer.otpWith('failed', json.id);
    const entries = await customer.ledger();
    const common = {
      id: expect.stringMatching(uuidV7),
      created_at: expect.stringMatching(instant),
    };
    const message_id = json.id;
    expect(entries).toEqual([
      { ...common, kind: 'refund', credits: 5, balance_after: 50, message_id },
      { ...common, kind: 'charge', credits: -5, balance_after: 45, message_id },
      { ...common, kind: 'top_up', top_up_kind: 'bonus', credits: 50, balance_after: 50 },
    ]);
  });

  it('decisions 5: too few credits is 402, and nothing is written or sent', async () => {
    const customer = await suite.customer({ credits: 4 });
    const body = { phone_number: freshNumber() };
    expectError(await customer.sendOtp(body), 402, 'insufficient_credits');
    expectError(await customer.sendSms(body), 402, 'insufficient_credits');
    expect(await customer.balance()).toBe(4);
    expect(await customer.ledger()).toHaveLength(1);
    expect(await suite.handset(body.phone_number)).toEqual([]);
  });

  it('a balance of exactly the price is enough', async () => {
    const customer = await suite.customer({ credits: 5 });
    expect((await customer.sendOtp()).status).toBe(200);
    expect(await customer.balance()).toBe(0);
    expectError(await customer.sendOtp(), 402, 'insufficient_credits');
  });
});

describe('top-ups', () => {
  it('decisions 13: a top-up answers the entry and the balance, and counts purchases', async () => {
    const customer = await suite.customer({ credits: 10 });
    const path = `/workspaces/${customer.id}/top-ups`;
    const bought = await suite.operator.request('POST', path, { credits: 90, kind: 'purchase' });
    expect(bought.status).toBe(201);
    expect(bought.json).toEqual({
      entry_id: expect.stringMatching(uuidV7),
      kind: 'purchase',
      credits: 90,
      balance: 100,
    });
    const down = { credits: -40, kind: 'adjustment', note: 'Counted twice' };
    expect((await suite.operator.request('POST', path, down)).json.balance).toBe(60);
    const workspace = await suite.operator.request('GET', `/workspaces/${customer.id}`);
    expect(workspace.json).toMatchObject({ balance: 60, purchased_credits: 90 });
  });

  it('decisions 13: an Idempotency-Key is honoured', async () => {
    const customer = await suite.customer({ credits: 0 });
    const path = `/workspaces/${customer.id}/top-ups`;
    const headers = { 'idempotency-key': randomUUID() };
    const topUp = () =>
      suite.operator.request('POST', path, { credits: 10, kind: 'bonus' }, headers);
    const answers = await Promise.all([topUp(), topUp(), topUp()]);
    const accepted = answers.filter(({ status }) => status === 201);
    expect(new Set(accepted.map(({ json }) => json.entry_id)).size).toBe(1);
    expect((await topUp()).json.entry_id).toBe(accepted[0]!.json.entry_id);
    expect(await customer.balance()).toBe(10);
    const other = { credits: 11, kind: 'bonus' };
    const answer = await suite.operator.request('POST', path, other, headers);
    expectError(answer, 409, 'idempotency_conflict');
  });

  it.each([
    { credits: -1, kind: 'bonus' },
    { credits: -1, kind: 'purchase' },
    { credits: 1.5, kind: 'bonus' },
    { credits: '1', kind: 'bonus' },
    { credits: 0, kind: 'purchase' },
    { credits: 1e15, kind: 'bonus' },
    { credits: 1, kind: 'gift' },
    { credits: 1 },
    { kind: 'bonus' },
  ])('decisions 13: %j is refused', async (body) => {
    const customer = await suite.customer({ credits: 5 });
    const answer = await suite.operator.request('POST', `/workspaces/${customer.id}/top-ups`, body);
    expectError(answer, 400, 'validation_error');
    expect(await customer.balance()).toBe(5);
  });

  it('an adjustment never makes a balance negative', async () => {
    const customer = await suite.customer({ credits: 5 });
    const body = { credits: -6, kind: 'adjustment' };
    const answer = await suite.operator.request('POST', `/workspaces/${customer.id}/top-ups`, body);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(await customer.balance()).toBe(5);
  });
});
