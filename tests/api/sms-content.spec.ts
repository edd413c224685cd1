/** The text of an SMS and its record: interface 1.6, 2.8; decisions 3, 6 and 9. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { freshNumber, magicNumber } from '../support/numbers.js';
import { type Customer, expectError, instant, useSystem, uuidV7 } from '../support/suite.js';

const suite = useSystem();
let customer: Customer;
let plain: Customer;

beforeAll(async () => {
  customer = await suite.customer({ credits: 20_000 });
  plain = await suite.customer({ credits: 20_000, settings: { sms_rewriting: false } });
});

const union = (phone_number: string) => ({
  id: expect.stringMatching(uuidV7),
  workspace_id: customer.id,
  project_id: customer.id,
  status: 'delivered',
  phone_number,
  country_code: 'NG',
  message: "It's NGN5",
  sender_id: 'Acme',
  credit_cost: 5,
  segments: 1,
  encoding: 'GSM-7',
  metadata: { order: 7 },
  timeline: [
    { status: 'queued', timestamp: expect.stringMatching(instant) },
    { status: 'sent', timestamp: expect.stringMatching(instant), provider: 'africas_talking' },
    { status: 'delivered', timestamp: expect.stringMatching(instant), provider: 'africas_talking' },
  ],
  to: phone_number,
  from: 'Acme',
  body: "It's NGN5",
  rewritten: true,
  original_body: 'It’s ₦5',
  country: 'NG',
  carrier: 'mtn_ng',
  provider: 'africas_talking',
  provider_message_id: expect.any(String),
  provider_attempts: [
    {
      provider: 'africas_talking',
      attempted_at: expect.stringMatching(instant),
      ok: true,
      provider_message_id: expect.any(String),
      error_code: null,
      error_message: null,
    },
  ],
  cost: { amount_kobo: 500, currency: 'NGN' },
  error_code: null,
  error_message: null,
  send_at: null,
  test_mode: false,
  created_at: expect.stringMatching(instant),
  sent_at: expect.stringMatching(instant),
  delivered_at: expect.stringMatching(instant),
});

describe('GET /v1/sms/{id}', () => {
  it('2.5, 2.6, decisions 3: GET /v1/sms/{id} is the union record, field by field and nothing else', async () => {
    const phone_number = freshNumber();
    const send = { phone_number, sender_id: 'Acme', metadata: { order: 7 } };
    const { json } = await customer.sendSms({ ...send, message: 'It’s ₦5' });
    expect(json).toMatchObject({ rewritten: true, encoding: 'GSM-7' });
    const record = await customer.smsWith('delivered', json.id);
    expect(record).toEqual(union(phone_number));
    expect(record.created_at).toBe(json.created_at);
  });

  it('decisions 3: what is not there is null, and a failure adds two fields', async () => {
    const key = customer.testKey;
    const phone_number = magicNumber(25);
    const { json } = await customer.sendSms({ phone_number }, { key });
    const record = await customer.smsWith('failed', json.id, { key });
    const absent = ['sender_id', 'from', 'provider_message_id', 'send_at'];
    for (const field of [...absent, 'sent_at', 'delivered_at']) expect(record[field]).toBeNull();
    // `original_body` is present only when rewriting changed the text.
    const { original_body: _, ...always } = union(phone_number);
    const names = [...Object.keys(always), 'reason', 'refunded'];
    expect(Object.keys(record).toSorted()).toEqual(names.toSorted());
    expect(record).toMatchObject({ reason: 'invalid_number', error_code: 'invalid_number' });
    expect(record.provider).toBe('simulator_1');
    expect(record.timeline.at(-1)).toEqual({
      status: 'failed',
      timestamp: expect.stringMatching(instant),
      reason: 'invalid_number',
      refunded: true,
    });
  });
});

describe('the limits of a message', () => {
  it('decisions 6: 1600 characters count as given, ten segments as measured', async () => {
    // Longer than 1600 characters only after rewriting, so the segments decide.
    const grows = '…'.repeat(500);
    expect((await customer.sendSms({ message: grows })).json).toMatchObject({ segments: 10 });
    const tooMuch = await customer.sendSms({ message: '…'.repeat(520) });
    expectError(tooMuch, 400, 'validation_error', 'message');
    // Short enough only after rewriting, so the characters decide.
    const shrinks = `Hello${'🎉'.repeat(1_595)}`;
    const short = await customer.sendSms({ message: shrinks });
    expect(short.json).toMatchObject({ segments: 1, rewritten: true });
    const tooLong = await customer.sendSms({ message: `${shrinks}🎉` });
    expectError(tooLong, 400, 'validation_error', 'message');
  });

  it('1.6: without rewriting the same text costs what it weighs', async () => {
    const message = `${'A'.repeat(100)}’`;
    expect((await customer.sendSms({ message })).json).toMatchObject({
      rewritten: true,
      encoding: 'GSM-7',
      segments: 1,
      credit_cost: 5,
    });
    expect((await plain.sendSms({ message })).json).toMatchObject({
      rewritten: false,
      encoding: 'UCS-2',
      segments: 2,
      credit_cost: 10,
    });
  });

  it.each(['🎉', ' 🎉 ', '   ', '\n\t', '\u200b'])(
    'decisions 9: %j leaves nothing to send',
    async (message) => {
      expectError(await customer.sendSms({ message }), 400, 'validation_error', 'message');
    },
  );

  it('decisions 9: white space alone is nothing without rewriting too', async () => {
    expectError(await plain.sendSms({ message: ' \n ' }), 400, 'validation_error', 'message');
    expect((await plain.sendSms({ message: '🎉' })).json).toMatchObject({ segments: 1 });
  });

  it.each(['Acme & Co.', 'Elevenchars'])(
    '8, decisions 3, 4: sender ID %j is allowed',
    async (sender_id) => {
      expect((await customer.sendSms({ sender_id })).status).toBe(200);
    },
  );
});
