import { EventEmitter, once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { ServiceUnavailable } from '@watchword/rpc';
import { Overloaded } from '@watchword/batching';
import { eventually } from '@watchword/testing';
import { UNLIMITED } from './gateway.kit.js';
import { shown } from './shown-metrics.js';
import { gateway } from './one-gateway.kit.js';
import { lastCommand, NUMBER, sendOtp, useSending, workspace } from './sending.kit.js';

useSending();

describe('POST /v1/otp/send', () => {
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

  it('accepts fictional numbers, marks the send and ignores disabled countries', async () => {
    const strict = await gateway.newWorkspace({ ...UNLIMITED, country_enforcement: 'enforce' });
    const { status } = await sendOtp({ phone_number: '+447700900000' }, {}, strict.test_key);
    expect(status).toBe(200);
    expect(lastCommand()).toMatchObject({ test_mode: true, country_code: 'GB' });
  });
});

describe('countries', () => {
  const kenya = { phone_number: '+254712345678' };

  it('are checked after the body', async () => {
    const strict = await gateway.newWorkspace({ ...UNLIMITED, country_enforcement: 'enforce' });
    const large = { ...kenya, metadata: { a: 'x'.repeat(5_000) } };
    const answers = [
      await sendOtp(large, {}, strict.live_key),
      await sendOtp(kenya, {}, strict.live_key),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 403]);
  });

  it('logs a send to a disabled one, once a minute, without the number', async () => {
    const { live_key: key, workspace_id: id } = await gateway.newWorkspace(UNLIMITED);
    const lines = () => gateway.logs.filter((line) => line.includes(id) && line.includes('"KE"'));
    expect((await sendOtp(kenya, {}, key)).status).toBe(200);
    expect((await sendOtp(kenya, {}, key)).status).toBe(200);
    expect(lines()).toHaveLength(1);
    expect(lines()[0]).not.toContain('712345678');
  });
});

describe('Idempotency-Key', () => {
  const header = (key: string) => ({ 'idempotency-key': key });

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
