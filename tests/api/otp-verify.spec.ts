/** Verification of one-time passwords: interface sections 2.3, 3.1, 4.1; decisions 3. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { earlyEnough } from '../support/early-enough.js';
import {
  type Customer,
  expectError,
  instant,
  unknownId,
  useSystem,
  wrongCodeFor,
} from '../support/suite.js';
import { waitUntil } from '../support/wait-until.js';

const suite = useSystem();
let customer: Customer;

beforeAll(async () => {
  customer = await suite.customer({ credits: 20_000 });
});

const untilPast = (time: number) => waitUntil('the expiry', () => Date.now() > time + 5);

/** Returns an expired code that was tried once before its expiry. */
async function triedBeforeExpiry(by: Customer, tried: (code: string) => string) {
  const { expiresAtMs, ...otp } = await earlyEnough(
    async () => {
      const { id, code, expiresAtMs } = await by.shortLivedOtp();
      return { id, code, expiresAtMs, answer: await by.verify(id, tried(code)) };
    },
    ({ answer }) => answer.status === 200,
  );
  await untilPast(expiresAtMs);
  return otp;
}

describe('POST /v1/otp/verify', () => {
  it('2.3: the right code is valid and has no attempts_remaining', async () => {
    const { id, code } = await customer.readOtp();
    const { status, json } = await customer.verify(id, code);
    expect(status).toBe(200);
    expect(json).toEqual({ valid: true, status: 'verified', attempts_used: 1 });
    const record = (await customer.getOtp(id)).json;
    expect(record).toMatchObject({ status: 'verified', attempt_count: 1 });
    expect(record.verified_at).toMatch(instant);
  });

  it('2.3, 4.1, decisions 3: a wrong code with attempts left is 200, counts, and says sent of a delivered code', async () => {
    const { id, code } = await customer.readOtp();
    const wrong = wrongCodeFor(code);
    await customer.otpWith('delivered', id);
    const first = await customer.verify(id, wrong);
    expect(first.status).toBe(200);
    expect(first.json).toEqual({
      valid: false,
      status: 'sent',
      attempts_used: 1,
      attempts_remaining: 4,
    });
    expect((await customer.verify(id, code)).json).toMatchObject({ valid: true, attempts_used: 2 });
  });

  it.each(['', 'abcdef', '1', '0'.repeat(100), '１２３４５６'])(
    '4.1 rule 2: %j is never valid and never an error of ours',
    async (code) => {
      const { id } = await customer.readOtp();
      const answer = await customer.verify(id, code);
      if (answer.status === 200) expect(answer.json.valid).toBe(false);
      else expectError(answer, 400, 'validation_error', 'code');
    },
  );

  it('3.1: the wrong code that exhausts the budget fails the OTP; then 409', async () => {
    const { id, code } = await customer.readOtp();
    const wrong = wrongCodeFor(code);
    await customer.otpWith('delivered', id);
    for (const used of [1, 2, 3, 4]) {
      const answer = await customer.verify(id, wrong);
      expect(answer.json).toMatchObject({ attempts_used: used, attempts_remaining: 5 - used });
    }
    const last = await customer.verify(id, wrong);
    expect(last.status).toBe(200);
    expect(last.json).toEqual({
      valid: false,
      status: 'failed',
      attempts_used: 5,
      attempts_remaining: 0,
    });
    expectError(await customer.verify(id, code), 409, 'max_attempts_exceeded');
    const record = (await customer.getOtp(id)).json;
    expect(record).toMatchObject({
      status: 'failed',
      attempt_count: 5,
      reason: 'max_attempts_exceeded',
      refunded: false,
    });
    expect(record.timeline.at(-1)).toMatchObject({
      status: 'failed',
      reason: 'max_attempts_exceeded',
      refunded: false,
    });
  });

  it('decisions 3: past expires_at it is expired, not refunded; verify is 409', async () => {
    const payer = await suite.customer({ credits: 100 });
    const { id, code, expiresAtMs } = await payer.shortLivedOtp();
    await untilPast(expiresAtMs);
    expectError(await payer.verify(id, code), 409, 'otp_expired');
    const record = (await payer.getOtp(id)).json;
    expect(record.status).toBe('expired');
    expect(record.timeline.at(-1).status).toBe('expired');
    expect(record).not.toHaveProperty('refunded', true);
    expect(await payer.balance()).toBe(95);
  });

  it('decisions 3: GET alone finds the expiry', async () => {
    const { id, expiresAtMs } = await customer.shortLivedOtp();
    await untilPast(expiresAtMs);
    expect((await customer.getOtp(id)).json.status).toBe('expired');
  });

  it('decisions 3: verified wins over expired', async () => {
    const { id, code, answer } = await triedBeforeExpiry(customer, (code) => code);
    expect(answer.json.valid).toBe(true);
    expectError(await customer.verify(id, code), 409, 'otp_already_verified');
    expect((await customer.getOtp(id)).json.status).toBe('verified');
  });

  it('decisions 3: exhausted wins over expired', async () => {
    const strict = await suite.customer({ settings: { otp_max_attempts: 1 } });
    const { id, code, answer } = await triedBeforeExpiry(strict, wrongCodeFor);
    expect(answer.json).toMatchObject({ status: 'failed', attempts_remaining: 0 });
    expectError(await strict.verify(id, code), 409, 'max_attempts_exceeded');
  });

  it('3.1: exactly five of twenty guesses at once are compared', async () => {
    const guarded = await suite.customer({
      settings: { limits: { otp_verifications_per_number_per_10_minutes: null } },
    });
    const { id, code } = await guarded.readOtp();
    const wrong = wrongCodeFor(code);
    const answers = await Promise.all(Array.from({ length: 20 }, () => guarded.verify(id, wrong)));
    const compared = answers.filter(({ status }) => status === 200);
    expect(compared.map(({ json }) => json.attempts_used).sort()).toEqual([1, 2, 3, 4, 5]);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expectError(answer, 409, 'max_attempts_exceeded');
    }
    expectError(await guarded.verify(id, code), 409, 'max_attempts_exceeded');
  });

  it('3.1: exactly one of ten right codes at once is valid', async () => {
    const { id, code } = await customer.readOtp();
    const answers = await Promise.all(Array.from({ length: 10 }, () => customer.verify(id, code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expectError(answer, 409, 'otp_already_verified');
    }
  });

  it('4.1 rule 2: an unknown otp_id is 404, and so is that of another workspace', async () => {
    expectError(await customer.verify(unknownId, '123456'), 404, 'not_found');
    const outsider = await suite.customer();
    const { id, code } = await customer.readOtp();
    expectError(await outsider.verify(id, code), 404, 'not_found');
    expect((await customer.verify(id, code)).json).toMatchObject({ valid: true, attempts_used: 1 });
  });

  it('4.1: a verification at once after the send is never 404', async () => {
    const { json } = await customer.sendOtp();
    const answer = await customer.verify(json.id, 'not it');
    expect([200, 400]).toContain(answer.status);
  });
});
