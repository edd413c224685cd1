/** Quotes: decisions 3, 15 and 16. A price for a minute, and the gates that a send meets. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { freshNumber } from '../support/numbers.js';
import { type Customer, expectError, instant, useSystem, uuidV7 } from '../support/suite.js';

const suite = useSystem();

const GATES = ['balance', 'country', 'prefix', 'number_limit', 'sender_id', 'dnd', 'content'];
const MESSAGE = 'Your order has shipped.';

const quoteSms = (customer: Customer, body: Record<string, unknown> = {}, key?: string) =>
  customer.post(
    '/v1/quote',
    { kind: 'sms', phone_number: freshNumber(), message: MESSAGE, ...body },
    key === undefined ? {} : { key },
  );
const quoteOtp = (customer: Customer, body: Record<string, unknown> = {}, key?: string) =>
  customer.post(
    '/v1/quote',
    { kind: 'otp', phone_number: freshNumber(), ...body },
    key === undefined ? {} : { key },
  );

interface Gate {
  gate: string;
  verdict: string;
  type?: string;
  retry_after_seconds?: number;
}

/** Returns the gates that do not pass, as `gate verdict type`. */
const obstacles = (gates: Gate[]) =>
  gates
    .filter(({ verdict }) => verdict !== 'pass')
    .map(({ gate, verdict, type }) => `${gate} ${verdict} ${type}`);

describe('a quote', () => {
  it('decisions 15: a quote returns price, segments, encoding, rewriting and every gate, and charges nothing', async () => {
    const customer = await suite.customer();
    const askedAtMs = Date.now();
    const answer = await quoteSms(customer, { message: `₦500 off. ${'a'.repeat(160)}` });
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      quote_id: expect.stringMatching(uuidV7),
      expires_at: expect.stringMatching(instant),
      credits: 10,
      price: { amount: 1_000, currency: 'NGN' },
      country_code: 'NG',
      network: expect.any(String),
      segments: 2,
      encoding: 'GSM-7',
      rewritten: true,
      body: expect.stringMatching(/^NGN ?500 off\. a+$/),
      gates: GATES.map((gate) => ({ gate, verdict: 'pass' })),
    });
    const quotedAtMs = Date.parse(answer.json.expires_at) - 60_000;
    expect(quotedAtMs).toBeGreaterThanOrEqual(askedAtMs - 1_000);
    expect(quotedAtMs).toBeLessThanOrEqual(Date.now() + 1_000);
    expect(await customer.balance()).toBe(1_000);
  });

  it('decisions 15: a quote counts nothing, however often it is asked', async () => {
    const customer = await suite.customer();
    const phone_number = freshNumber();
    for (let asked = 0; asked < 5; asked += 1) {
      expect(obstacles((await quoteOtp(customer, { phone_number })).json.gates)).toEqual([]);
    }
    for (let sent = 0; sent < 3; sent += 1) {
      expect((await customer.sendOtp({ phone_number })).status).toBe(200);
    }
    const { gates } = (await quoteOtp(customer, { phone_number })).json;
    expect(obstacles(gates)).toEqual(['number_limit refuse rate_limited']);
    const wait = gates.find(({ gate }: Gate) => gate === 'number_limit').retry_after_seconds;
    expect(wait).toBeGreaterThanOrEqual(1);
    expect(wait).toBeLessThanOrEqual(600);
  });

  it('decisions 15: a quote names what would refuse', async () => {
    const poor = await suite.customer({ credits: 4 });
    const gatesOf = async (body: Record<string, unknown>) =>
      obstacles((await quoteSms(poor, body)).json.gates);
    expect(await gatesOf({})).toEqual(['balance refuse insufficient_credits']);
    expect(await gatesOf({ sender_id: '12345' })).toContain('sender_id refuse sender_id_invalid');
    expect(await gatesOf({ message: 'é€'.repeat(800) })).toContain(
      'content refuse validation_error',
    );
    expect(await gatesOf({ phone_number: '+254712345678' })).toContain(
      'country warn country_not_enabled',
    );
    await poor.settings({ country_enforcement: 'enforce' });
    expect(await gatesOf({ phone_number: '+254712345678' })).toContain(
      'country refuse country_not_enabled',
    );
  });

  it('decisions 15: a quote warns of a text that anti-spam would block or tag', async () => {
    const customer = await suite.customer({ settings: { anti_spam: 'block' } });
    const message = 'URGENT: your account is blocked. Send your PIN at http://bit.ly/unblock-now';
    const content = async (body: Record<string, unknown>) => {
      const { status, json } = await quoteSms(customer, body);
      expect(status).toBe(200);
      return json.gates.at(-1);
    };
    const said = { gate: 'content', message: expect.stringMatching(/^Anti-spam would /) };
    expect(await content({ message })).toEqual({ ...said, verdict: 'refuse' });
    expect(await content({})).toEqual({ gate: 'content', verdict: 'pass' });
    await customer.settings({ anti_spam: 'tag' });
    expect(await content({ message })).toEqual({ ...said, verdict: 'warn' });
    await customer.settings({ anti_spam: 'off' });
    expect(await content({ message })).toEqual({ gate: 'content', verdict: 'pass' });
    expect(await customer.balance()).toBe(1_000);
  });
});

describe('a send with a quote', () => {
  it('decisions 16: a send with a quote is charged per segment as quoted, once', async () => {
    const customer = await suite.customer();
    const phone_number = freshNumber();
    const { quote_id } = (await quoteSms(customer, { phone_number })).json;
    const sent = await customer.sendSms({ phone_number, quote_id, message: 'a'.repeat(161) });
    expect(sent.json).toMatchObject({ status: 'pending', segments: 2, credit_cost: 10 });
    const again = await customer.sendSms({ phone_number, quote_id });
    expectError(again, 400, 'validation_error', 'quote_id');
    expect(await customer.balance()).toBe(990);
  });

  it('decisions 16: not for another workspace, mode, kind or destination, nor for what is no quote', async () => {
    const [customer, other] = [await suite.customer(), await suite.customer()];
    const phone_number = freshNumber();
    const { quote_id } = (await quoteOtp(customer, { phone_number })).json;
    const body = { phone_number, quote_id };
    const refusals = [
      await other.sendOtp(body),
      await customer.sendOtp(body, { key: customer.testKey }),
      await customer.sendSms(body),
      await customer.sendOtp({ quote_id }),
      await customer.sendOtp({ phone_number, quote_id: randomUUID() }),
      await customer.sendOtp({ phone_number, quote_id: 'none' }),
    ];
    for (const refusal of refusals) expectError(refusal, 400, 'validation_error', 'quote_id');
    expect((await customer.sendOtp(body)).status).toBe(200);
    expect(await customer.balance()).toBe(995);
    expect(await other.balance()).toBe(1_000);
  });
});
