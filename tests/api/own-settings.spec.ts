/**
 * What an installation has once it is set: further carriers (decisions 14, domain facts 3.4 to 3.9),
 * which the simulator plays, and one trace for each message (issue 4 section 1 item 7).
 *
 * It has its own system, because the accounts of carriers and the collector are settings of a process:
 * with them, messages of every spec would fail over to further carriers.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  attemptsOf,
  carrierAt,
  prefer,
  sendTo,
  untilPreferred,
} from '../support/carrier-choice.js';
import { Collector } from '../support/collector.js';
import { allCarriers, PREFERRED } from '../support/further-carriers.js';
import { freshNumber, type NumberingPlan } from '../support/numbers.js';
import { WebhookReceiver } from '../support/receiver.js';
import { type Customer, expectError, type Scenario, useSystem } from '../support/suite.js';
import { startOwnSystem } from '../support/system.js';
import { waitUntil } from '../support/wait-until.js';

const collector = new Collector();
const suite = useSystem(async () =>
  startOwnSystem({
    ...(await allCarriers()),
    OTEL_EXPORTER_OTLP_ENDPOINT: await collector.start(),
    OTEL_BSP_SCHEDULE_DELAY: '100',
  }),
);
let receiver: WebhookReceiver;
let customer: Customer;

const send = (plan: NumberingPlan, scenarios?: readonly Scenario[], message?: string) =>
  sendTo(customer, plan, scenarios, message);

/** As this replica sees it. */
const isReady = (carrier: string) =>
  waitUntil(`${carrier} to be ready`, async () => {
    const { json } = await suite.operator.request('GET', '/carriers');
    const one = json.data.find(({ id }: { id: string }) => id === carrier);
    return one.circuit === 'closed';
  });

/** Messages that wait for the end of a call, by carrier. They do so while the rest is tested. */
const unanswered = new Map<string, Sent>();
type Sent = { to: string; id: string };

/** Sends a text whose answer the carrier loses. */
async function sendUnanswered(carrier: string, plan: NumberingPlan): Promise<void> {
  const submit = { kind: 'accept_then_lose_answer' };
  unanswered.set(carrier, await send(plan, [{ provider: carrier, submit }]));
}

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  customer = await suite.customer({ credits: 1_000_000 });
  for (const { carrier, plan } of PREFERRED) await prefer(customer, carrier, [plan]);
  for (const { carrier, plan } of PREFERRED) await untilPreferred(customer, carrier, plan);
  for (const { carrier, plan } of PREFERRED) await sendUnanswered(carrier, plan);
});
afterAll(() => {
  collector.stop();
  return receiver.close();
});

describe('accounts that are set, where they are not preferred', () => {
  it('accounts that are set, where they are not preferred come after the usual ones, in the order of the settings', async () => {
    const { id } = await send('FI');
    const usual = await customer.smsWith('delivered', id);
    expect(attemptsOf(usual)).toEqual(['twilio ok']);
    const refusing = ['twilio', 'africas_talking', 'vonage'].map((provider): Scenario => ({
      provider,
      submit: { kind: 'refuse' },
    }));
    const last = await send('FI', refusing);
    const record = await customer.smsWith('delivered', last.id);
    expect(attemptsOf(record)).toEqual([
      'twilio failed',
      'africas_talking failed',
      'vonage failed',
      'infobip ok',
    ]);
    expect(await carrierAt(customer, last.to)).toBe('infobip');
  });
});

describe.each(PREFERRED)('$carrier, preferred in $plan', ({ carrier, plan, ...row }) => {
  // A session of SMPP that a test ends comes back.
  beforeEach(() => isReady(carrier));

  const failing = (code: string | number): Scenario => ({
    provider: carrier,
    receipts: [{ after_ms: 50, outcome: 'failed', code }],
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

  it.each(row.failures)(
    'fails a message by a report $code as $reason',
    async ({ code, reason, shown }) => {
      const { id } = await send(plan, [failing(code)]);
      const record = await customer.smsWith('failed', id);
      expect(record).toMatchObject({ provider: carrier, reason, refunded: true });
      const failure = { provider: carrier, ok: false, error_code: shown ?? String(code) };
      expect(record.provider_attempts).toMatchObject([failure]);
      const entries = (await customer.ledger()).filter(({ message_id }) => message_id === id);
      expect(entries.map(({ kind }) => kind)).toEqual(['refund', 'charge']);
    },
  );

  it('has no report forged', async () => {
    const receipts = [
      { after_ms: 5, outcome: 'failed', forged: true },
      { after_ms: 300, outcome: 'delivered' },
    ];
    const { id } = await send(plan, [{ provider: carrier, receipts }]);
    expect((await customer.smsWith('delivered', id)).provider).toBe(carrier);
  });

  it('opts a handset that answers STOP out of the last sender', async () => {
    const to = freshNumber(plan);
    const sendAgain = () => customer.post('/v1/sms', { to, from: 'Acme', body: 'On its way.' });
    await customer.smsWith('delivered', (await sendAgain()).json.id);
    const stop = { provider: carrier, from: to, to: row.line, body: 'STOP' };
    expect((await suite.system.simulator.post('/_simulator/inbound', stop)).status).toBe(201);
    const entry = await waitUntil('the opt-out', async () => {
      const { json } = await customer.get('/v1/suppressions?channel=sms');
      return json.data.find(({ address }: { address: string }) => address === to);
    });
    expect(entry).toMatchObject({ channel: 'sms', sender_id: 'Acme', origin: 'opt_out' });
    expectError(await sendAgain(), 400, 'dnd_blocked', 'to');
  });

  it('delivers once what it took without an answer, by its report', async () => {
    const { to, id } = unanswered.get(carrier)!;
    const record = await customer.smsWith('delivered', id);
    expect(record.provider).toBe(carrier);
    expect(await suite.handset(to)).toHaveLength(1);
  });
});

describe('an SMS that infobip took without an answer', () => {
  it('an SMS that infobip took without an answer is found in its log, without a report', async () => {
    const submit = { kind: 'accept_then_lose_answer' };
    const { to, id } = await send('MZ', [{ provider: 'infobip', submit, receipts: [] }]);
    const record = await customer.smsWith('sent', id);
    expect(attemptsOf(record)).toEqual(['infobip ok']);
    expect(await suite.handset(to)).toHaveLength(1);
  });
});

describe('an SMPP session that is dropped', () => {
  it('an SMPP session that is dropped loses its code to the next carrier, and comes back for the next message', async () => {
    const to = freshNumber('NA');
    await suite.scenario({ provider: 'smpp', submit: { kind: 'reset' }, to });
    const { json } = await customer.sendOtp({ phone_number: to });
    const record = await customer.otpWith('delivered', json.id);
    expect(attemptsOf(record)).toEqual(['smpp failed', 'africas_talking ok']);
    await isReady('smpp');
    await untilPreferred(customer, 'smpp', 'NA');
  });
});

describe('a carrier that an operator drains', () => {
  it('decisions 22: a carrier that an operator drains gets no further message, and the audit names the change', async () => {
    await untilPreferred(customer, 'plivo', 'BW');
    const state = 'drained';
    const change = await suite.operator.request('PATCH', '/carriers/plivo', { state });
    expect([change.status, change.json.state]).toEqual([200, state]);
    await untilPreferred(customer, 'africas_talking', 'BW');
    const audit = await suite.operator.request('GET', '/audit?limit=50');
    expect(audit.json.data).toContainEqual(
      expect.objectContaining({ effect: { carrier: 'plivo', state } }),
    );
  });
});

describe('the trace of a message', () => {
  it('leads from the request to the webhook', async () => {
    const customer = await suite.customer();
    await suite.operator.putWebhook(customer.workspace, receiver.url, ['sms.delivered']);
    const { json } = await customer.sendSms();
    await customer.smsWith('delivered', json.id as string);
    const expected = [
      'POST /v1/sms/send',
      '  accept',
      '    process svc.send-commands.v1',
      '      process svc.message-events.v1',
      '        webhook sms.delivered',
      '      submit africas_talking',
      '        report delivered',
    ];
    // Other events of the message, and other receipts of the carrier, may be included.
    const tree = () => [...new Set(collector.treeOf(json.id as string))];
    const isThere = async () => expected.every((line) => tree().includes(line));
    await waitUntil('the trace', isThere).catch(() => undefined);
    expect(tree()).toEqual(expected);
    expect([...collector.paths]).toEqual(['/v1/traces']);
  });

  it('the trace of a message shows what failed, and no number, text or code', async () => {
    const customer = await suite.customer();
    const phone_number = '+2348031239876';
    const submit = { kind: 'refuse', code: 402 };
    await suite.scenario({ provider: 'africas_talking', to: phone_number, submit });
    const { json } = await customer.sendSms({ phone_number, message: 'Confidential.' });
    await customer.smsWith('delivered', json.id as string);
    const lines = () => collector.treeOf(json.id as string).map((line) => line.trim());
    await waitUntil('both calls', async () => lines().includes('submit twilio'));
    const refused = collector.spans.find(
      ({ name, status }) => name === 'submit africas_talking' && status.code === 2,
    );
    expect(refused?.attributes).toContainEqual({
      key: 'watchword.outcome',
      value: { stringValue: 'refused' },
    });
    const said = JSON.stringify(collector.spans);
    expect(said).not.toMatch(/Confidential|234803123|svc_live/);
  });
});
