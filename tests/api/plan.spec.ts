/** Plans: decisions 5, a monthly grant of SMS segments that is consumed first. */
import { describe, expect, it } from '@jest/globals';
import { earlyEnough } from '../support/early-enough.js';
import { freshNumber } from '../support/numbers.js';
import { type Customer, expectError, unknownId, useSystem } from '../support/suite.js';

const suite = useSystem();

const planOf = (id: string) => suite.operator.request('GET', `/workspaces/${id}/plan`);
const setPlan = (id: string, body: unknown) =>
  suite.operator.request('PUT', `/workspaces/${id}/plan`, body);

async function left(customer: Customer): Promise<number> {
  return (await planOf(customer.id)).json.sms_segments_left as number;
}

describe('a plan', () => {
  it('decisions 5: a plan is none by default, and is set by the operator', async () => {
    const customer = await suite.customer();
    const none = await planOf(customer.id);
    expect([none.status, none.json]).toEqual([
      200,
      {
        sms_segments_per_month: 0,
        emails_per_month: 0,
        month: expect.stringMatching(/^\d{4}-\d\d$/),
        sms_segments_left: 0,
        emails_left: 0,
      },
    ]);
    const quotas = { sms_segments_per_month: 7, emails_per_month: 2 };
    const set = await setPlan(customer.id, quotas);
    const { month } = none.json;
    expect([set.status, set.json]).toEqual([
      200,
      { ...quotas, month, sms_segments_left: 7, emails_left: 2 },
    ]);
    expect((await planOf(customer.id)).json).toEqual(set.json);
    expect((await setPlan(customer.id, { emails_per_month: 0 })).json).toEqual(none.json);
  });

  it('decisions 25: a plan is deleted by setting both quotas to 0', async () => {
    const customer = await suite.customer();
    await setPlan(customer.id, { sms_segments_per_month: 3, emails_per_month: 4 });
    const gone = await suite.operator.request('DELETE', `/workspaces/${customer.id}/plan`);
    expect([gone.status, gone.text]).toEqual([204, '']);
    expect((await planOf(customer.id)).json).toMatchObject({
      sms_segments_per_month: 0,
      emails_per_month: 0,
      sms_segments_left: 0,
      emails_left: 0,
    });
    const unknown = await suite.operator.request('DELETE', `/workspaces/${unknownId}/plan`);
    expectError(unknown, 404, 'not_found');
  });

  it('decisions 25: a plan refuses what is no quota, and whom it does not know', async () => {
    const customer = await suite.customer();
    const negative = await setPlan(customer.id, { sms_segments_per_month: -1 });
    expectError(negative, 400, 'validation_error', 'sms_segments_per_month');
    expectError(await setPlan(customer.id, { segments: 1 }), 400, 'validation_error', 'segments');
    expectError(await setPlan(unknownId, {}), 404, 'not_found');
    expectError(await planOf(unknownId), 404, 'not_found');
  });

  it('decisions 5: a plan is consumed first, then the wallet pays, then nobody does', async () => {
    const customer = await suite.customer({ credits: 9 });
    await setPlan(customer.id, { sms_segments_per_month: 3 });
    const twoParts = { message: 'A'.repeat(161) };
    const balanceGate = async () => {
      const body = { kind: 'sms', phone_number: freshNumber(), ...twoParts };
      const { json } = await customer.post('/v1/quote', body);
      return [json.credits, json.gates[0].gate, json.gates[0].verdict];
    };
    expect(await balanceGate()).toEqual([10, 'balance', 'pass']);
    const answers = [await customer.sendSms(twoParts), await customer.sendSms(twoParts)];
    expect(answers.map(({ json }) => [json.segments, json.credit_cost])).toEqual([
      [2, 0],
      [2, 5],
    ]);
    expect(await customer.balance()).toBe(4);
    expect(await left(customer)).toBe(0);
    expectError(await customer.sendSms(), 402, 'insufficient_credits');
    expect(await balanceGate()).toEqual([10, 'balance', 'refuse']);
    const record = await customer.smsWith('delivered', answers[1]!.json.id);
    expect(record.credit_cost).toBe(5);
    const charges = (await customer.ledger()).filter(({ kind }) => kind === 'charge');
    expect(charges.map(({ credits }) => Math.abs(credits as number))).toEqual([5, 0]);
  });

  it('decisions 5: a plan gets back in kind what a message took that failed', async () => {
    const failsAfterMs = 2_000;
    // All three are charged before the first is refunded.
    const attempt = async () => {
      const customer = await suite.customer({ credits: 20 });
      await setPlan(customer.id, { sms_segments_per_month: 3 });
      const phone_number = freshNumber();
      const receipts = [{ after_ms: failsAfterMs, outcome: 'failed' }];
      await suite.scenario({ to: phone_number, receipts });
      const message = 'A'.repeat(161);
      const covered = await customer.sendSms({ phone_number, message });
      const partly = await customer.sendSms({ phone_number, message });
      const paid = await customer.sendSms({ phone_number });
      return { customer, sent: [covered, partly, paid] };
    };
    const costs = ({ sent }: Awaited<ReturnType<typeof attempt>>) =>
      sent.map(({ json }) => json.credit_cost);
    const made = await earlyEnough(attempt, (one) => String(costs(one)) === '0,5,5');
    const { customer, sent } = made;
    expect(costs(made)).toEqual([0, 5, 5]);
    for (const { json } of sent) {
      expect(await customer.smsWith('failed', json.id)).toMatchObject({
        refunded: true,
        credit_cost: json.credit_cost,
      });
    }
    expect(await customer.balance()).toBe(20);
    expect(await left(customer)).toBe(3);
    const refunds = (await customer.ledger()).filter(({ kind }) => kind === 'refund');
    expect(refunds).toHaveLength(3);
  });

  it('decisions 18: a plan is left alone by one-time passwords and test keys; a key gives the same answer', async () => {
    const customer = await suite.customer({ credits: 20 });
    await setPlan(customer.id, { sms_segments_per_month: 3 });
    expect((await customer.sendOtp()).json.credit_cost).toBe(5);
    const test = await customer.sendSms({}, { key: customer.testKey });
    expect(test.json.credit_cost).toBe(5);
    expect(await left(customer)).toBe(3);
    const body = { phone_number: freshNumber(), message: 'Once' };
    const send = { headers: { 'idempotency-key': 'once' } };
    const first = await customer.sendSms(body, send);
    expect((await customer.sendSms(body, send)).json).toEqual(first.json);
    expect([first.json.credit_cost, await left(customer)]).toEqual([0, 2]);
  });
});
