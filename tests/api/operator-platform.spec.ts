/**
 * Carriers as operators steer them: decisions 22. What changes is an account that no other spec uses,
 * preferred in a country that no other spec uses.
 */
import { afterAll, describe, expect, it } from '@jest/globals';
import { freshNumber } from '../support/numbers.js';
import { type Customer, expectError, useSystem } from '../support/suite.js';
import accounts from '../support/carrier-accounts.json' with { type: 'json' };
import { startSystemWith } from '../support/system.js';
import { waitUntil } from '../support/wait-until.js';

const SPARE = 'plivo_spare';
const COUNTRY = 'ET';

// Defined before the system is, so that it is done before the system is closed.
afterAll(() => change(SPARE, { state: 'active', preferred_in: [] }));

const suite = useSystem(() => startSystemWith(accounts));
const change = (id: string, body: unknown) =>
  suite.operator.request('PATCH', `/carriers/${id}`, body);

/** The carrier that took the message. On a busy machine that is not always the first. */
async function carrierOfSms(customer: Customer): Promise<string> {
  const body = { phone_number: freshNumber(COUNTRY), message: 'Hi' };
  const { id } = (await customer.post('/v1/sms/send', body)).json;
  const taken = await waitUntil('the message to be sent', async () => {
    const { json: record } = await customer.get(`/v1/sms/${id}`);
    return record.provider_attempts.find(({ ok }: { ok: boolean }) => ok);
  });
  return taken.provider;
}

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
    const customer = await suite.customer({ credits: 100_000 });
    // Each replica gets a change within five seconds; any may send a message.
    const untilAllBy = (carrier: string) =>
      waitUntil(`four messages in a row by ${carrier}`, async () => {
        const carriers = await Promise.all([1, 2, 3, 4].map(() => carrierOfSms(customer)));
        return carriers.every((one) => one === carrier);
      });
    expect((await change(SPARE, { preferred_in: [COUNTRY] })).status).toBe(200);
    await untilAllBy(SPARE);
    const { status, json } = await change(SPARE, { state: 'drained' });
    expect([status, json.state]).toEqual([200, 'drained']);
    await untilAllBy('africas_talking');
    const audit = await suite.operator.request('GET', '/audit?limit=50');
    expect(audit.json.data).toContainEqual(
      expect.objectContaining({ effect: { carrier: SPARE, state: 'drained' } }),
    );
  });

  it('an account is preferred in existing countries only', async () => {
    const answer = await change(SPARE, { preferred_in: ['NG', 'ZZ'] });
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
