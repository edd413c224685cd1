import { describe, expect, it } from '@jest/globals';
import type { Answer } from '../support/http.js';
import { freshNumber } from '../support/numbers.js';
import {
  type Customer,
  expectRefusedByLimit,
  unknownId,
  useSystem,
  wrongCodeFor,
} from '../support/suite.js';
import { waitUntil } from '../support/wait-until.js';

const suite = useSystem();

async function times(count: number, call: (index: number) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let index = 0; index < count; index += 1) answers.push(await call(index));
  return answers;
}

const statuses = (answers: Answer[]) => answers.map(({ status }) => status);

describe('per destination', () => {
  it('8: 3 OTP sends per number in 10 minutes', async () => {
    const customer = await suite.customer();
    const body = { phone_number: freshNumber() };
    expect(statuses(await times(3, () => customer.sendOtp(body)))).toEqual([200, 200, 200]);
    expectRefusedByLimit(await customer.sendOtp(body), 600);
    expect((await customer.sendOtp()).status).toBe(200);
    expect(await customer.balance()).toBe(1_000 - 4 * 5);
  });

  it('8: workspaces do not share counters', async () => {
    const [one, other] = [await suite.customer(), await suite.customer()];
    const body = { phone_number: freshNumber() };
    await times(4, () => one.sendOtp(body));
    expect((await other.sendOtp(body)).status).toBe(200);
  });

  it('8: 10 verifications per number in 10 minutes', async () => {
    const customer = await suite.customer({ settings: { otp_max_attempts: 20 } });
    const number = freshNumber();
    const { json } = await customer.sendOtp({ phone_number: number });
    const code = await suite.codeAt(number);
    const wrong = wrongCodeFor(code);
    const answers = await times(10, () => customer.verify(json.id, wrong));
    expect(statuses(answers)).toEqual(Array(10).fill(200));
    expectRefusedByLimit(await customer.verify(json.id, code), 600);
    expect((await customer.getOtp(json.id)).json.attempt_count).toBe(10);
  });

  it('8: 10 SMS per number in a minute', async () => {
    const customer = await suite.customer();
    const body = { phone_number: freshNumber() };
    const answers = await times(10, () => customer.sendSms(body));
    expect(statuses(answers)).toEqual(Array(10).fill(200));
    expectRefusedByLimit(await customer.sendSms(body), 60);
    expect((await customer.sendOtp(body)).status).toBe(200);
  });

  it('8: OTP sends per prefix, the first six digits after +', async () => {
    const settings = { limits: { otp_sends_per_prefix_per_hour: 4 } };
    const customer = await suite.customer({ settings });
    expect(statuses(await times(4, () => customer.sendOtp()))).toEqual([200, 200, 200, 200]);
    expectRefusedByLimit(await customer.sendOtp(), 3_600);
    const elsewhere = { phone_number: freshNumber('NG-glo') };
    expect((await customer.sendOtp(elsewhere)).status).toBe(200);
    expect((await customer.sendSms()).status).toBe(200);
  });

  it('decisions 6: test mode is exempt', async () => {
    const customer = await suite.customer();
    const body = { phone_number: freshNumber() };
    const answers = await times(12, () => customer.sendOtp(body, { key: customer.testKey }));
    expect(statuses(answers)).toEqual(Array(12).fill(200));
    expect((await customer.sendOtp(body)).status).toBe(200);
  });

  it('decisions 13: null is no limit', async () => {
    const settings = { limits: { otp_sends_per_number_per_10_minutes: null } };
    const customer = await suite.customer({ settings });
    const body = { phone_number: freshNumber() };
    const answers = await times(8, () => customer.sendOtp(body));
    expect(statuses(answers)).toEqual(Array(8).fill(200));
  });

  it('decisions 13: a changed limit holds without a restart', async () => {
    const customer = await suite.customer();
    const body = { phone_number: freshNumber() };
    await times(3, () => customer.sendOtp(body));
    expectRefusedByLimit(await customer.sendOtp(body), 600);
    await customer.settings({ limits: { otp_sends_per_number_per_10_minutes: 5 } });
    await waitUntil('the new limit', async () => (await customer.sendOtp(body)).status === 200, {
      everyMs: 200,
    });
  });
});

describe('per key and workspace', () => {
  const read = (customer: Customer, key = customer.liveKey) => customer.getOtp(unknownId, { key });
  const limited = (limits: Record<string, number>) => suite.customer({ settings: { limits } });

  it('8 rules 1 and 3: a key has its number of calls a minute, and sees what is left', async () => {
    const customer = await limited({ key_per_minute: 4 });
    const answers = await times(4, () => customer.sendOtp());
    expect(statuses(answers)).toEqual([200, 200, 200, 200]);
    const left = answers.map(({ headers }) => headers['x-ratelimit-remaining']);
    expect(left).toEqual(['3', '2', '1', '0']);
    expectRefusedByLimit(await customer.sendOtp(), 60);
    expectRefusedByLimit(await read(customer), 60);
    expect(await customer.balance()).toBe(1_000 - 4 * 5);
  });

  it('8 rule 2: each key has its own counter, every call counts', async () => {
    const customer = await limited({ key_per_minute: 2 });
    const { key } = await customer.newKey();
    expect(statuses(await times(3, () => read(customer)))).toEqual([404, 404, 429]);
    expect(statuses(await times(3, () => read(customer, key)))).toEqual([404, 404, 429]);
  });

  it('8 rule 2: the workspace has a counter over all its keys', async () => {
    const customer = await limited({ workspace_per_minute: 3 });
    const { key } = await customer.newKey();
    expect(statuses(await times(2, () => read(customer)))).toEqual([404, 404]);
    const last = await customer.sendOtp({}, { key });
    expect(last.headers['x-ratelimit-remaining']).toBe('0');
    expectRefusedByLimit(await read(customer, key), 60);
    expectRefusedByLimit(await read(customer), 60);
  });

  it('8 rule 2: refused by its key does not count on the workspace', async () => {
    const customer = await limited({ key_per_minute: 2, workspace_per_minute: 4 });
    const { key } = await customer.newKey();
    expect(statuses(await times(6, () => read(customer)))).toEqual([404, 404, 429, 429, 429, 429]);
    expect(statuses(await times(2, () => read(customer, key)))).toEqual([404, 404]);
    const { key: third } = await customer.newKey();
    expectRefusedByLimit(await read(customer, third), 60);
  });

  it('decisions 6: refused by its key does not count on the destination', async () => {
    const customer = await limited({ key_per_minute: 1 });
    const body = { phone_number: freshNumber() };
    expect(statuses(await times(5, () => customer.sendOtp(body)))).toEqual([
      200, 429, 429, 429, 429,
    ]);
    for (const _ of [1, 2]) {
      const { key } = await customer.newKey();
      expect((await customer.sendOtp(body, { key })).status).toBe(200);
    }
  });

  it('decisions 6: test-mode traffic has its own counters', async () => {
    const customer = await limited({ workspace_per_minute: 2 });
    expect(statuses(await times(3, () => read(customer)))).toEqual([404, 404, 429]);
    expect((await read(customer, customer.testKey)).status).toBe(404);
  });

  it('decisions 16: the price list says nothing of what is left', async () => {
    const customer = await suite.customer();
    const answer = await suite.http.get('/v1/pricing', { key: customer.liveKey });
    expect(answer.headers).not.toHaveProperty('x-ratelimit-remaining');
  });
});
