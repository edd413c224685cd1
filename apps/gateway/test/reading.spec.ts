import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type MessageRecord, routes } from '@watchword/contracts';
import { COUNTRIES } from '@watchword/telephony';
import { Ajv } from 'ajv';
import { acceptedRecord } from '../src/messages/accepted-record.policy.js';
import { UNLIMITED, type WorkspaceKeys } from './gateway.kit.js';
import { checked } from './scripted-services.js';
import { gateway, useGateway } from './one-gateway.kit.js';

const NUMBER = '+2348031234567';

let workspace: WorkspaceKeys;

useGateway();

beforeAll(async () => {
  workspace = await gateway.newWorkspace(UNLIMITED);
});

async function sentOtp(key = workspace.live_key): Promise<string> {
  return (await gateway.post('/v1/otp/send', key, { phone_number: NUMBER })).body.id;
}

function arrived(id: string, changes: Partial<MessageRecord> = {}): MessageRecord {
  const command = gateway.billing.commands.get(id);
  if (!command) throw new Error('not accepted');
  const record = { ...acceptedRecord(command), ...changes };
  gateway.dispatch.messages.set(id, record);
  return record;
}

const verify = (body: unknown, headers = {}, key = workspace.live_key) =>
  gateway.post('/v1/otp/verify', key, body, headers);

describe('GET /v1/otp/{id}', () => {
  it('shows a message that has not reached dispatch as pending', async () => {
    const id = await sentOtp();
    const { status, body, headers } = await gateway.get(`/v1/otp/${id}`, workspace.live_key);
    expect(status).toBe(200);
    expect(headers['x-request-id']).toBeDefined();
    expect(body).toMatchObject({
      id,
      workspace_id: workspace.workspace_id,
      status: 'pending',
      code_length: 6,
      ttl_seconds: 600,
      attempt_count: 0,
      max_attempts: 5,
      language: 'en',
      test_mode: false,
      metadata: {},
      sent_at: null,
      delivered_at: null,
      verified_at: null,
      failed_at: null,
      timeline: [{ status: 'queued', timestamp: expect.any(String) }],
    });
    expect(body).not.toHaveProperty('reason');
    expect(body).not.toHaveProperty('refunded');
  });

  it('shows what dispatch knows, reason and refund included', async () => {
    const id = await sentOtp();
    arrived(id, {
      state: 'failed',
      reason: 'absent_subscriber',
      refunded: true,
      failed_at: '2026-01-05T09:00:01.000Z',
    });
    const { body } = await gateway.get(`/v1/otp/${id.toUpperCase()}`, workspace.live_key);
    expect(body).toMatchObject({ status: 'failed', reason: 'absent_subscriber', refunded: true });
  });
});

describe('GET /v1/sms/{id}', () => {
  it('answers with the names of both variants', async () => {
    const message = { phone_number: NUMBER, message: '“Hi”', sender_id: 'Acme' };
    const sent = await gateway.post('/v1/sms/send', workspace.live_key, message);
    const { body } = await gateway.get(`/v1/sms/${sent.body.id}`, workspace.live_key);
    expect(body).toMatchObject({
      status: 'pending',
      message: '"Hi"',
      body: '"Hi"',
      phone_number: NUMBER,
      to: NUMBER,
      from: 'Acme',
      sender_id: 'Acme',
      country: 'NG',
      country_code: 'NG',
      carrier: 'mtn_ng',
      credit_cost: 5,
      cost: { amount_kobo: 500, currency: 'NGN' },
      provider: null,
      provider_attempts: [],
      test_mode: false,
    });
  });

  it('says that a text has expired', async () => {
    const message = { phone_number: NUMBER, message: 'Hi' };
    const { body } = await gateway.post('/v1/sms/send', workspace.live_key, message);
    const read = () => gateway.get(`/v1/sms/${body.id}`, workspace.live_key);
    const kept = await read();
    expect(kept.body).toMatchObject({ message: 'Hi' });
    expect(kept.body).not.toHaveProperty('content_expired');
    arrived(body.id, { state: 'delivered', body: null, content_expired: true });
    const gone = { status: 'delivered', message: null, body: null, content_expired: true };
    expect((await read()).body).toMatchObject(gone);
  });

  it('speaks the words of the family', async () => {
    const message = { phone_number: NUMBER, message: 'Hi' };
    const { body } = await gateway.post('/v1/sms/send', workspace.live_key, message);
    arrived(body.id, { state: 'blocked', reason: 'antispam_blocked', family: 'b' });
    const read = await gateway.get(`/v1/sms/${body.id}`, workspace.live_key);
    expect(read.body).toMatchObject({ status: 'rejected', reason: 'antispam_blocked' });
  });
});

describe('POST /v1/otp/verify', () => {
  it.each([
    'otp_already_verified',
    'max_attempts_exceeded',
    'otp_expired',
    'conflict',
    'idempotency_conflict',
  ] as const)('answers 409 %s', async (outcome) => {
    const id = await sentOtp();
    gateway.dispatch.script.push({ outcome });
    const { status, body } = await verify({ otp_id: id, code: '1' });
    expect([status, body.error.type]).toEqual([409, outcome]);
  });

  it('waits for an OTP that has not reached dispatch yet', async () => {
    const id = await sentOtp();
    gateway.dispatch.script.push({ outcome: 'not_found' }, { outcome: 'not_found' });
    expect((await verify({ otp_id: id, code: '1' })).status).toBe(200);
  });

  it('says 503, never 404, when it does not get there in time', async () => {
    const id = await sentOtp();
    const impatience = setInterval(() => gateway.clock.advance(500), 5);
    gateway.dispatch.script.push(
      ...Array.from({ length: 400 }, () => ({ outcome: 'not_found' as const })),
    );
    const { status, headers } = await verify({ otp_id: id, code: '1' });
    clearInterval(impatience);
    gateway.dispatch.script.length = 0;
    expect([status, headers['retry-after']]).toEqual([503, '1']);
  });

  it('answers 404 for an unknown and a foreign one without asking for a check', async () => {
    const other = await gateway.newWorkspace(UNLIMITED);
    const before = gateway.dispatch.verifications.length;
    const foreign = await verify({ otp_id: await sentOtp(), code: '1' }, {}, other.live_key);
    const nil = '00000000-0000-0000-0000-000000000000';
    const unknown = await verify({ otp_id: nil, code: '1' });
    expect([foreign.status, unknown.status]).toEqual([404, 404]);
    expect(gateway.dispatch.verifications.length).toBe(before);
  });

  it.each([
    ['no id', { code: '1' }, 'otp_id'],
    ['a malformed id', { otp_id: 'x', code: '1' }, 'otp_id'],
    ['no code', { otp_id: '00000000-0000-0000-0000-000000000000' }, 'code'],
    ['an empty code', { otp_id: '00000000-0000-0000-0000-000000000000', code: '' }, 'code'],
    ['a code as number', { otp_id: '00000000-0000-0000-0000-000000000000', code: 1 }, 'code'],
  ])('refuses %s', async (_name, body, field) => {
    const answer = await verify(body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ type: 'validation_error', field });
  });

  it('passes the key on and marks a replay', async () => {
    const id = await sentOtp();
    gateway.dispatch.script.push(checked({ replayed: true }));
    const { headers } = await verify({ otp_id: id, code: '1' }, { 'idempotency-key': 'v' });
    expect(headers['idempotent-replayed']).toBe('true');
    expect(gateway.dispatch.verifications.at(-1)?.idempotency).toMatchObject({
      scope: 'live POST /v1/otp/verify',
      key: 'v',
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });
});

describe('GET /v1/pricing', () => {
  it('lists every country, cheapest first, then by name', async () => {
    const { status, body, headers } = await gateway.get('/v1/pricing');
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=60',
      etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
    });
    expect(body.credit_price).toEqual({ amount: 100, currency: 'NGN' });
    expect(body.countries).toHaveLength(COUNTRIES.length);
    expect(body.countries[0]).toEqual({
      country_code: 'NG',
      name: 'Nigeria',
      dial_code: '234',
      credits: 5,
      min_credits: 4,
      max_credits: 5,
      listed: true,
      networks: [{ name: 'MTN', mcc_mnc: ['62130'], credits: 4 }],
    });
    const rest = body.countries.slice(2) as { name: string; credits: number; listed: boolean }[];
    expect(rest.every(({ credits, listed }) => credits === 120 && !listed)).toBe(true);
    const names = rest.map(({ name }) => name);
    expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b, 'en')));
  });

  it('is held for a minute', async () => {
    await gateway.get('/v1/pricing');
    const before = gateway.billing.prices;
    gateway.billing.prices = {
      ...before,
      version: 2,
      list: { ...before.list, default_credits: 1 },
    };
    const lowest = async () => (await gateway.get('/v1/pricing')).body.countries[0].credits;
    expect(await lowest()).toBe(5);
    gateway.clock.advance(60_000);
    expect(await lowest()).toBe(1);
    gateway.billing.prices = before;
  });
});

describe('health', () => {
  it('is ok, and ready', async () => {
    expect((await gateway.get('/health')).text).toBe('{"status":"ok"}');
    expect((await gateway.get('/ready')).body).toEqual({ status: 'ready' });
  });

  it('is not ready without its database, and says when to ask again', async () => {
    const query = jest.spyOn(gateway.platform.database.pool, 'query');
    query.mockImplementation(() => Promise.reject(new Error('gone')));
    gateway.clock.advance(1_000);
    const { status, headers, body } = await gateway
      .get('/ready')
      .finally(() => query.mockRestore());
    expect([status, headers['retry-after']]).toEqual([503, '1']);
    expect(body).toEqual({ status: 'unavailable' });
    const ajv = new Ajv({ strict: false });
    expect(ajv.validate(routes.getReadiness.unavailableAnswer!, body)).toBe(true);
    gateway.clock.advance(1_000);
    expect((await gateway.get('/ready')).status).toBe(200);
  });
});
