/**
 * Carriers that an installation has once their accounts are set: decisions 14, domain facts 3.4
 * and 3.5. The built-in simulator plays them, so a setting is all that they need.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { freshNumber } from '../support/numbers.js';
import { type Customer, expectError, type Scenario, useSystem } from '../support/suite.js';
import { startOwnSystem } from '../support/system.js';
import { waitUntil } from '../support/wait-until.js';

const ACCOUNTS = {
  VONAGE_API_KEY: 'a1b2c3d4',
  VONAGE_API_SECRET: 'secret-of-vonage',
  VONAGE_SIGNATURE_SECRET: 'signature-secret-of-vonage',
  VONAGE_SIGNATURE_METHOD: 'sha256',
  INFOBIP_API_KEY: 'key-of-infobip',
};

const suite = useSystem(() => startOwnSystem(ACCOUNTS));
let customer: Customer;

interface Attempt {
  provider: string;
  ok: boolean;
}

const attemptsOf = (record: { provider_attempts: Attempt[] }) =>
  record.provider_attempts.map(({ provider, ok }) => `${provider} ${ok ? 'ok' : 'failed'}`);

/** Sends an SMS that meets these scenarios. Returns its number and its id. */
async function send(
  plan: 'GB' | 'KE' | 'NO',
  scenarios: readonly Scenario[],
  message = 'Your order has shipped.',
): Promise<{ to: string; id: string }> {
  const to = freshNumber(plan);
  for (const scenario of scenarios) await suite.scenario({ ...scenario, to });
  const { status, json, text } = await customer.sendSms({ phone_number: to, message });
  if (status !== 200) throw new Error(`not accepted: ${status} ${text}`);
  return { to, id: json.id };
}

const refuses = (provider: string): Scenario => ({ provider, submit: { kind: 'refuse' } });

beforeAll(async () => {
  customer = await suite.customer({ credits: 100_000 });
});

describe('accounts that are set and preferred nowhere', () => {
  it('come after the usual ones, in the order of the settings', async () => {
    const { id } = await send('NO', []);
    const usual = await customer.smsWith('delivered', id);
    expect(attemptsOf(usual)).toEqual(['twilio ok']);
    const refusing = ['twilio', 'africas_talking', 'vonage'].map(refuses);
    const last = await send('NO', refusing);
    const record = await customer.smsWith('delivered', last.id);
    expect(attemptsOf(record)).toEqual([
      'twilio failed',
      'africas_talking failed',
      'vonage failed',
      'infobip ok',
    ]);
    expect((await suite.handset(last.to)).map(({ provider }) => provider)).toEqual(['infobip']);
  });
});

interface Preferred {
  carrier: string;
  plan: 'GB' | 'KE';
  /** The carrier that comes next there. */
  usual: string;
  /** Codes of a subscriber that does not exist, and of a refused sender. */
  gone: string | number;
  refuse: number;
  /** Both codes, as an attempt shows them. */
  said: string;
  shown: string;
}

const PREFERRED: Preferred[] = [
  { carrier: 'vonage', plan: 'GB', usual: 'twilio', gone: 3, said: '3', refuse: 15, shown: '15' },
  {
    ...{ carrier: 'infobip', plan: 'KE', usual: 'africas_talking' },
    ...{ gone: '2/9/1', said: 'error 1', refuse: 13, shown: 'status 13' },
  },
];

describe.each(PREFERRED)('$carrier, preferred in $plan', ({ carrier, plan, usual, ...codes }) => {
  beforeAll(async () => {
    const change = { preferred_in: [plan] };
    const answer = await suite.operator.request('PATCH', `/carriers/${carrier}`, change);
    expect(answer.status).toBe(200);
    const carrierOfOne = async () => {
      const { to } = await send(plan, []);
      return (await suite.handsetWith(1, to))[0]!.provider;
    };
    // Each replica gets it within five seconds; any may send a message.
    await waitUntil('six messages in a row by the carrier', async () => {
      const carriers = await Promise.all([1, 2, 3, 4, 5, 6].map(carrierOfOne));
      return carriers.every((one) => one === carrier) || undefined;
    });
  });

  it('delivers an SMS and a code', async () => {
    const { to, id } = await send(plan, []);
    const record = await customer.smsWith('delivered', id);
    expect(record.provider).toBe(carrier);
    expect(attemptsOf(record)).toEqual([`${carrier} ok`]);
    const [message] = await suite.handset(to);
    expect(message).toMatchObject({ provider: carrier, body: 'Your order has shipped.' });
    const number = freshNumber(plan);
    const { json } = await customer.sendOtp({ phone_number: number });
    await customer.otpWith('delivered', json.id);
    expect((await suite.handset(number)).map(({ provider }) => provider)).toEqual([carrier]);
    const answer = await customer.verify(json.id, await suite.codeAt(number));
    expect(answer.json.valid).toBe(true);
  });

  it('delivers a text of several parts once all of them are', async () => {
    const { to, id } = await send(plan, [], `${'Ẹ kú àárọ̀ 🎉 '.repeat(12)}.`);
    const record = await customer.smsWith('delivered', id);
    expect(record.segments).toBeGreaterThan(1);
    const [message] = await suite.handset(to);
    expect(message).toMatchObject({ encoding: 'UCS-2', segments: record.segments });
  });

  it('fails a message with the reason of its report, and refunds it', async () => {
    const receipts = [{ after_ms: 50, outcome: 'failed', code: codes.gone }];
    const { id } = await send(plan, [{ provider: carrier, receipts }]);
    const record = await customer.smsWith('failed', id);
    expect(record).toMatchObject({ reason: 'unknown_subscriber', refunded: true });
    const failure = { provider: carrier, ok: false, error_code: codes.said };
    expect(record.provider_attempts).toMatchObject([failure]);
    const charges = (await customer.ledger()).filter(({ message_id }) => message_id === id);
    expect(charges.map(({ kind }) => kind)).toEqual(['refund', 'charge']);
  });

  it('is left for the next carrier where it refuses', async () => {
    const submit = { kind: 'refuse', code: codes.refuse };
    const { to, id } = await send(plan, [{ provider: carrier, submit }]);
    const record = await customer.smsWith('delivered', id);
    expect(attemptsOf(record)).toEqual([`${carrier} failed`, `${usual} ok`]);
    expect(record.provider_attempts[0]).toMatchObject({ error_code: codes.shown });
    expect((await suite.handset(to)).map(({ provider }) => provider)).toEqual([usual]);
  });

  it('is left for the next carrier where it is away', async () => {
    const submit = { kind: 'http_status', status: 500 };
    const { id } = await send(plan, [{ provider: carrier, submit }]);
    const record = await customer.smsWith('delivered', id);
    expect(attemptsOf(record).at(-1)).toBe(`${usual} ok`);
  });

  it('delivers once what it took without an answer, by its report', async () => {
    const submit = { kind: 'accept_then_lose_answer' };
    const { to, id } = await send(plan, [{ provider: carrier, submit }]);
    const record = await customer.smsWith('delivered', id, { timeoutMs: 30_000 });
    expect(record.provider).toBe(carrier);
    expect(await suite.handset(to)).toHaveLength(1);
  });

  it('has no report forged', async () => {
    const receipts = [
      { after_ms: 5, outcome: 'failed', forged: true },
      { after_ms: 300, outcome: 'delivered' },
    ];
    const { id } = await send(plan, [{ provider: carrier, receipts }]);
    await customer.smsWith('delivered', id);
  });

  it('opts a handset out that answers STOP', async () => {
    const { to, id } = await send(plan, []);
    await customer.smsWith('delivered', id);
    const stop = { provider: carrier, from: to, to: '20880', body: 'STOP' };
    const answer = await suite.system.simulator.post('/_simulator/inbound', stop);
    expect(answer.status).toBe(201);
    const refused = await waitUntil('the opt-out', async () => {
      const again = await customer.sendSms({ phone_number: to });
      return again.status === 200 ? undefined : again;
    });
    expectError(refused, 400, 'dnd_blocked', 'phone_number');
  });
});

describe('an SMS that infobip took without an answer', () => {
  it('is found in its log, so nobody waits for a report', async () => {
    const submit = { kind: 'accept_then_lose_answer' };
    const { to, id } = await send('KE', [{ provider: 'infobip', submit, receipts: [] }]);
    const record = await customer.smsWith('sent', id, { timeoutMs: 20_000 });
    expect(attemptsOf(record)).toEqual(['infobip ok']);
    expect(await suite.handset(to)).toHaveLength(1);
  });
});
