/** The agent endpoint by URL: interface 1.9, decisions 11, 23 and 25. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Agent } from '../support/agent.js';
import { freshNumber, magicNumber } from '../support/numbers.js';
import { type Customer, useSystem } from '../support/suite.js';

const suite = useSystem();
const CALLS = 100;
const SENDS_PAID = 10;
let customer: Customer;

beforeAll(async () => {
  customer = await suite.customer({ credits: 50_000 });
});

describe('the daily budget', () => {
  it('decisions 2: the daily budget is never exceeded by 100 parallel calls, and a dry run knows it', async () => {
    const scout = await Agent.of(suite, customer);
    const asked = { phone_number: freshNumber(), dry_run: true };
    const { credits } = (await scout.call('send_otp', asked)).body;
    const agent = await Agent.of(suite, customer, {
      daily_budget_credits: SENDS_PAID * credits + credits - 1,
    });
    const before = await customer.balance();
    const results = await Promise.all(
      Array.from({ length: CALLS }, () => agent.call('send_otp', { phone_number: freshNumber() })),
    );
    const refused = results.filter(({ isError }) => isError);
    expect(CALLS - refused.length).toBe(SENDS_PAID);
    for (const { body } of refused) {
      expect(body.error).toMatchObject({ type: 'insufficient_credits', field: 'daily_budget' });
    }
    expect(before - (await customer.balance())).toBe(SENDS_PAID * credits);
    const dry = await agent.call('send_otp', asked);
    expect([dry.isError, dry.body.would_pass]).toEqual([false, false]);
    expect(dry.body.gates[0]).toMatchObject({ gate: 'balance', type: 'insufficient_credits' });
  });

  it('decisions 25: the daily budget counts in test mode what live would have cost, and debits nothing', async () => {
    const agent = await Agent.of(suite, customer, { daily_budget_credits: 0 }, 'test');
    const before = await customer.balance();
    const refused = await agent.call('send_otp', { phone_number: magicNumber(1) });
    expect(refused.body.error).toMatchObject({ field: 'daily_budget' });
    const rich = await Agent.of(suite, customer, { daily_budget_credits: 1_000 }, 'test');
    const sent = await rich.call('send_otp', { phone_number: magicNumber(1) });
    expect(sent.isError).toBe(false);
    expect(await customer.balance()).toBe(before);
  });
});
