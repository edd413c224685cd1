/** Opt-outs that a carrier reports, by URL. Decisions 19, 25. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { freshNumber } from '../support/numbers.js';
import { type Customer, expectError, useSystem } from '../support/suite.js';
import { waitUntil } from '../support/wait-until.js';

const suite = useSystem();
let customer: Customer;
let other: Customer;

beforeAll(async () => {
  customer = await suite.customer();
  other = await suite.customer();
});

const send = (by: Customer, to: string, from: string) =>
  by.post('/v1/sms', { to, from, body: 'Your order is on its way.' });

async function delivered(by: Customer, to: string, from: string): Promise<void> {
  const { json } = await send(by, to, from);
  await by.smsWith('delivered', json.id);
}

const optOut = (from: string, to: string) =>
  suite.system.simulator.post('/_simulator/inbound', {
    ...{ provider: 'africas_talking', from, to, opt_out: true },
  });

const optOutsOf = async (by: Customer, number: string) => {
  const { json } = await by.get('/v1/suppressions?channel=sms');
  return json.data.filter(({ address }: { address: string }) => address === number);
};

describe('an opt-out at Africa’s Talking', () => {
  it('decisions 19: an opt-out at Africa’s Talking refuses the next send from that sender, as STOP does', async () => {
    const number = freshNumber();
    await delivered(customer, number, 'Acme');
    // A later message from another sender must not be taken for the answered one.
    await delivered(other, number, 'Bolt');
    expect((await optOut(number, 'ACME')).status).toBe(201);
    const [entry] = await waitUntil('the opt-out', async () => {
      const found = await optOutsOf(customer, number);
      return found.length > 0 ? found : undefined;
    });
    expect(entry).toMatchObject({ channel: 'sms', sender_id: 'Acme', origin: 'opt_out' });
    expectError(await send(customer, number, 'Acme'), 400, 'dnd_blocked', 'to');
    const ofA = { phone_number: number, sender_id: 'Acme' };
    expectError(await customer.sendSms(ofA), 400, 'dnd_blocked', 'phone_number');
    expect((await customer.sendOtp({ phone_number: number })).status).toBe(200);
    expect((await send(customer, number, 'Other')).status).toBe(202);
    expect((await send(other, number, 'Bolt')).status).toBe(202);
    expect(await optOutsOf(other, number)).toEqual([]);
  });
});

describe('a number that Twilio refuses because of a STOP to this sender', () => {
  /** Twilio comes first for numbers outside of Africa. */
  const refusedNumber = async () => {
    const number = freshNumber('GB');
    const submit = { kind: 'refuse', code: 21610 };
    await suite.scenario({ provider: 'twilio', to: number, submit, times: 1 });
    const { json } = await send(customer, number, 'Acme');
    const record = await customer.smsWith('failed', json.id);
    expect(record).toMatchObject({ error_code: 'opted_out' });
    return number;
  };

  it('decisions 19: a number that Twilio refuses because of a STOP to this sender has opted out: the next send asks no carrier', async () => {
    const number = await refusedNumber();
    const [entry] = await optOutsOf(customer, number);
    expect(entry).toMatchObject({ channel: 'sms', sender_id: 'Acme', origin: 'opt_out' });
    expectError(await send(customer, number, 'Acme'), 400, 'dnd_blocked', 'to');
    await delivered(customer, number, 'Other');
    await delivered(other, number, 'Acme');
  });

  it('a number that Twilio refuses because of a STOP to this sender can be sent to after the entry was deleted', async () => {
    const number = await refusedNumber();
    const query = `?channel=sms&sender_id=Acme`;
    const path = `/v1/suppressions/${encodeURIComponent(number)}${query}`;
    const answer = await suite.http.request('DELETE', path, { key: customer.liveKey });
    expect(answer.status).toBe(204);
    await delivered(customer, number, 'Acme');
  });

  it('decisions 19: a number that Twilio refuses because of a STOP to this sender can be sent to after START', async () => {
    const number = await refusedNumber();
    const start = { provider: 'twilio', from: number, to: 'Acme', body: 'START' };
    expect((await suite.system.simulator.post('/_simulator/inbound', start)).status).toBe(201);
    await waitUntil('the opt-in', async () =>
      (await optOutsOf(customer, number)).length === 0 ? true : undefined,
    );
    await delivered(customer, number, 'Acme');
  });
});
