import { EventEmitter, once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { ServiceUnavailable } from '@watchword/rpc';
import { Overloaded } from '@watchword/batching';
import { eventually } from '@watchword/testing';
import { UNLIMITED } from './gateway.kit.js';
import { shown } from './shown-metrics.js';
import { gateway } from './one-gateway.kit.js';
import { lastCommand, NUMBER, sendOtp, sendSms, useSending, workspace } from './sending.kit.js';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

useSending();

describe('POST /v1/otp/send', () => {
  it('answers with the documented record', async () => {
    const { status, body, headers } = await sendOtp({ phone_number: NUMBER });
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual([
      'id',
      'phone_number',
      'country_code',
      'credit_cost',
      'status',
      'code_length',
      'expires_at',
      'created_at',
    ]);
    expect(body).toMatchObject({
      id: expect.stringMatching(UUID_V7),
      phone_number: NUMBER,
      country_code: 'NG',
      credit_cost: 5,
      status: 'pending',
      code_length: 6,
    });
    expect(headers['x-request-id']).toMatch(UUID_V7);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(headers['x-ratelimit-remaining']).toBeUndefined();
  });

  it('hands the whole send to billing, with the settings of the workspace', async () => {
    const { workspace_id: id, live_key: key } = await gateway.newWorkspace({
      ...UNLIMITED,
      default_language: 'fr',
      otp_max_attempts: 3,
    });
    await sendOtp(
      { phone_number: NUMBER, code_length: 4, ttl_seconds: 1, metadata: { order: 7 }, extra: 1 },
      {},
      key,
    );
    expect(lastCommand()).toMatchObject({
      workspace_id: id,
      test_mode: false,
      kind: 'otp',
      family: 'a',
      network: 'mtn_ng',
      sender_id: null,
      segments: 1,
      metadata: { order: 7 },
      sms: null,
      otp: { code_length: 4, ttl_seconds: 1, language: 'fr', max_attempts: 3, brand: 'Acme' },
    });
  });

  it('measures an own text of the workspace', async () => {
    const text = `{brand}: {code}. ${'x'.repeat(150)}`;
    const own = await gateway.newWorkspace({ ...UNLIMITED, otp_text: { en: text } });
    const { body } = await sendOtp({ phone_number: NUMBER }, {}, own.live_key);
    expect(body.credit_cost).toBe(10);
    expect(lastCommand()).toMatchObject({ segments: 2, otp: { template: text } });
  });

  it.each([
    ['no body', undefined, undefined],
    ['an array', [], undefined],
    ['a missing number', {}, 'phone_number'],
    ['a number of the wrong type', { phone_number: 2348031234567 }, 'phone_number'],
    ['no plus', { phone_number: '2348031234567' }, 'phone_number'],
    ['too short', { phone_number: '+123456' }, 'phone_number'],
    ['a trunk zero', { phone_number: '+23408031234567' }, 'phone_number'],
    ['a landline', { phone_number: '+442079460000' }, 'phone_number'],
    ['a fictional number with a live key', { phone_number: '+12025550100' }, 'phone_number'],
    ['code_length 0', { phone_number: NUMBER, code_length: 0 }, 'code_length'],
    ['code_length 3', { phone_number: NUMBER, code_length: 3 }, 'code_length'],
    ['code_length 9', { phone_number: NUMBER, code_length: 9 }, 'code_length'],
    ['code_length 4.5', { phone_number: NUMBER, code_length: 4.5 }, 'code_length'],
    ['code_length "6"', { phone_number: NUMBER, code_length: '6' }, 'code_length'],
    ['code_length null', { phone_number: NUMBER, code_length: null }, 'code_length'],
    ['ttl_seconds 0', { phone_number: NUMBER, ttl_seconds: 0 }, 'ttl_seconds'],
    ['ttl_seconds 3601', { phone_number: NUMBER, ttl_seconds: 3601 }, 'ttl_seconds'],
    ['an unknown language', { phone_number: NUMBER, language: 'de' }, 'language'],
    ['metadata as a list', { phone_number: NUMBER, metadata: [] }, 'metadata'],
    [
      '51 keys of metadata',
      {
        phone_number: NUMBER,
        metadata: Object.fromEntries([...Array(51).keys()].map((key) => [key, 1])),
      },
      'metadata',
    ],
    ['large metadata', { phone_number: NUMBER, metadata: { a: 'x'.repeat(4096) } }, 'metadata'],
  ])('refuses %s', async (_name, body, field) => {
    const before = gateway.billing.requests.length;
    const answer = await sendOtp(body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ type: 'validation_error' });
    expect(answer.body.error.field).toBe(field);
    expect(answer.body.error.request_id).toBe(answer.headers['x-request-id']);
    expect(gateway.billing.requests.length).toBe(before);
  });

  it('takes the largest metadata there may be', async () => {
    const metadata = { a: 'x'.repeat(4096 - '{"a":""}'.length) };
    expect((await sendOtp({ phone_number: NUMBER, metadata })).status).toBe(200);
  });

  it('answers 402 from billing', async () => {
    gateway.billing.script.push(async () => ({
      verdict: 'insufficient_credits',
      balance: 1,
      required: 5,
    }));
    const { status, body } = await sendOtp({ phone_number: NUMBER });
    expect([status, body.error.type]).toEqual([402, 'insufficient_credits']);
  });

  it.each([
    ['overloaded', new Overloaded('accept')],
    ['away', new ServiceUnavailable('billing', 'accept')],
  ])('answers 503 with Retry-After while billing is %s', async (_name, error) => {
    const before = await shown('watchword_internal_errors_total');
    gateway.billing.script.push(() => Promise.reject(error));
    const { status, body, headers } = await sendOtp({ phone_number: NUMBER });
    expect([status, body.error.type, headers['retry-after']]).toEqual([503, 'internal_error', '1']);
    expect(await shown('watchword_internal_errors_total')).toBe(before);
  });

  it('hides what an unexpected error was, logs it with the request id, and counts it', async () => {
    const before = await shown('watchword_internal_errors_total');
    gateway.billing.script.push(() => Promise.reject(new Error('duplicate key in table secrets')));
    const { status, body, text } = await sendOtp({ phone_number: NUMBER });
    expect([status, body.error.type]).toEqual([500, 'internal_error']);
    expect(text).not.toContain('secrets');
    expect(gateway.logs.some((line) => line.includes(body.error.request_id))).toBe(true);
    expect(await shown('watchword_internal_errors_total')).toBe(before + 1);
  });
});

describe('test mode', () => {
  const number = (nn: string) => `+23480300000${nn}`;

  it('counts the 500 of a magic number apart from those that alarms count', async () => {
    const route = 'watchword_requests_total{route="POST /v1/otp/send"';
    const failures = await shown(`${route},status="500"}`);
    const { status } = await sendOtp({ phone_number: number('37') }, {}, workspace.test_key);
    expect(status).toBe(500);
    await eventually(async () => expect(await shown(`${route},status="500 test"}`)).toBe(1));
    expect(await shown(`${route},status="500"}`)).toBe(failures);
  });

  it.each([
    ['30', 200, undefined],
    ['31', 200, undefined],
    ['32', 400, 'validation_error'],
    ['33', 402, 'insufficient_credits'],
    ['34', 403, 'country_not_enabled'],
    ['35', 403, 'prefix_blocked'],
    ['36', 429, 'rate_limited'],
    ['37', 500, 'internal_error'],
    ['38', 200, undefined],
  ])('an OTP to …%s answers %i', async (nn, status, type) => {
    const answer = await sendOtp({ phone_number: number(nn) }, {}, workspace.test_key);
    expect([answer.status, answer.body.error?.type]).toEqual([status, type]);
    if (status === 429) expect(answer.headers['retry-after']).toBe('1');
  });

  it.each([
    ['30', 400, 'dnd_blocked'],
    ['31', 400, 'sender_id_invalid'],
    ['32', 400, 'phone_invalid'],
    ['33', 402, 'insufficient_credits'],
    ['36', 429, 'rate_limited'],
  ])('an SMS to …%s answers %i', async (nn, status, type) => {
    const body = { phone_number: number(nn), message: 'Hi' };
    const answer = await sendSms(body, {}, workspace.test_key);
    expect([answer.status, answer.body.error?.type]).toEqual([status, type]);
  });

  it('leaves the same numbers alone with a live key', async () => {
    expect((await sendOtp({ phone_number: number('37') })).status).toBe(200);
  });

  it('accepts fictional numbers, marks the send and ignores disabled countries', async () => {
    const strict = await gateway.newWorkspace({ ...UNLIMITED, country_enforcement: 'enforce' });
    const { status } = await sendOtp({ phone_number: '+447700900000' }, {}, strict.test_key);
    expect(status).toBe(200);
    expect(lastCommand()).toMatchObject({ test_mode: true, country_code: 'GB' });
  });
});

describe('countries', () => {
  const kenya = { phone_number: '+254712345678' };

  it('logs a send to a disabled one, once a minute, without the number', async () => {
    const { live_key: key, workspace_id: id } = await gateway.newWorkspace(UNLIMITED);
    const lines = () => gateway.logs.filter((line) => line.includes(id) && line.includes('"KE"'));
    expect((await sendOtp(kenya, {}, key)).status).toBe(200);
    expect((await sendOtp(kenya, {}, key)).status).toBe(200);
    expect(lines()).toHaveLength(1);
    expect(lines()[0]).not.toContain('712345678');
  });

  it('refuses it where the workspace enforces its list', async () => {
    const settings = { ...UNLIMITED, country_enforcement: 'enforce', enabled_countries: ['NG'] };
    const { live_key: key } = await gateway.newWorkspace(settings);
    const refused = await sendOtp(kenya, {}, key);
    expect([refused.status, refused.body.error.type]).toEqual([403, 'country_not_enabled']);
    expect((await sendOtp({ phone_number: NUMBER }, {}, key)).status).toBe(200);
  });
});

describe('Idempotency-Key', () => {
  const header = (key: string) => ({ 'idempotency-key': key });

  it('replays the same bytes, with the members in any order', async () => {
    const first = await sendOtp({ phone_number: NUMBER, code_length: 5 }, header('a'));
    const again = await sendOtp({ code_length: 5, phone_number: NUMBER }, header('a'));
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.text).toBe(first.text);
    const sms = { phone_number: NUMBER, message: 'x' };
    const sent = await sendSms(sms, header('a'));
    expect((await sendSms(sms, header('a'))).text).toBe(sent.text);
  });

  it('refuses another body', async () => {
    await sendOtp({ phone_number: NUMBER }, header('b'));
    const { status, body } = await sendOtp({ phone_number: '+2348031234568' }, header('b'));
    expect([status, body.error.type]).toEqual([409, 'idempotency_conflict']);
  });

  it('keeps the modes apart', async () => {
    await sendOtp({ phone_number: NUMBER }, header('c'));
    const { headers } = await sendOtp({ phone_number: NUMBER }, header('c'), workspace.test_key);
    expect(headers['idempotent-replayed']).toBeUndefined();
  });

  it('refuses a second request while the first is in flight', async () => {
    const held = new EventEmitter();
    const reached = once(held, 'reached');
    gateway.billing.script.push(async () => {
      held.emit('reached');
      await once(held, 'released');
      return { verdict: 'insufficient_credits', balance: 0, required: 5 };
    });
    const first = sendOtp({ phone_number: NUMBER }, header('d'));
    await reached;
    const second = await sendOtp({ phone_number: NUMBER }, header('d'));
    expect([second.status, second.body.error.type]).toEqual([409, 'conflict']);
    expect(second.headers['retry-after']).toBe('1');
    held.emit('released');
    expect((await first).status).toBe(402);
    expect((await sendOtp({ phone_number: NUMBER }, header('d'))).status).toBe(200);
  });

  it.each([
    ['empty', ''],
    ['too long', 'k'.repeat(256)],
  ])('refuses one that is %s', async (_name, key) => {
    const { status, body } = await sendOtp({ phone_number: NUMBER }, header(key));
    expect([status, body.error.field]).toEqual([400, 'Idempotency-Key']);
  });

  it('takes one of 255 characters', async () => {
    expect((await sendOtp({ phone_number: NUMBER }, header('k'.repeat(255)))).status).toBe(200);
  });

  it('replays even when the rules have changed since', async () => {
    const own = await gateway.newWorkspace(UNLIMITED);
    const body = { phone_number: '+254712345678' };
    const first = await sendOtp(body, header('e'), own.live_key);
    await gateway.operator('PATCH', `/workspaces/${own.workspace_id}`, {
      settings: { country_enforcement: 'enforce', enabled_countries: ['NG'] },
    });
    const again = await sendOtp(body, header('e'), own.live_key);
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect((await sendOtp(body, header('f'), own.live_key)).status).toBe(403);
  });
});
