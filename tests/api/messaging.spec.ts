/** Variant B of SMS: interface sections 2.8, 3.3, 4.2; decisions 4, 17, 18, 25. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { freshNumber, magicNumber } from '../support/numbers.js';
import {
  type Customer,
  expectError,
  instant,
  unknownId,
  useSystem,
  uuidV7,
} from '../support/suite.js';
import { beforeDue } from '../support/early-enough.js';
import { waitUntil } from '../support/wait-until.js';

const suite = useSystem();
let customer: Customer;

beforeAll(async () => {
  const limits = { variant_b_per_second: null, variant_b_burst: null };
  customer = await suite.customer({ credits: 50_000, settings: { limits } });
});

const send = (body: Record<string, unknown> = {}, more: Record<string, unknown> = {}) =>
  customer.post('/v1/sms', { to: freshNumber(), from: 'Acme', body: 'Hello', ...body }, more);

const until = (id: string, status: string, key = customer.liveKey) =>
  customer.smsWith(status, id, { key });

describe('POST /v1/sms', () => {
  it('decisions 18: POST /v1/sms answers 202 with exactly the members of the record', async () => {
    const to = freshNumber();
    const { status, json } = await send({ to, metadata: { order: 1042 } });
    expect(status).toBe(202);
    expect(json).toEqual({
      id: expect.stringMatching(uuidV7),
      project_id: customer.id,
      status: 'queued',
      to,
      from: 'Acme',
      body: 'Hello',
      segments: 1,
      encoding: 'GSM-7',
      rewritten: false,
      country: 'NG',
      carrier: expect.anything(),
      provider: null,
      provider_message_id: null,
      provider_attempts: [],
      cost: { amount_kobo: 500, currency: 'NGN' },
      error_code: null,
      error_message: null,
      metadata: { order: 1042 },
      test_mode: false,
      send_at: null,
      created_at: expect.stringMatching(instant),
      sent_at: null,
      delivered_at: null,
    });
    const delivered = await until(json.id, 'delivered');
    expect(delivered).toMatchObject({ project_id: customer.id, workspace_id: customer.id, to });
  });

  it.each([
    ['no destination', { to: undefined }, 'validation_error', 'to'],
    ['no sender', { from: undefined }, 'validation_error', 'from'],
    ['no text', { body: undefined }, 'validation_error', 'body'],
    ['text and template', { template: 'x' }, 'validation_error', 'template'],
    ['a bad destination', { to: '0803' }, 'phone_invalid', 'to'],
    ['a long sender', { from: 'TwelveLetter' }, 'sender_id_invalid', 'from'],
    ['an unknown template', { body: undefined, template: 'none' }, 'validation_error', 'template'],
    ['a time without offset', { send_at: '2030-01-01T00:00:00' }, 'validation_error', 'send_at'],
  ])('decisions 18: POST /v1/sms refuses %s', async (_, body, type, field) => {
    expectError(await send(body), 400, type, field);
  });

  it('decisions 25: the sender is judged before the destination, the text before both', async () => {
    expectError(await send({ to: 'x', from: '123', body: '' }), 400, 'validation_error', 'body');
    expectError(await send({ to: 'x', from: '123' }), 400, 'sender_id_invalid', 'from');
  });

  it('decisions 18: an empty wallet is sms_quota_exceeded', async () => {
    const poor = await suite.customer({ credits: 0 });
    const body = { to: freshNumber(), from: 'Acme', body: 'Hello' };
    expectError(await poor.post('/v1/sms', body), 402, 'sms_quota_exceeded');
  });

  it.each([
    [30, 400, 'dnd_blocked', 'to'],
    [31, 400, 'sender_id_invalid', 'from'],
    [32, 400, 'phone_invalid', 'to'],
    [33, 402, 'sms_quota_exceeded', undefined],
    [34, 403, 'country_not_enabled', 'to'],
    [35, 403, 'prefix_blocked', 'to'],
    [36, 429, 'rate_limit_exceeded', undefined],
    [37, 500, 'internal_error', undefined],
    [38, 502, 'upstream_error', undefined],
  ])('decisions 12: magic number %d is %d %s', async (digits, status, type, field) => {
    const answer = await send({ to: magicNumber(digits) }, { key: customer.testKey });
    expectError(answer, status, type, field);
  });

  it.each([
    [42, 'dnd_active'],
    [43, 'sender_id_rejected'],
    [44, 'invalid_number'],
  ])('decisions 18: magic number %d is accepted, then rejected with %s', async (digits, code) => {
    const key = customer.testKey;
    const { status, json } = await send({ to: magicNumber(digits) }, { key });
    expect([status, json.status]).toEqual([202, 'queued']);
    const record = await until(json.id, 'rejected', key);
    expect(record).toMatchObject({ error_code: code, provider_attempts: [], test_mode: true });
    expect(record.timeline.at(-1)).toMatchObject({ status: 'rejected', reason: code });
  });
});

describe('send_at and cancel', () => {
  const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();

  it('decisions 18: charges now, sends when due', async () => {
    const { json } = await beforeDue((send_at) => send({ send_at }));
    expect(json).toMatchObject({ status: 'scheduled', send_at: expect.stringMatching(instant) });
    const delivered = await until(json.id, 'delivered');
    expect(Date.parse(delivered.sent_at)).toBeGreaterThanOrEqual(Date.parse(json.send_at));
  });

  it('decisions 25: a scheduled message to a country that was switched off meanwhile fails', async () => {
    const { owner, json } = await beforeDue(async (send_at) => {
      const owner = await suite.customer({ credits: 100 });
      const body = { to: freshNumber(), from: 'Acme', body: 'Hello', send_at };
      const { json } = await owner.post('/v1/sms', body);
      await owner.settings({ country_enforcement: 'enforce', enabled_countries: ['KE'] });
      return { owner, json };
    });
    const record = await waitUntil(`${json.id} is rejected`, async () => {
      const { json: read } = await owner.get(`/v1/sms/${json.id}`);
      return read.status === 'rejected' ? read : undefined;
    });
    expect(record).toMatchObject({ error_code: 'no_route', provider_attempts: [] });
    expect((await owner.get('/v1/balance')).json.balance).toBe(100);
  });

  it('decisions 4: cancels a scheduled message and gives its credits back', async () => {
    const balance = async () => (await customer.get('/v1/balance')).json.balance;
    const before = await balance();
    const { json } = await send({ send_at: inSeconds(3_600) });
    expect((await customer.get(`/v1/sms/${json.id}`)).json.status).toBe('scheduled');
    expect(await balance()).toBe(before - 5);
    const { status, json: cancelled } = await customer.post(`/v1/sms/${json.id}/cancel`, {});
    expect(status).toBe(200);
    expect(cancelled).toEqual({
      ...json,
      status: 'cancelled',
      error_code: null,
      error_message: null,
    });
    expect(await balance()).toBe(before);
    expectError(await customer.post(`/v1/sms/${json.id}/cancel`, {}), 409, 'conflict');
  });

  it('3.3: a cancellation is refused once a carrier has the message, and 404 for unknown ids', async () => {
    const { json } = await send();
    await until(json.id, 'delivered');
    expectError(await customer.post(`/v1/sms/${json.id}/cancel`, {}), 409, 'conflict');
    expectError(await customer.post(`/v1/sms/${unknownId}/cancel`, {}), 404, 'not_found');
    const key = customer.testKey;
    expectError(await customer.post(`/v1/sms/${json.id}/cancel`, {}, { key }), 404, 'not_found');
  });
});

describe('POST /v1/sms/batch', () => {
  it('decisions 18: an outcome for each item, in order, and one key for all of it', async () => {
    const body = {
      from: 'Acme',
      messages: [
        { to: freshNumber(), body: 'One' },
        { to: 'bad', body: 'Two' },
        { to: freshNumber(), body: 'Three', from: '12345' },
        { to: freshNumber(), body: 'Four', send_at: '2030-01-01T00:00:00Z' },
        { to: freshNumber('KE'), body: 'Five', from: 'Other', metadata: { n: 5 } },
      ],
    };
    const headers = { 'idempotency-key': 'batch-1' };
    const { status, json } = await customer.post('/v1/sms/batch', body, { headers });
    expect(status).toBe(202);
    expect(json).toMatchObject({ accepted: 2, failed: 3 });
    expect(json.data.map((item: { index: number }) => item.index)).toEqual([0, 1, 2, 3, 4]);
    expect(json.data[0].sms).toMatchObject({ status: 'queued', body: 'One', from: 'Acme' });
    expect(json.data[4].sms).toMatchObject({ from: 'Other', country: 'KE', metadata: { n: 5 } });
    const errors = json.data.flatMap((item: { error?: unknown }) => item.error ?? []);
    expect(errors.map(({ type, field }: Record<string, string>) => [type, field])).toEqual([
      ['phone_invalid', 'to'],
      ['sender_id_invalid', 'from'],
      ['validation_error', 'send_at'],
    ]);
    const again = await customer.post('/v1/sms/batch', body, { headers });
    expect(again.text).toBe((await customer.post('/v1/sms/batch', body, { headers })).text);
    expect(again.json).toEqual(json);
    await until(json.data[0].sms.id, 'delivered');
  });

  it.each([
    ['no messages', { messages: [] }, 'messages'],
    ['1001 messages', { messages: Array.from({ length: 1001 }, () => ({})) }, 'messages'],
    ['an item that is no object', { messages: [{ to: '+1' }, 5] }, 'messages.1'],
    ['a time in the past', { messages: [{}], send_at: '2020-01-01T00:00:00Z' }, 'send_at'],
  ])('decisions 18: POST /v1/sms/batch refuses %s as a whole', async (_, body, field) => {
    const answer = await customer.post('/v1/sms/batch', { from: 'Acme', ...body });
    expectError(answer, 400, 'validation_error', field);
  });

  it('decisions 25: a cheap item may follow one that cannot be paid', async () => {
    const poor = await suite.customer({ credits: 10 });
    const messages = [
      { to: freshNumber('US'), body: 'Dear' },
      { to: freshNumber(), body: 'Cheap' },
      { to: freshNumber(), body: 'x'.repeat(161) },
    ];
    const { json } = await poor.post('/v1/sms/batch', { from: 'Acme', messages });
    expect(json).toMatchObject({ accepted: 1, failed: 2 });
    expect(json.data[0].error.type).toBe('sms_quota_exceeded');
    expect((await poor.get('/v1/balance')).json.balance).toBe(5);
  });

  it('decisions 18: POST /v1/sms/batch counts each item against its own number', async () => {
    const to = freshNumber();
    const messages = Array.from({ length: 12 }, () => ({ to, body: 'Hi' }));
    const { json } = await customer.post('/v1/sms/batch', { from: 'Acme', messages });
    expect([json.accepted, json.failed]).toEqual([10, 2]);
    expect(json.data[11].error).toMatchObject({
      type: 'rate_limit_exceeded',
      retry_after_seconds: expect.any(Number),
    });
  });
});

describe('permissions', () => {
  it('5.4: a sending key sends, and is refused everything else', async () => {
    const { json } = await suite.operator.request('POST', `/workspaces/${customer.id}/keys`, {
      mode: 'live',
      permission: 'sending',
    });
    const { key } = json;
    expect((await send({}, { key })).status).toBe(202);
    const messages = [{ to: freshNumber(), body: 'Hi' }];
    const batch = await customer.post('/v1/sms/batch', { from: 'Acme', messages }, { key });
    expect(batch.status).toBe(202);
    for (const path of ['/v1/sms', '/v1/sms-templates', '/v1/sender-ids', '/v1/suppressions']) {
      expectError(await customer.get(path, { key }), 403, 'permission_error');
    }
    expectError(await customer.sendSms({}, { key }), 403, 'permission_error');
  });
});
