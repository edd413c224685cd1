/** Interface 2.3 and 4.1 rule 2, decisions 3: what a verification takes, answers and refuses. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { earlyEnough } from '../support/early-enough.js';
import { freshNumber, magicNumber } from '../support/numbers.js';
import {
  type Customer,
  expectError,
  type Scenario,
  unknownId,
  useSystem,
} from '../support/suite.js';

const suite = useSystem();
let customer: Customer;

beforeAll(async () => {
  customer = await suite.customer({ credits: 5_000 });
});

/** Milliseconds. Shorter than the time-out of a provider. */
const SLOW_MS = 4_500;
const right = '123456';
const wrong = '654321';

const test = () => ({ key: customer.testKey });

/** A test-mode OTP: its code is known, and the number selects its way. */
async function testOtp(digits?: number, body: Record<string, unknown> = {}): Promise<string> {
  const phone_number = digits === undefined ? freshNumber() : magicNumber(digits);
  const { json } = await customer.sendOtp({ phone_number, ...body }, test());
  return json.id as string;
}

const verify = (id: string, code: string) => customer.verify(id, code, test());

describe('an OTP verify request', () => {
  it('2.3, decisions 10: otp_id is a UUID and required', async () => {
    const post = (body: object) => customer.post('/v1/otp/verify', body);
    for (const otp_id of [undefined, null, 5, '', 'nonsense', {}]) {
      expectError(await post({ otp_id, code: right }), 400, 'validation_error', 'otp_id');
    }
    expectError(await post({ otp_id: unknownId, code: right }), 404, 'not_found');
  });

  it('2.3: code is a string and required', async () => {
    const id = await testOtp(0);
    for (const code of [undefined, null, 123456, {}, ['123456'], true]) {
      const answer = await customer.post('/v1/otp/verify', { otp_id: id, code }, test());
      expectError(answer, 400, 'validation_error', 'code');
    }
    expect((await customer.getOtp(id, test())).json.attempt_count).toBe(0);
  });
});

describe('an OTP verify response', () => {
  it('2.4: code is never returned', async () => {
    const number = freshNumber();
    const sent = await customer.sendOtp({ phone_number: number, code_length: 8 });
    const code = await suite.codeAt(number);
    const answers = [
      sent,
      await customer.verify(sent.json.id, '00000000'),
      await customer.getOtp(sent.json.id),
      await customer.get('/v1/otp'),
      await customer.get('/v1/events'),
      await customer.verify(sent.json.id, code),
      await customer.getOtp(sent.json.id),
    ];
    for (const { text } of answers) expect(text).not.toContain(code);
  });
});

describe('verification', () => {
  it('3.1, 7, decisions 3: verify precedence: unknown, verified, exhausted, expired, otherwise ended', async () => {
    const [verified, exhausted] = [await testOtp(0), await testOtp(62)];
    const [expired, refused, undelivered] = [
      await testOtp(61),
      await testOtp(16),
      await testOtp(10),
    ];
    const cancelled = await testOtp(3);
    await verify(verified, right);
    await verify(exhausted, wrong);
    await customer.post(`/v1/otp/${cancelled}/cancel`, undefined, test());
    for (const id of [refused, undelivered]) await customer.otpWith('failed', id, test());
    const ends = [
      [unknownId, 404, 'not_found'],
      [verified, 409, 'otp_already_verified'],
      [exhausted, 409, 'max_attempts_exceeded'],
      [expired, 409, 'otp_expired'],
      [refused, 409, 'conflict'],
      [undelivered, 409, 'conflict'],
      [cancelled, 409, 'conflict'],
    ] as const;
    for (const code of [right, wrong]) {
      for (const [id, status, type] of ends) expectError(await verify(id, code), status, type);
    }
  });

  it('decisions 3: wrong code counts in every non-terminal state', async () => {
    const ways: [status: string, scenario: Scenario][] = [
      ['pending', { submit: { kind: 'accept', delay_ms: SLOW_MS } }],
      ['sent', { receipts: [] }],
      ['delivered', {}],
    ];
    for (const [status, scenario] of ways) {
      const { answer, record } = await earlyEnough(
        async () => {
          const number = freshNumber();
          await suite.scenario({ to: number, ...scenario });
          const { json } = await customer.sendOtp({ phone_number: number });
          if (status !== 'pending') await customer.otpWith(status, json.id);
          const answer = await customer.verify(json.id, 'wrong');
          return { answer, record: await customer.getOtp(json.id) };
        },
        ({ record }) => record.json.status === status,
      );
      expect(answer.json).toMatchObject({ valid: false, attempts_used: 1 });
      expect(record.json).toMatchObject({ status, attempt_count: 1 });
    }
  });
});
