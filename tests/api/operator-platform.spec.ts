/** Changes for all workspaces, on their own system: carriers (decisions 22) and prices (16). */
import { afterEach, describe, expect, it } from '@jest/globals';
import { freshNumber } from '../support/numbers.js';
import { type Customer, expectError, useSystem } from '../support/suite.js';
import { startOwnSystem } from '../support/system.js';
import { waitUntil } from '../support/wait-until.js';

const suite = useSystem(startOwnSystem);
const change = (id: string, body: unknown) =>
  suite.operator.request('PATCH', `/carriers/${id}`, body);

/** The carrier that took the message. On a busy machine that is not always the first. */
async function carrierOfSms(customer: Customer): Promise<string> {
  const body = { phone_number: freshNumber(), message: 'Hi' };
  const { id } = (await customer.post('/v1/sms/send', body)).json;
  const taken = await waitUntil('the message to be sent', async () => {
    const { json: record } = await customer.get(`/v1/sms/${id}`);
    return record.provider_attempts.find(({ ok }: { ok: boolean }) => ok);
  });
  return taken.provider;
}

afterEach(() => change('africas_talking', { state: 'active', preferred_in: [] }));

describe('/operator/v1/carriers', () => {
  it('decisions 22: GET answers the documented shape', async () => {
    const { status, json } = await suite.operator.request('GET', '/carriers');
    expect(status).toBe(200);
    expect(json.data).toContainEqual({
      id: 'africas_talking',
      carrier: 'africas_talking',
      state: 'active',
      circuit: expect.stringMatching(/^(closed|open|probing)$/),
      preferred_in: [],
      submits_per_minute: expect.any(Number),
      failed_share: expect.any(Number),
      reason: null,
    });
  });

  it('decisions 22: PATCH drains an account, audited, and the next message goes elsewhere', async () => {
    const { status, json } = await change('africas_talking', { state: 'drained' });
    expect([status, json.state]).toEqual([200, 'drained']);
    const customer = await suite.customer();
    // Each replica gets it within five seconds; any may send a message.
    await waitUntil('four messages in a row by the other carrier', async () => {
      const carriers = await Promise.all([1, 2, 3, 4].map(() => carrierOfSms(customer)));
      return carriers.every((carrier) => carrier === 'twilio');
    });
    const audit = await suite.operator.request('GET', '/audit?limit=50');
    expect(audit.json.data).toContainEqual(
      expect.objectContaining({ effect: { carrier: 'africas_talking', state: 'drained' } }),
    );
  });

  it('an account is preferred in existing countries only', async () => {
    const answer = await change('africas_talking', { preferred_in: ['NG', 'ZZ'] });
    expectError(answer, 400, 'validation_error', 'preferred_in.1');
  });

  it('accounts of emails are steered too, but are preferred in no country', async () => {
    const { status, json } = await change('smtp', { state: 'active' });
    expect([status, json.carrier, json.state]).toEqual([200, 'smtp', 'active']);
    const preferred = await change('smtp', { preferred_in: ['NG'] });
    expectError(preferred, 400, 'validation_error', 'preferred_in');
    const { json: list } = await suite.operator.request('GET', '/carriers');
    expect(list.data).toContainEqual(expect.objectContaining({ id: 'smtp', preferred_in: [] }));
  });

  it('refuses what it does not know', async () => {
    expectError(await change('nobody', { state: 'drained' }), 404, 'not_found');
    expectError(await change('simulator_1', { state: 'drained' }), 404, 'not_found');
    const bad = [{ state: 'off' }, { preferred_in: ['Nigeria'] }, { circuit: 'open' }];
    for (const body of bad) {
      expectError(await change('twilio', body), 400, 'validation_error');
    }
  });
});

describe('/operator/v1/prices', () => {
  it('decisions 16: an edit holds for sends within 5 s, rates of networks too', async () => {
    const customer = await suite.customer({ credits: 10_000 });
    const costs = async (plan: 'IS' | 'KE-airtel' | 'KE') =>
      (await customer.sendOtp({ phone_number: freshNumber(plan) })).json.credit_cost as number;
    const { json: prices } = await suite.operator.request('GET', '/prices');
    expect(await costs('IS')).toBe(120);
    const airtel = { name: 'Airtel', mcc_mnc: ['63903'], credits: 7 };
    const edited = structuredClone(prices);
    edited.countries.IS = { credits: 33, listed: false, networks: [] };
    edited.countries.KE = { ...edited.countries.KE, networks: [airtel] };
    try {
      expect((await suite.operator.request('PUT', '/prices', edited)).status).toBe(200);
      await waitUntil('the new price', async () => (await costs('IS')) === 33);
      expect(await costs('KE-airtel')).toBe(7);
      expect(await costs('KE')).toBe(12);
    } finally {
      await suite.operator.request('PUT', '/prices', prices);
    }
    await waitUntil('the old price', async () => (await costs('IS')) === 120);
  });
});
