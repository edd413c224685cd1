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

describe('the session of an agent', () => {
  it('asks for prices, sends a code, verifies it and reads it', async () => {
    const agent = await Agent.of(suite, customer);
    const prices = await agent.call('get_pricing');
    expect(prices.body).toEqual((await suite.http.get('/v1/pricing')).json);
    const phone = freshNumber();
    const sent = await agent.call('send_otp', { phone_number: phone });
    expect(sent.isError).toBe(false);
    // Its record does not change until the code is verified.
    await customer.otpWith('delivered', sent.body.id);
    const code = await suite.codeAt(phone);
    const checked = await agent.call('verify_otp', { otp_id: sent.body.id, code });
    expect(checked.body).toMatchObject({ valid: true, status: 'verified' });
    const shown = await agent.call('get_otp', { id: sent.body.id });
    expect(shown.body).toEqual((await customer.getOtp(sent.body.id)).json);
  });
});

describe('a dry run', () => {
  it('prices with a quote, and refuses one that the send could not use', async () => {
    const agent = await Agent.of(suite, customer);
    const sms = { to: freshNumber(), from: 'Acme', body: 'Hi' };
    const asked = { kind: 'sms', phone_number: sms.to, message: sms.body };
    const { quote_id, credits } = (await customer.post('/v1/quote', asked)).json;
    const quoted = { ...sms, quote_id };
    const dry = await agent.call('send_sms', { ...quoted, dry_run: true });
    expect([dry.isError, dry.body.credits, dry.body.would_pass]).toEqual([false, credits, true]);
    expect((await agent.call('send_sms', quoted)).isError).toBe(false);
    for (const dry_run of [true, false]) {
      const spent = await agent.call('send_sms', { ...quoted, dry_run });
      expect(spent.body.error).toMatchObject({ type: 'validation_error', field: 'quote_id' });
    }
  });
});

describe('the daily budget', () => {
  it('decisions 2: is never exceeded by 100 parallel calls, and a dry run knows it', async () => {
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

  it('decisions 25: counts in test mode what live would have cost, and debits nothing', async () => {
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
