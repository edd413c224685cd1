/**
 * Carriers that fail, lie and fall silent: interface sections 1.1, 3; decisions 9, 14 and 16;
 * domain facts 3.1 and 3.2. A carrier that refuses is skipped for that network afterwards, so every
 * test that makes one refuse uses its own country.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { attemptsOf } from '../support/carrier-choice.js';
import { freshNumber, type NumberingPlan } from '../support/numbers.js';
import { type Customer, type Scenario, useSystem } from '../support/suite.js';
import { waitUntil } from '../support/wait-until.js';

const suite = useSystem();
let customer: Customer;

/** Returns a number with these scenarios. The newest takes precedence. */
async function numberWith(plan: NumberingPlan, ...scenarios: Scenario[]): Promise<string> {
  const to = freshNumber(plan);
  for (const scenario of scenarios) await suite.scenario({ ...scenario, to });
  return to;
}

const at = (provider: string, submit: Record<string, unknown>): Scenario => ({ provider, submit });
const providersAt = async (to: string) => (await suite.handset(to)).map(({ provider }) => provider);
const ledgerOf = async (id: string) =>
  (await customer.ledger()).filter(({ message_id }) => message_id === id).map(({ kind }) => kind);

/** What takes half a minute runs while everything else is tested. */
let ambiguous: { number: string; id: string; kind: string }[];

beforeAll(async () => {
  customer = await suite.customer({ credits: 100_000 });
  ambiguous = [];
  for (const kind of ['hang', 'reset', 'garbage']) {
    const submit = { kind };
    const number = await numberWith('NG', at('africas_talking', submit));
    const { json } = await customer.sendSms({ phone_number: number });
    ambiguous.push({ number, id: json.id, kind });
  }
});

describe('a provider that refuses', () => {
  it('decisions 14: the first for African numbers is africas_talking, elsewhere twilio', async () => {
    const [here, there] = [freshNumber('NG'), freshNumber('GB')];
    await customer.sendSms({ phone_number: here });
    await customer.sendOtp({ phone_number: there });
    expect((await suite.handsetWith(1, here))[0]!.provider).toBe('africas_talking');
    expect((await suite.handsetWith(1, there))[0]!.provider).toBe('twilio');
  });

  it('1.1: an SMS refused by the first is delivered by the second, both on record', async () => {
    const to = await numberWith('ML', at('africas_talking', { kind: 'refuse', code: 402 }));
    const { json } = await customer.sendSms({ phone_number: to });
    const record = await customer.smsWith('delivered', json.id);
    expect(attemptsOf(record)).toEqual(['africas_talking failed', 'twilio ok']);
    const [refused, accepted] = record.provider_attempts;
    expect(refused).toMatchObject({ error_code: '402', error_message: expect.any(String) });
    expect(record).toMatchObject({
      provider: 'twilio',
      provider_message_id: accepted.provider_message_id,
      credit_cost: 120,
    });
    expect(await providersAt(to)).toEqual(['twilio']);
    expect(await ledgerOf(json.id)).toEqual(['charge']);
  });

  it('1.1: an OTP refused by the first is delivered by the second and verifies', async () => {
    const to = await numberWith('NL', at('twilio', { kind: 'refuse', code: 21606 }));
    const { json } = await customer.sendOtp({ phone_number: to });
    await customer.otpWith('delivered', json.id);
    expect(await providersAt(to)).toEqual(['africas_talking']);
    const answer = await customer.verify(json.id, await suite.codeAt(to));
    expect(answer.json.valid).toBe(true);
  });

  it.each([
    ['africas_talking', 406, 'BF', 'opted_out'],
    ['africas_talking', 403, 'BF', 'invalid_number'],
    ['twilio', 21610, 'ES', 'opted_out'],
    ['twilio', 21617, 'ES', 'message_invalid'],
  ] as const)('domain 3.1: %s %d is never routed round', async (provider, code, plan, reason) => {
    const to = await numberWith(plan, at(provider, { kind: 'refuse', code }));
    const { json } = await customer.sendSms({ phone_number: to });
    const record = await customer.smsWith('failed', json.id);
    expect(record).toMatchObject({ reason, refunded: true });
    expect(record.provider_attempts).toHaveLength(1);
    expect(await suite.handset(to)).toEqual([]);
  });
});

describe('a provider that is ill', () => {
  it.each(['sendOtp', 'sendSms'] as const)('domain 3.1: after a 500 %s goes on', async (send) => {
    const to = await numberWith('TG', at('africas_talking', { kind: 'http_status', status: 500 }));
    const { json } = await customer[send]({ phone_number: to });
    await suite.handsetWith(1, to);
    expect(await providersAt(to)).toEqual(['twilio']);
    expect(await ledgerOf(json.id)).toEqual(['charge']);
  });

  it('domain 3.1: a throttle is waited for, and the same provider delivers', async () => {
    const throttle = at('africas_talking', { kind: 'throttle', retry_after_s: 1 });
    const to = await numberWith('GN', { ...throttle, times: 1 });
    const { json } = await customer.sendSms({ phone_number: to });
    const record = await customer.smsWith('delivered', json.id);
    expect(attemptsOf(record).at(-1)).toBe('africas_talking ok');
    expect(await providersAt(to)).toEqual(['africas_talking']);
  });

  it.each(['hang', 'reset', 'garbage'])(
    'decisions 9: an OTP whose submit ends in %s goes on with the same code',
    async (kind) => {
      const to = await numberWith('SL', at('africas_talking', { kind }));
      const { json } = await customer.sendOtp({ phone_number: to });
      await suite.handsetWith(1, to);
      expect((await providersAt(to)).at(-1)).toBe('twilio');
      const answer = await customer.verify(json.id, await suite.codeAt(to));
      expect(answer.json.valid).toBe(true);
      expect(await ledgerOf(json.id)).toEqual(['charge']);
    },
  );

  it('decisions 9: an OTP accepted without an answer may come twice, with one code', async () => {
    const to = await numberWith('GB', at('twilio', { kind: 'accept_then_lose_answer' }));
    const { json } = await customer.sendOtp({ phone_number: to });
    await customer.otpWith('delivered', json.id);
    const bodies = (await suite.handset(to)).map(({ body }) => body);
    expect(new Set(bodies).size).toBe(1);
    expect(bodies.length).toBeLessThanOrEqual(2);
    expect(await ledgerOf(json.id)).toEqual(['charge']);
  });

  it('decisions 9: an SMS accepted without an answer is delivered by its receipt, once', async () => {
    const to = await numberWith('GB', at('twilio', { kind: 'accept_then_lose_answer' }));
    const { json } = await customer.sendSms({ phone_number: to });
    const record = await customer.smsWith('delivered', json.id);
    expect(record.provider).toBe('twilio');
    expect(await suite.handset(to)).toHaveLength(1);
    expect(record.provider_attempts).toHaveLength(1);
  });
});

describe('receipts', () => {
  it('domain 3.2: one that overtakes the answer counts', async () => {
    const to = await numberWith('GB', {
      provider: 'twilio',
      submit: { kind: 'accept', delay_ms: 700 },
      receipts: [{ after_ms: 5, outcome: 'delivered' }],
    });
    const { json } = await customer.sendSms({ phone_number: to });
    const record = await customer.smsWith('delivered', json.id);
    expect(record.timeline.map((hop: { status: string }) => hop.status)).toEqual([
      'queued',
      'sent',
      'delivered',
    ]);
    expect(await suite.handset(to)).toHaveLength(1);
  });

  it('decisions 1: delivered after failed leaves failed, refunded once', async () => {
    const marker = await numberWith('GB', { receipts: [{ after_ms: 300, outcome: 'delivered' }] });
    const to = await numberWith('GB', {
      receipts: [
        { after_ms: 5, outcome: 'failed' },
        { after_ms: 200, outcome: 'delivered' },
        { after_ms: 220, outcome: 'failed' },
      ],
    });
    const { json } = await customer.sendSms({ phone_number: to });
    await customer.smsWith('failed', json.id);
    const later = await customer.sendSms({ phone_number: marker });
    await customer.smsWith('delivered', later.json.id);
    const record = await waitUntil('the late delivery on record', async () => {
      const { json: now } = await customer.getSms(json.id);
      return now.provider_attempts[0].late_delivery ? now : undefined;
    });
    expect(record).toMatchObject({ status: 'failed', refunded: true });
    expect(record.delivered_at).toBeNull();
    expect(record.provider_attempts).toHaveLength(1);
    expect(await ledgerOf(json.id)).toEqual(['refund', 'charge']);
  });

  it('decisions 1: failed after delivered leaves delivered and paid for', async () => {
    const marker = await numberWith('GB', { receipts: [{ after_ms: 300, outcome: 'delivered' }] });
    const to = await numberWith('GB', {
      receipts: [
        { after_ms: 5, outcome: 'delivered' },
        { after_ms: 10, outcome: 'delivered' },
        { after_ms: 50, outcome: 'failed' },
      ],
    });
    const { json } = await customer.sendOtp({ phone_number: to });
    await customer.otpWith('delivered', json.id);
    const later = await customer.sendOtp({ phone_number: marker });
    await customer.otpWith('delivered', later.json.id);
    const record = (await customer.getOtp(json.id)).json;
    expect(record.status).toBe('delivered');
    const hops = record.timeline.map((hop: { status: string }) => hop.status);
    expect(hops).toEqual(['queued', 'sent', 'delivered']);
    expect(await ledgerOf(json.id)).toEqual(['charge']);
  });

  it.each(['GB', 'BF'] as const)('a forged one changes nothing (%s)', async (plan) => {
    const to = await numberWith(plan, {
      receipts: [
        { after_ms: 5, outcome: 'failed', forged: true },
        { after_ms: 300, outcome: 'delivered' },
      ],
    });
    const { json } = await customer.sendSms({ phone_number: to });
    await customer.smsWith('delivered', json.id);
  });

  it('decisions 15: callbacks with a wrong secret or for nobody are refused or ignored', async () => {
    const body = 'id=ATXid_x&status=Success&phoneNumber=%2B254722000000';
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const path of ['africas_talking/wrong', 'twilio/wrong', 'nobody/wrong']) {
      const answer = await suite.http.post(`/callbacks/${path}`, undefined, { raw: body, headers });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
    }
  });
});

describe('a submit of an SMS without an answer', () => {
  it('decisions 9: a submit of an SMS without an answer fails over only after 30 s, with every attempt in the record, charged once', async () => {
    for (const { number, id, kind } of ambiguous) {
      const record = await customer.smsWith('delivered', id);
      expect([kind, attemptsOf(record)]).toEqual([kind, ['africas_talking failed', 'twilio ok']]);
      const [first, second] = record.provider_attempts.map((attempt: { attempted_at: string }) =>
        Date.parse(attempt.attempted_at),
      );
      expect(second - first).toBeGreaterThanOrEqual(29_000);
      expect(await providersAt(number)).toEqual(['twilio']);
      expect(await ledgerOf(id)).toEqual(['charge']);
    }
  });
});
