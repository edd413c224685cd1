/**
 * Carriers that an installation has once their accounts are set: decisions 14, domain facts 3.7 and
 * 3.8. The built-in simulator plays them, so a setting is all that they need.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { freshNumber } from '../support/numbers.js';
import { type Customer, type Scenario, useSystem } from '../support/suite.js';
import { startOwnSystem } from '../support/system.js';
import { waitUntil } from '../support/wait-until.js';

const ACCOUNTS = {
  TERMII_API_KEY: 'TLkey-of-the-account',
  TERMII_SECRET_KEY: 'secret-of-termii',
  PLIVO_AUTH_ID: 'MA000000000000000001',
  PLIVO_AUTH_TOKEN: 'token-of-plivo',
};

const suite = useSystem(() => startOwnSystem(ACCOUNTS));
let customer: Customer;

interface Attempt {
  provider: string;
  ok: boolean;
  error_code?: string | null;
}
type Plan = 'NG' | 'GB' | 'KE';

const attemptsOf = (record: { provider_attempts: Attempt[] }) =>
  record.provider_attempts.map(({ provider, ok }) => `${provider} ${ok ? 'ok' : 'failed'}`);

/** Sends an SMS that meets these scenarios. Returns its number and its id. */
async function send(
  plan: Plan,
  scenarios: readonly Scenario[] = [],
  message = 'Your order has shipped.',
): Promise<{ to: string; id: string }> {
  const to = freshNumber(plan);
  for (const scenario of scenarios) await suite.scenario({ ...scenario, to });
  const { status, json, text } = await customer.sendSms({ phone_number: to, message });
  if (status !== 200) throw new Error(`not accepted: ${status} ${text}`);
  return { to, id: json.id };
}

/** Each process learns of it within five seconds. */
async function prefer(carrier: string, plan: Plan): Promise<void> {
  const change = { preferred_in: [plan] };
  const answer = await suite.operator.request('PATCH', `/carriers/${carrier}`, change);
  expect(answer.status).toBe(200);
}

beforeAll(async () => {
  customer = await suite.customer({ credits: 100_000 });
});

describe.each([
  { carrier: 'termii', plan: 'NG', usual: 'africas_talking', refuse: 'Invalid Sender Id' },
  { carrier: 'plivo', plan: 'GB', usual: 'twilio', refuse: 'src' },
] as const)('$carrier, preferred in $plan', ({ carrier, plan, usual, refuse }) => {
  beforeAll(async () => {
    await prefer(carrier, plan);
    await waitUntil('the choice to be in force', async () => {
      const { to } = await send(plan);
      const [message] = await suite.handsetWith(1, to);
      return message!.provider === carrier || undefined;
    });
  });

  it('delivers an SMS', async () => {
    const { to, id } = await send(plan);
    const record = await customer.smsWith('delivered', id);
    expect(record.provider).toBe(carrier);
    expect(attemptsOf(record)).toEqual([`${carrier} ok`]);
    const [message] = await suite.handset(to);
    expect(message).toMatchObject({ provider: carrier, body: 'Your order has shipped.' });
    expect(record.provider_message_id).toBe(message!.reference);
  });

  it('delivers a code that verifies', async () => {
    const to = freshNumber(plan);
    const { json } = await customer.sendOtp({ phone_number: to });
    await customer.otpWith('delivered', json.id);
    expect((await suite.handset(to)).map(({ provider }) => provider)).toEqual([carrier]);
    const answer = await customer.verify(json.id, await suite.codeAt(to));
    expect(answer.json.valid).toBe(true);
  });

  it('fails over where it refuses, and where it is away', async () => {
    for (const submit of [
      { kind: 'refuse', code: refuse },
      { kind: 'http_status', status: 503 },
    ]) {
      const { id } = await send(plan, [{ provider: carrier, submit }]);
      const record = await customer.smsWith('delivered', id);
      expect(attemptsOf(record).at(0)).toBe(`${carrier} failed`);
      expect(attemptsOf(record).at(-1)).toBe(`${usual} ok`);
    }
  });

  it('loses a code that it does not answer to the next carrier', async () => {
    const to = freshNumber(plan);
    await suite.scenario({ provider: carrier, submit: { kind: 'hang' }, to });
    const { json } = await customer.sendOtp({ phone_number: to });
    await customer.otpWith('delivered', json.id, { timeoutMs: 30_000 });
    expect((await suite.handset(to)).map(({ provider }) => provider)).toEqual([usual]);
  });

  it('settles a lost answer by its report', async () => {
    const submit = { kind: 'accept_then_lose_answer' };
    const { to, id } = await send(plan, [{ provider: carrier, submit }]);
    const record = await customer.smsWith('delivered', id, { timeoutMs: 45_000 });
    expect(record.provider).toBe(carrier);
    expect(await suite.handset(to)).toHaveLength(1);
  });

  it('a forged report changes nothing', async () => {
    const { id } = await send(plan, [
      {
        provider: carrier,
        receipts: [
          { after_ms: 5, outcome: 'failed', forged: true },
          { after_ms: 300, outcome: 'delivered' },
        ],
      },
    ]);
    const record = await customer.smsWith('delivered', id);
    expect(record.provider).toBe(carrier);
  });
});

const failsWith = (provider: string, code: string | number): Scenario => ({
  provider,
  receipts: [{ after_ms: 5, outcome: 'failed', code }],
});

describe('failed reports', () => {
  it.each([
    ['termii', 'NG', 'DND Active on Phone Number', 'dnd_active'],
    ['termii', 'NG', 'Message Failed', 'carrier_rejected'],
    ['termii', 'NG', 'expired', 'expired'],
    ['plivo', 'GB', 70, 'unknown_subscriber'],
    ['plivo', 'GB', 30, 'content_rejected'],
  ] as const)('of %s in %s with %s are %s', async (carrier, plan, code, reason) => {
    const { id } = await send(plan, [failsWith(carrier, code)]);
    const record = await customer.smsWith('failed', id);
    expect(record).toMatchObject({ provider: carrier, reason, refunded: true });
    expect(record.provider_attempts[0].error_code).toBe(String(code));
  });
});

describe('a message of several parts at Plivo', () => {
  const long = 'Your order has shipped. '.repeat(10);

  it('is delivered when all of them are', async () => {
    const { to, id } = await send('GB', [], long);
    const record = await customer.smsWith('delivered', id);
    expect(record).toMatchObject({ provider: 'plivo', segments: 2 });
    expect(await suite.handset(to)).toHaveLength(1);
  });

  it('fails with one of them', async () => {
    const { id } = await send('GB', [failsWith('plivo', 80)], long);
    const record = await customer.smsWith('failed', id);
    expect(record).toMatchObject({ reason: 'absent_subscriber', refunded: true });
  });
});

describe('a number on a Do Not Disturb registry', () => {
  it('is reached through Termii where another carrier refuses it', async () => {
    // Preferred accounts are asked in the order of their names.
    await prefer('africas_talking', 'KE');
    const answer = await suite.operator.request('PATCH', '/carriers/termii', {
      preferred_in: ['NG', 'KE'],
    });
    expect(answer.status).toBe(200);
    const record = await waitUntil('Termii to take it', async () => {
      const refused = { provider: 'africas_talking', submit: { kind: 'refuse', code: 409 } };
      const { id } = await send('KE', [refused]);
      const ended = await waitUntil('the message to end', async () => {
        const { json } = await customer.getSms(id);
        return ['delivered', 'failed'].includes(json.status) ? json : undefined;
      });
      return ended.status === 'delivered' ? ended : undefined;
    });
    expect(attemptsOf(record)).toEqual(['africas_talking failed', 'termii ok']);
  });
});

describe('a STOP of a handset', () => {
  it.each([
    ['termii', 'NG', '2347010000000'],
    ['plivo', 'GB', '14155550100'],
  ] as const)('through %s opts out of the last sender', async (provider, plan, line) => {
    const number = freshNumber(plan);
    const body = { to: number, from: 'Acme', body: 'Your order is on its way.' };
    const { json: sent } = await customer.post('/v1/sms', body);
    await customer.smsWith('delivered', sent.id);
    const stop = { provider, from: number, to: line, body: 'STOP' };
    expect((await suite.system.simulator.post('/_simulator/inbound', stop)).status).toBe(201);
    const entry = await waitUntil('the opt-out', async () => {
      const { json } = await customer.get('/v1/suppressions?channel=sms');
      return json.data.find(({ address }: { address: string }) => address === number);
    });
    expect(entry).toMatchObject({ channel: 'sms', sender_id: 'Acme', origin: 'opt_out' });
  });
});
