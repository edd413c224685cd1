/** Resends of one-time passwords: decisions 3, 13 and 16. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { earlyEnough } from '../support/early-enough.js';
import { freshNumber, magicNumber } from '../support/numbers.js';
import {
  type Customer,
  expectError,
  expectRefusedByLimit,
  instant,
  type Scenario,
  UNLIMITED_OTPS,
  useSystem,
  uuidV7,
} from '../support/suite.js';
import { waitUntil } from '../support/wait-until.js';

import { endings } from '../support/otp-endings.js';

const suite = useSystem();
let customer: Customer;

beforeAll(async () => {
  customer = await suite.customer({ credits: 50_000, settings: UNLIMITED_OTPS });
});

const resend = (id: string, by = customer, send = {}) =>
  by.post(`/v1/otp/${id}/resend`, undefined, send);

describe('POST /v1/otp/{id}/resend', () => {
  it('decisions 3: the same code, the same expiry, the next best provider, charged', async () => {
    const payer = await suite.customer({ credits: 100 });
    const { id, number, code, expiresAt } = await payer.readOtp();
    const { status, json } = await resend(id, payer);
    expect(status).toBe(200);
    expect(json).toEqual({
      id,
      phone_number: number,
      country_code: 'NG',
      credit_cost: 5,
      status: 'pending',
      code_length: 6,
      expires_at: expiresAt,
      created_at: expect.stringMatching(instant),
      resend_id: expect.stringMatching(uuidV7),
      resends_remaining: 2,
    });
    const [first, second] = await suite.handsetWith(2, number);
    expect([first!.provider, second!.provider]).toEqual(['africas_talking', 'twilio']);
    expect(second!.body).toBe(first!.body);
    expect(second!.body).toContain(code);
    expect(await payer.balance()).toBe(90);
    const charges = (await payer.ledger()).filter(({ kind }) => kind === 'charge');
    expect(charges.map((entry) => entry['message_id']).toSorted()).toEqual(
      [id, json.resend_id].toSorted(),
    );
    const record = (await payer.getOtp(id)).json;
    expect(record.resends).toEqual([
      { resend_id: json.resend_id, created_at: expect.stringMatching(instant), credits: 5 },
    ]);
    expect(record).toMatchObject({ credit_cost: 5, expires_at: expiresAt });
    expect((await payer.verify(id, code)).json).toMatchObject({ valid: true, attempts_used: 1 });
  });

  it('decisions 3: an OTP is resent at most three times, also at once', async () => {
    const payer = await suite.customer({ credits: 1_000, settings: UNLIMITED_OTPS });
    const { id, number } = await payer.readOtp();
    const answers = await Promise.all(Array.from({ length: 12 }, () => resend(id, payer)));
    const accepted = answers.filter(({ status }) => status === 200);
    expect(accepted.map(({ json }) => json.resends_remaining).toSorted()).toEqual([0, 1, 2]);
    for (const answer of answers) if (answer.status !== 200) expectError(answer, 409, 'conflict');
    const arrived = await suite.handsetWith(4, number);
    expect(new Set(arrived.map(({ body }) => body)).size).toBe(1);
    expectError(await resend(id, payer), 409, 'conflict');
    expect(await payer.balance()).toBe(980);
  });

  it('decisions 13: otp_resend_max is the number', async () => {
    const settings = { ...UNLIMITED_OTPS, otp_resend_max: 1 };
    const once = await suite.customer({ credits: 100, settings });
    const { id } = await once.readOtp();
    expect((await resend(id, once)).json.resends_remaining).toBe(0);
    expectError(await resend(id, once), 409, 'conflict');
    await once.settings({ otp_resend_max: 0 });
    const never = await once.readOtp();
    expectError(await resend(never.id, once), 409, 'conflict');
    expect(await once.balance()).toBe(85);
  });

  it('a code that no provider has taken cannot be sent again yet', async () => {
    const submit = { kind: 'accept', delay_ms: 4_500 };
    const answer = await earlyEnough(
      async () => {
        const phone_number = freshNumber();
        await suite.scenario({ to: phone_number, submit, receipts: [] });
        const { json } = await customer.sendOtp({ phone_number });
        return resend(json.id);
      },
      ({ status }) => status === 409,
    );
    expectError(answer, 409, 'conflict');
    expect(answer.headers['retry-after']).toBe('1');
  });

  it.each(endings)('an OTP that %s is 409 %s', async (_, type, make) => {
    expectError(await resend(await make(customer)), 409, type);
  });

  it('POST /v1/otp/{id}/resend counts as a send to that number, and a refused one is not used up', async () => {
    const limits = { otp_sends_per_number_per_10_minutes: 2 };
    const limited = await suite.customer({ credits: 100, settings: { limits } });
    const { id } = await limited.readOtp();
    expect((await resend(id, limited)).status).toBe(200);
    expectRefusedByLimit(await resend(id, limited), 600);
    expect(await limited.balance()).toBe(90);
    await limited.settings(UNLIMITED_OTPS);
    expect((await resend(id, limited)).json.resends_remaining).toBe(1);
  });

  it('decisions 5: without credits it is 402, and not used up', async () => {
    const poor = await suite.customer({ credits: 5, settings: UNLIMITED_OTPS });
    const { id, code } = await poor.readOtp();
    expectError(await resend(id, poor), 402, 'insufficient_credits');
    const topUp = { credits: 5, kind: 'bonus' };
    await suite.operator.request('POST', `/workspaces/${poor.id}/top-ups`, topUp);
    expect((await resend(id, poor)).json.resends_remaining).toBe(2);
    expect((await poor.verify(id, code)).json.valid).toBe(true);
  });

  const losses: [how: string, scenario: Pick<Scenario, 'submit' | 'receipts'>][] = [
    ['every provider refuses', { submit: { kind: 'refuse' } }],
    ['the carrier reports as failed', { receipts: [{ after_ms: 20, outcome: 'failed' }] }],
  ];
  it.each(losses)(
    'decisions 5: one that %s gives back its own charge only',
    async (_, scenario) => {
      const payer = await suite.customer({ credits: 100, settings: UNLIMITED_OTPS });
      // A provider that refuses is skipped for that network for ten minutes, so no other test uses
      // it.
      const { id, number, code } = await payer.readOtp({ phone_number: freshNumber('NG-airtel') });
      await payer.otpWith('delivered', id);
      await suite.scenario({ to: number, ...scenario });
      const { json } = await resend(id, payer);
      await waitUntil('the refund', async () => (await payer.balance()) === 95);
      const refunds = (await payer.ledger()).filter(({ kind }) => kind === 'refund');
      expect(refunds).toMatchObject([{ message_id: json.resend_id, credits: 5 }]);
      expect((await payer.getOtp(id)).json).toMatchObject({ status: 'delivered' });
      expect((await payer.verify(id, code)).json.valid).toBe(true);
    },
  );

  it('an OTP whose first text is lost lives on by its resend', async () => {
    const lostAfterMs = 2_500;
    const { phone_number, id, resent } = await earlyEnough(
      async () => {
        const phone_number = freshNumber();
        const receipts = [{ after_ms: lostAfterMs, outcome: 'failed' }];
        await suite.scenario({ provider: 'africas_talking', to: phone_number, receipts });
        await suite.scenario({ provider: 'twilio', to: phone_number, receipts: [] });
        const { id } = (await customer.sendOtp({ phone_number })).json;
        return { phone_number, id, resent: await resend(id) };
      },
      ({ resent }) => resent.status === 200,
    );
    expect(resent.status).toBe(200);
    // Its receipt is due after that of the lost text.
    const marker = freshNumber();
    const receipts = [{ after_ms: lostAfterMs, outcome: 'delivered' }];
    await suite.scenario({ to: marker, receipts });
    const later = await customer.sendOtp({ phone_number: marker });
    await customer.otpWith('delivered', later.json.id);
    expect((await customer.getOtp(id)).json.status).toBe('sent');
    const code = await suite.codeAt(phone_number);
    expect((await customer.verify(id, code)).json.valid).toBe(true);
  });

  it('2.6: a resend by another provider leaves the provider of the first send', async () => {
    const phone_number = freshNumber();
    await suite.scenario({ provider: 'africas_talking', to: phone_number, receipts: [] });
    const { json } = await customer.sendOtp({ phone_number });
    const before = (await customer.otpWith('sent', json.id)).timeline;
    expect(before.at(-1)).toMatchObject({ status: 'sent', provider: 'africas_talking' });
    expect((await resend(json.id)).status).toBe(200);
    const after = (await customer.otpWith('delivered', json.id)).timeline;
    expect(after.slice(0, -1)).toEqual(before);
    expect(after.at(-1)).toMatchObject({ status: 'delivered', provider: 'twilio' });
  });

  it('decisions 7: a key is answered the same again, after the end of the OTP too', async () => {
    const payer = await suite.customer({ credits: 100, settings: UNLIMITED_OTPS });
    const { id, number, code } = await payer.readOtp();
    const headers = { 'idempotency-key': 'again' };
    const first = await resend(id, payer, { headers });
    const second = await resend(id, payer, { headers });
    await suite.handsetWith(2, number);
    await payer.verify(id, code);
    const third = await resend(id, payer, { headers });
    for (const replay of [second, third]) {
      expect(replay.status).toBe(200);
      expect(replay.text).toBe(first.text);
      expect(replay.headers['idempotent-replayed']).toBe('true');
    }
    expect(await payer.balance()).toBe(90);
    expect(await suite.handset(number)).toHaveLength(2);
    const other = await payer.post(`/v1/otp/${id}/resend`, { other: true }, { headers });
    expectError(other, 409, 'idempotency_conflict');
  });

  it('decisions 12: a resend in test mode is not charged', async () => {
    const payer = await suite.customer({ credits: 0 });
    const key = payer.testKey;
    const { json } = await payer.sendOtp({ phone_number: magicNumber(3) }, { key });
    for (const remaining of [2, 1, 0]) {
      const answer = await resend(json.id, payer, { key });
      expect(answer.json).toMatchObject({ credit_cost: 5, resends_remaining: remaining });
    }
    expectError(await resend(json.id, payer, { key }), 409, 'conflict');
    expect(await payer.ledger()).toEqual([]);
    expect((await payer.verify(json.id, '123456', { key })).json.valid).toBe(true);
  });
});
