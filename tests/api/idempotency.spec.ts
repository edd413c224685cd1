/** Idempotency: interface section 8; decisions 7. What survives a restart is in process.spec.ts. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer } from '../support/http.js';
import { freshNumber } from '../support/numbers.js';
import { type Customer, expectError, useSystem, wrongCodeFor } from '../support/suite.js';

const suite = useSystem();
let customer: Customer;

beforeAll(async () => {
  customer = await suite.customer({ credits: 1_000 });
});

const withKey = (key: string = randomUUID()) => ({ headers: { 'idempotency-key': key } });
const replayed = ({ headers }: Answer) => headers['idempotent-replayed'];
const charges = async (by: Customer) =>
  (await by.ledger()).filter(({ kind }) => kind === 'charge').length;

describe('the same key and body', () => {
  it.each([
    ['/v1/otp/send', () => ({ phone_number: freshNumber() })],
    ['/v1/sms/send', () => ({ phone_number: freshNumber(), message: 'Hello' })],
  ])('decisions 7: %s is replayed byte by byte with its header', async (path, bodyOf) => {
    const payer = await suite.customer({ credits: 100 });
    const [body, key] = [bodyOf(), withKey()];
    const first = await payer.post(path, body, key);
    expect(first.status).toBe(200);
    expect(replayed(first)).toBeUndefined();
    await suite.handsetWith(1, body.phone_number);
    for (let time = 0; time < 3; time += 1) {
      const again = await payer.post(path, body, key);
      expect(again.status).toBe(200);
      expect(again.text).toBe(first.text);
      expect(replayed(again)).toBe('true');
    }
    expect(await charges(payer)).toBe(1);
    expect(await payer.balance()).toBe(95);
    expect(await suite.handset(body.phone_number)).toHaveLength(1);
  });

  it('decisions 7: twenty at once make one message and one charge', async () => {
    const payer = await suite.customer({ credits: 100 });
    const [body, key] = [{ phone_number: freshNumber() }, withKey()];
    const answers = await Promise.all(Array.from({ length: 20 }, () => payer.sendOtp(body, key)));
    const accepted = answers.filter(({ status }) => status === 200);
    expect(accepted.length).toBeGreaterThanOrEqual(1);
    expect(new Set(accepted.map(({ text }) => text)).size).toBe(1);
    expect(accepted.filter((answer) => replayed(answer) === undefined)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expectError(answer, 409, 'conflict');
      expect(answer.headers['retry-after']).toBe('1');
    }
    expect((await payer.sendOtp(body, key)).text).toBe(accepted[0]!.text);
    expect(await charges(payer)).toBe(1);
    expect(await suite.handsetWith(1, body.phone_number)).toHaveLength(1);
  });

  it('decisions 7: the fingerprint is of the JSON, not of its spelling', async () => {
    const [phone_number, key] = [freshNumber(), withKey().headers];
    const headers = { ...key, 'content-type': 'application/json' };
    const raw = `{"phone_number":"${phone_number}","code_length":6}`;
    const spaced = ` { "code_length" : 6.0 , "phone_number" : "${phone_number}" } `;
    const first = await customer.post('/v1/otp/send', undefined, { raw, headers });
    const again = await customer.post('/v1/otp/send', undefined, { raw: spaced, headers });
    expect(again.text).toBe(first.text);
    expect(replayed(again)).toBe('true');
  });

  it('decisions 6: a replay of a verification is never refused by a limit', async () => {
    const limits = { otp_verifications_per_number_per_10_minutes: 1 };
    const limited = await suite.customer({ settings: { limits } });
    const { json } = await limited.sendOtp();
    const key = withKey();
    const first = await limited.verify(json.id, 'wrong', key);
    expect((await limited.verify(json.id, 'wrong')).status).toBe(429);
    const again = await limited.verify(json.id, 'wrong', key);
    expect([again.status, replayed(again), again.text]).toEqual([200, 'true', first.text]);
  });

  it('decisions 7: on verify a replay counts no attempt', async () => {
    const number = freshNumber();
    const { json } = await customer.sendOtp({ phone_number: number });
    const code = await suite.codeAt(number);
    const key = withKey();
    const first = await customer.verify(json.id, wrongCodeFor(code), key);
    const again = await customer.verify(json.id, wrongCodeFor(code), key);
    expect(again.text).toBe(first.text);
    expect(replayed(again)).toBe('true');
    expect((await customer.getOtp(json.id)).json.attempt_count).toBe(1);
    const right = withKey();
    expect((await customer.verify(json.id, code, right)).json.valid).toBe(true);
    const second = await customer.verify(json.id, code, right);
    expect(second.status).toBe(200);
    expect(second.json).toMatchObject({ valid: true, attempts_used: 2 });
  });

  it('5.8: a replay still needs a valid key', async () => {
    const [body, key] = [{ phone_number: freshNumber() }, withKey()];
    await customer.sendOtp(body, key);
    const answer = await customer.sendOtp(body, { ...key, key: `svc_live_${'0'.repeat(32)}` });
    expectError(answer, 401, 'authentication_error');
  });

  it('decisions 7: errors are not stored', async () => {
    const payer = await suite.customer({ credits: 0 });
    const [body, key] = [{ phone_number: freshNumber() }, withKey()];
    expectError(await payer.sendOtp(body, key), 402, 'insufficient_credits');
    const topUp = { credits: 5, kind: 'bonus' };
    await suite.operator.request('POST', `/workspaces/${payer.id}/top-ups`, topUp);
    const answer = await payer.sendOtp(body, key);
    expect(answer.status).toBe(200);
    expect(replayed(answer)).toBeUndefined();
  });
});

describe('the same key and something else', () => {
  it('7: another body is 409 idempotency_conflict and charges nothing', async () => {
    const payer = await suite.customer({ credits: 100 });
    const key = withKey();
    await payer.sendOtp({}, key);
    expectError(await payer.sendOtp({}, key), 409, 'idempotency_conflict');
    expect(await payer.balance()).toBe(95);
  });

  it('decisions 7: a verification of another code is 409, also of one that does not exist', async () => {
    const { id } = await customer.readOtp();
    const key = withKey();
    await customer.verify(id, '0', key);
    const unknown = '0190a000-0000-7000-8000-000000000000';
    expectError(await customer.verify(unknown, '0', key), 409, 'idempotency_conflict');
    expectError(await customer.verify(unknown, '0', withKey()), 404, 'not_found');
  });

  it('decisions 7: another path, another mode and another workspace are other scopes', async () => {
    const other = await suite.customer();
    const [body, key] = [{ phone_number: freshNumber() }, withKey()];
    const answers = [
      await customer.sendOtp(body, key),
      await customer.sendSms({ ...body, message: 'Hello' }, key),
      await customer.sendOtp(body, { ...key, key: customer.testKey }),
      await other.sendOtp(body, key),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(answers.map(replayed)).toEqual([undefined, undefined, undefined, undefined]);
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(4);
  });

  it('decisions 7: another API key of the workspace and mode is the same scope', async () => {
    const { key: second } = await customer.newKey();
    const [body, key] = [{ phone_number: freshNumber() }, withKey()];
    const first = await customer.sendOtp(body, key);
    expect((await customer.sendOtp(body, { ...key, key: second })).text).toBe(first.text);
  });
});
