/** Messages over SMPP, by URL. The account is one that only an operator sets, so this file has its own system. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { freshNumber } from '../support/numbers.js';
import { type Customer, expectError, type Scenario, useSystem } from '../support/suite.js';
import { startOwnSystem } from '../support/system.js';
import { waitUntil } from '../support/wait-until.js';

const suite = useSystem(() =>
  startOwnSystem({
    SMPP_SYSTEM_ID: 'watchword',
    SMPP_PASSWORD: 'secret08',
    SMPP_ERROR_REASONS: '0dc=absent_subscriber',
  }),
);
let customer: Customer;

const carrier = async () => {
  const { json } = await suite.operator.request('GET', '/carriers');
  return json.data.find(({ id }: { id: string }) => id === 'smpp');
};
const isBound = () =>
  waitUntil('a bound session', async () => (await carrier()).circuit === 'closed');

beforeAll(async () => {
  customer = await suite.customer({ credits: 100_000 });
  const preferred = await suite.operator.request('PATCH', '/carriers/smpp', {
    preferred_in: ['NG'],
  });
  expect(preferred.json).toMatchObject({ id: 'smpp', preferred_in: ['NG'] });
  await waitUntil('a message by SMPP', async () => {
    const to = freshNumber('NG');
    await customer.sendSms({ phone_number: to });
    return (await suite.handsetWith(1, to))[0]!.provider === 'smpp';
  });
}, 90_000);

const LONG = `Ẹ kú àárọ̀. ${'Ọjà rẹ ti dé. '.repeat(12)}Ẹ ṣé`;

async function numberWith(scenario: Scenario): Promise<string> {
  const to = freshNumber('NG');
  await suite.scenario({ provider: 'smpp', to, ...scenario });
  return to;
}

interface Attempt {
  provider: string;
  ok: boolean;
}
const attemptsOf = (record: { provider_attempts: Attempt[] }) =>
  record.provider_attempts.map(({ provider, ok }) => `${provider} ${ok ? 'ok' : 'failed'}`);

describe('SMPP', () => {
  it('decisions 14: without its countries, routes are as they were', async () => {
    const [here, there] = [freshNumber('KE'), freshNumber('GB')];
    await customer.sendSms({ phone_number: here });
    await customer.sendSms({ phone_number: there });
    expect((await suite.handsetWith(1, here))[0]!.provider).toBe('africas_talking');
    expect((await suite.handsetWith(1, there))[0]!.provider).toBe('twilio');
  });

  it('brings a long UCS-2 message whole, delivered once all its parts are', async () => {
    const to = freshNumber('NG');
    const { json } = await customer.sendSms({ phone_number: to, message: LONG });
    const record = await customer.smsWith('delivered', json.id);
    const [row, ...others] = await suite.handset(to);
    expect(others).toEqual([]);
    expect(row).toMatchObject({ provider: 'smpp', body: LONG, encoding: 'UCS-2' });
    expect(row!.segments).toBeGreaterThan(2);
    expect(record).toMatchObject({ provider: 'smpp', segments: row!.segments });
    expect(record.provider_message_id).toBe(row!.reference);
  });

  it('brings a code', async () => {
    const { id, number, code } = await customer.readOtp({ phone_number: freshNumber('NG') });
    expect((await suite.handset(number))[0]!.provider).toBe('smpp');
    await customer.otpWith('delivered', id);
    expect((await customer.verify(id, code)).json.valid).toBe(true);
  });

  it.each([
    ['EXPIRED', 'expired'],
    ['UNDELIV 0dc', 'absent_subscriber'],
    ['REJECTD', 'carrier_rejected'],
  ])('fails a message by the receipt %s', async (code, reason) => {
    const to = await numberWith({ receipts: [{ after_ms: 50, outcome: 'failed', code }] });
    const { json } = await customer.sendSms({ phone_number: to, message: LONG });
    const record = await customer.smsWith('failed', json.id);
    expect(record).toMatchObject({ provider: 'smpp', reason, refunded: true });
  });

  it('ignores a forged receipt', async () => {
    const receipts = [
      { after_ms: 50, outcome: 'failed', forged: true },
      { after_ms: 200, outcome: 'delivered' },
    ];
    const to = await numberWith({ receipts });
    const { json } = await customer.sendSms({ phone_number: to });
    await customer.smsWith('delivered', json.id);
  });

  it('fails over from a refusal', async () => {
    const to = await numberWith({ submit: { kind: 'refuse', code: 'ESME_RINVSRCADR' } });
    const { json } = await customer.sendSms({ phone_number: to });
    const record = await customer.smsWith('delivered', json.id);
    expect(attemptsOf(record)).toEqual(['smpp failed', 'africas_talking ok']);
    expect(record.provider_attempts[0]).toMatchObject({ error_code: 'ESME_RINVSRCADR' });
  });

  it('survives a dropped session: the code goes elsewhere, the next message by SMPP', async () => {
    const to = await numberWith({ submit: { kind: 'reset' } });
    const { json } = await customer.sendOtp({ phone_number: to });
    const record = await customer.otpWith('delivered', json.id);
    expect(attemptsOf(record)).toEqual(['smpp failed', 'africas_talking ok']);
    await isBound();
    await waitUntil('the next message by SMPP', async () => {
      const next = freshNumber('NG');
      await customer.sendSms({ phone_number: next });
      return (await suite.handsetWith(1, next))[0]!.provider === 'smpp';
    });
  });

  it('gets the receipt of a message whose answer was lost with the session', async () => {
    const to = await numberWith({ submit: { kind: 'accept_then_lose_answer' } });
    const { json } = await customer.sendSms({ phone_number: to });
    await customer.smsWith('delivered', json.id);
    expect(await suite.handset(to)).toHaveLength(1);
    await isBound();
  });

  it('opts a handset out that answers STOP', async () => {
    const to = freshNumber('NG');
    const send = () => customer.post('/v1/sms', { to, from: 'Acme', body: 'Hi' });
    const { json } = await send();
    await customer.smsWith('delivered', json.id);
    const stop = { provider: 'smpp', from: to, to: 'Acme', body: 'STOP' };
    const answer = await suite.system.simulator.post('/_simulator/inbound', stop);
    expect(answer.status).toBe(201);
    await waitUntil('the opt-out', async () => (await send()).status === 400);
    expectError(await send(), 400, 'dnd_blocked', 'to');
  });
});
