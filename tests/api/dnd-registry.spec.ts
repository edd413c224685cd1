/** Decisions 19: a do-not-disturb registry that is asked over HTTP, beside the uploaded lists. It fails open. */
import { describe, expect, it } from '@jest/globals';
import { freePort } from '../../libs/postgres/src/free-port.js';
import { freshNumber } from '../support/numbers.js';
import { WebhookReceiver } from '../support/receiver.js';
import type { Answer } from '../support/http.js';
import { type Customer, expectError, useSystem } from '../support/suite.js';
import { beforeDue, earlyEnough } from '../support/early-enough.js';
import { sharedSettings, startOwnSystem, startSystem } from '../support/system.js';
import { waitUntil } from '../support/wait-until.js';

const suite = useSystem(async () => {
  if (sharedSettings()['DND_LOOKUP_URL'] !== undefined) return startSystem();
  const port = String(await freePort());
  const DND_LOOKUP_URL = `http://127.0.0.1:${port}/dnd/lookup`;
  return startOwnSystem({ CARRIER_SIM_PORT: port, DND_LOOKUP_URL });
});

async function listed(...numbers: string[]): Promise<void> {
  const answer = await suite.system.simulator.put('/_simulator/dnd', { numbers });
  expect(answer.json).toEqual({ numbers: numbers.length });
}

const message = (to: string, more: object = {}) => ({ to, from: 'Acme', body: 'Hi', ...more });
const send = (customer: Customer, to: string, more: object = {}) =>
  customer.post('/v1/sms', message(to, more));

/** On a busy machine the registry may answer too late, and a send is accepted. Then it is repeated. */
function refusedBy(ask: () => Promise<Answer>): Promise<Answer> {
  return earlyEnough(ask, ({ status }) => status === 400);
}

describe('a do-not-disturb registry', () => {
  it('decisions 19: a do-not-disturb registry refuses SMS of both variants and items of a batch, never an OTP, nor in test mode', async () => {
    const customer = await suite.customer();
    const [number, other] = [freshNumber(), freshNumber()];
    await listed(number);
    const single = await refusedBy(() => send(customer, number));
    expectError(single, 400, 'dnd_blocked', 'to');
    const ofA = { phone_number: number };
    const ofVariantA = await refusedBy(() => customer.sendSms(ofA));
    expectError(ofVariantA, 400, 'dnd_blocked', 'phone_number');
    const messages = [{ to: number }, { to: other }].map((one) => ({ ...one, body: 'Hi' }));
    const batch = await earlyEnough(
      () => customer.post('/v1/sms/batch', { from: 'Acme', messages }),
      ({ json }) => json.failed > 0,
    );
    expect(batch.json).toMatchObject({
      ...{ accepted: 1, failed: 1 },
      data: [{ error: { type: 'dnd_blocked', field: 'to' } }, { sms: { to: other } }],
    });
    expect((await customer.sendOtp(ofA)).status).toBe(200);
    const test = await customer.post('/v1/sms', message(number), { key: customer.testKey });
    expect(test.status).toBe(202);
    const charged = (await customer.ledger()).filter(({ kind }) => kind === 'charge');
    const oneTimePasswords = 1;
    await waitUntil('a charge for each message', async () => {
      const { json: sent } = await customer.get('/v1/sms?test_mode=false');
      return sent.data.length + oneTimePasswords === charged.length;
    });
  });

  it('a do-not-disturb registry lets a sender pass that is whitelisted', async () => {
    const customer = await suite.customer();
    const number = freshNumber();
    await listed(number);
    const topUp = { credits: 10_000, kind: 'purchase' };
    await suite.operator.request('POST', `/workspaces/${customer.id}/top-ups`, topUp);
    const { json } = await customer.post('/v1/sender-ids', {
      ...{ sender_id: 'Hospital', countries: ['NG'], registered_entity: 'Hospital Ltd' },
      ...{ use_case: 'Appointments', sample_message: 'Your appointment is at nine.' },
    });
    const before = await refusedBy(() => send(customer, number, { from: 'Hospital' }));
    expectError(before, 400, 'dnd_blocked', 'to');
    const review = { countries: ['NG'], status: 'approved', dnd_whitelisted: true };
    await suite.operator.request('POST', `/sender-ids/${json.id}/reviews`, review);
    expect((await send(customer, number, { from: 'hospital' })).status).toBe(202);
  });

  it.each([
    ['hangs', { kind: 'hang' }],
    ['fails', { kind: 'http_status', status: 503 }],
    ['answers garbage', { kind: 'garbage' }],
    ['resets the connection', { kind: 'reset' }],
    ['answers after three seconds', { kind: 'accept', delay_ms: 3_000 }],
  ])('decisions 19: a do-not-disturb registry that %s stops no send', async (_, submit) => {
    const customer = await suite.customer();
    const number = freshNumber();
    await listed(number);
    await suite.scenario({ provider: 'dnd', to: number, submit, times: 1 });
    expect((await send(customer, number)).status).toBe(202);
    expectError(await refusedBy(() => send(customer, number)), 400, 'dnd_blocked', 'to');
  });

  it('decisions 19: a do-not-disturb registry is asked again when a scheduled message comes due', async () => {
    const customer = await suite.customer({ credits: 5 });
    const receiver = await WebhookReceiver.start();
    try {
      const events = ['sms.queued', 'sms.sent', 'sms.rejected'];
      await customer.post('/v1/webhooks', { url: receiver.url, events });
      await listed();
      const json = await beforeDue(async (send_at) => {
        const number = freshNumber();
        const { json } = await send(customer, number, { send_at });
        await listed(number);
        return json;
      });
      expect(json.status).toBe('scheduled');
      const record = await customer.smsWith('rejected', json.id);
      expect(record).toMatchObject({ error_code: 'dnd_active', provider_attempts: [] });
      await waitUntil('the event', () => receiver.received.length > 0 || undefined);
      const announced = receiver.received.map(({ json: event }) => [event.type, event.data.sms_id]);
      expect(announced).toEqual([['sms.rejected', json.id]]);
      expect(await customer.balance()).toBe(5);
    } finally {
      await receiver.close();
    }
  });
});
