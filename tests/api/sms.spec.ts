/** Transactional SMS: interface sections 1.6, 2.5, 2.6, 2.8, 3.2; decisions 3, 9, 12 and 16. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { freshNumber } from '../support/numbers.js';
import { type Customer, expectError, instant, useSystem, uuidV7 } from '../support/suite.js';

const suite = useSystem();
let customer: Customer;

beforeAll(async () => {
  customer = await suite.customer({ credits: 20_000 });
});

describe('POST /v1/sms/send', () => {
  it('decisions 3: POST /v1/sms/send answers exactly the documented fields with their types', async () => {
    const phone_number = freshNumber();
    const { status, json } = await customer.sendSms({ phone_number, message: 'Hello' });
    expect(status).toBe(200);
    expect(json).toEqual({
      id: expect.stringMatching(uuidV7),
      phone_number,
      country_code: 'NG',
      credit_cost: 5,
      segments: 1,
      encoding: 'GSM-7',
      rewritten: false,
      status: 'pending',
      created_at: expect.stringMatching(instant),
    });
  });

  it.each([
    ['A', 160, 'GSM-7', 1],
    ['A', 161, 'GSM-7', 2],
    ['A', 306, 'GSM-7', 2],
    ['A', 307, 'GSM-7', 3],
    ['€', 80, 'GSM-7', 1],
    ['€', 81, 'GSM-7', 2],
    ['中', 70, 'UCS-2', 1],
    ['中', 71, 'UCS-2', 2],
    ['A', 1530, 'GSM-7', 10],
    ['中', 670, 'UCS-2', 10],
  ])('1.6: %s x %d is %s in %d parts, charged per part', async (text, count, encoding, parts) => {
    const answer = await customer.sendSms({ message: text.repeat(count) });
    expect(answer.json).toMatchObject({ encoding, segments: parts, credit_cost: 5 * parts });
  });

  it.each([
    ['no text', ''],
    ['1601 characters', '\n'.repeat(1601)],
    ['eleven parts of GSM-7', 'A'.repeat(1531)],
    ['eleven parts of UCS-2', '中'.repeat(671)],
    ['a number', 5],
    ['null', null],
    ['a list', ['Hello']],
    ['only emoji, nothing after rewriting', '🎉🎉'],
  ])('decisions 3, 6: a message of %s is refused', async (_, message) => {
    expectError(await customer.sendSms({ message }), 400, 'validation_error', 'message');
  });

  it.each([
    ['₦5,000 debited', 'NGN5,000 debited'],
    ['“Hello” — it’s ‘me’…', "\"Hello\" - it's 'me'..."],
    ['Order shipped 🎉', 'Order shipped'],
  ])('1.6: %s is rewritten before it is measured', async (message, rewritten) => {
    const phone_number = freshNumber();
    const { json } = await customer.sendSms({ phone_number, message });
    expect(json).toMatchObject({ rewritten: true, encoding: 'GSM-7', segments: 1 });
    const [arrived] = await suite.handsetWith(1, phone_number);
    expect(arrived).toMatchObject({ body: rewritten, encoding: 'GSM-7' });
  });

  it.each(['Pay €15 or £3 or $2', 'naïve rôle', 'Ẹ kú àárọ̀'])(
    '1.6, decisions 9: %s stays as it is',
    async (message) => {
      const phone_number = freshNumber();
      const { json } = await customer.sendSms({ phone_number, message });
      expect(json.rewritten).toBe(false);
      const [arrived] = await suite.handsetWith(1, phone_number);
      expect(arrived!.body.normalize('NFC')).toBe(message.normalize('NFC'));
    },
  );

  it('decisions 3: the sender ID reaches the handset', async () => {
    const phone_number = freshNumber();
    await customer.sendSms({ phone_number, sender_id: 'Acme & Co-1' });
    expect((await suite.handsetWith(1, phone_number))[0]!.from).toBe('Acme & Co-1');
  });

  it.each(['TwelveLetter', '12345'])(
    '7, 8, decisions 3, 4: sender ID %j is refused',
    async (sender_id) => {
      expectError(await customer.sendSms({ sender_id }), 400, 'sender_id_invalid', 'sender_id');
    },
  );

  it.each(['nonsense', '2348031234567'])(
    '7, decisions 3: %j is phone_invalid',
    async (phone_number) => {
      expectError(await customer.sendSms({ phone_number }), 400, 'phone_invalid', 'phone_number');
    },
  );

  it.each([
    ['phone_number', { message: 'Hello' }],
    ['message', { phone_number: '+2348031234567' }],
  ])('decisions 3: %s is required', async (field, body) => {
    const answer = await customer.post('/v1/sms/send', body);
    expectError(answer, 400, 'validation_error', field);
  });

  it('decisions 3: metadata is bounded and must be an object', async () => {
    const metadata = { text: 'x'.repeat(5000) };
    expectError(await customer.sendSms({ metadata }), 400, 'validation_error', 'metadata');
    expectError(await customer.sendSms({ metadata: ['a'] }), 400, 'validation_error', 'metadata');
  });
});

describe('GET /v1/sms/{id}', () => {
  it('2.5: only the own workspace sees it; an OTP is no SMS', async () => {
    const outsider = await suite.customer();
    const { json } = await outsider.sendSms();
    expectError(await customer.getSms(json.id), 404, 'not_found');
    const otp = await customer.sendOtp();
    expectError(await customer.getSms(otp.json.id), 404, 'not_found');
  });
});

describe('a message that fails', () => {
  const failures = [
    ['AbsentSubscriber', 'absent_subscriber'],
    ['UserDoesNotExist', 'unknown_subscriber'],
    ['DoNotDisturbRejection', 'dnd_active'],
    ['Expired', 'expired'],
  ] as const;

  it.each(failures)('1.4: receipt %s fails it as %s and refunds it', async (code, reason) => {
    const payer = await suite.customer({ credits: 10 });
    const phone_number = freshNumber();
    const receipts = [{ after_ms: 30, outcome: 'failed', code }];
    await suite.scenario({ to: phone_number, receipts });
    const { json } = await payer.sendSms({ phone_number });
    expect(await payer.balance()).toBeLessThanOrEqual(10);
    const record = await payer.smsWith('failed', json.id);
    expect(record).toMatchObject({ reason, refunded: true });
    expect(record.timeline.map((hop: { status: string }) => hop.status)).toEqual([
      'queued',
      'sent',
      'failed',
    ]);
    expect(record.timeline.at(-1)).toMatchObject({ status: 'failed', reason, refunded: true });
    expect(await payer.balance()).toBe(10);
  });

  it('2.6: without a receipt it stays sent and paid for', async () => {
    const payer = await suite.customer({ credits: 10 });
    const phone_number = freshNumber();
    await suite.scenario({ to: phone_number, receipts: [] });
    const { json } = await payer.sendSms({ phone_number });
    const record = await payer.smsWith('sent', json.id);
    expect(record.delivered_at).toBeNull();
    expect(await payer.balance()).toBe(5);
  });
});
