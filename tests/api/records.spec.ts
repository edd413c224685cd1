/** Decisions 1 and 3: identities, words, and what a record has and when. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { freshNumber, magicNumber } from '../support/numbers.js';
import { WebhookReceiver } from '../support/receiver.js';
import { type Customer, expectError, useSystem, uuidV7 } from '../support/suite.js';
import { waitUntil } from '../support/wait-until.js';

const suite = useSystem();
let customer: Customer;
let test: { key: string };

beforeAll(async () => {
  customer = await suite.customer();
  test = { key: customer.testKey };
});

const otp = async (digits: number) =>
  (await customer.sendOtp({ phone_number: magicNumber(digits) }, test)).json.id as string;

describe('records', () => {
  it('decisions 1: workspace is one UUID, and workspace_id in variant A', async () => {
    const { json: sent } = await customer.sendOtp();
    const { json: sms } = await customer.sendSms();
    const records = [
      (await customer.getOtp(sent.id)).json,
      (await customer.getSms(sms.id)).json,
      (await customer.get('/v1/balance')).json,
      (await suite.operator.request('GET', `/workspaces/${customer.id}`)).json,
    ];
    for (const { workspace_id } of records) expect(workspace_id).toBe(customer.id);
  });

  it('decisions 1: ids are UUIDv7; event ids are evt_ and 32 hexadecimal digits', async () => {
    const { json: sent } = await customer.sendOtp();
    const { json: sms } = await customer.sendSms();
    const entries = (await customer.get('/v1/ledger')).json.data as { id: string }[];
    const { keyId } = await customer.newKey();
    const ids = [customer.id, sent.id, sms.id, keyId, ...entries.map(({ id }) => id)];
    for (const id of ids) expect(id).toMatch(uuidV7);
    const receiver = await WebhookReceiver.start();
    await suite.operator.putWebhook(customer.workspace, receiver.url);
    const topUp = { credits: 1, kind: 'bonus' };
    await suite.operator.request('POST', `/workspaces/${customer.id}/top-ups`, topUp);
    const event = await waitUntil('the event', () => receiver.received[0]);
    expect(event.headers['webhook-id']).toMatch(/^evt_[0-9a-f]{32}$/);
    await receiver.close();
  });

  it('decisions 3: nullable: sent_at, delivered_at, verified_at and failed_at', async () => {
    const times = ['sent_at', 'delivered_at', 'verified_at', 'failed_at'] as const;
    const [verified, failed, refused] = [await otp(0), await otp(10), await otp(16)];
    await customer.otpWith('delivered', verified, test);
    await customer.verify(verified, '123456', test);
    const reached = async (status: string, id: string) => {
      const record = await customer.otpWith(status, id, test);
      return times.filter((name) => record[name] !== null);
    };
    expect(await reached('verified', verified)).toEqual(times.slice(0, 3));
    expect(await reached('failed', failed)).toEqual(['sent_at', 'failed_at']);
    expect(await reached('failed', refused)).toEqual(['failed_at']);
  });

  it('4: requests and answers of /v1 are JSON', async () => {
    const body = { phone_number: freshNumber() };
    const answers = [
      await customer.sendOtp(body),
      await customer.get('/v1/otp'),
      await customer.get('/v1/sms'),
      await customer.get('/v1/balance'),
      await customer.get('/v1/ledger'),
      await customer.get('/v1/events'),
      await suite.http.get('/v1/pricing'),
      await suite.http.get('/health'),
    ];
    for (const { status, headers, json } of answers) {
      expect(status).toBe(200);
      expect(headers['content-type']).toMatch(/^application\/json(; charset=utf-8)?$/);
      expect(typeof json).toBe('object');
    }
    const raw = new URLSearchParams(body).toString();
    const form = { raw, headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    expectError(await customer.post('/v1/otp/send', undefined, form), 415, 'validation_error');
  });
});
