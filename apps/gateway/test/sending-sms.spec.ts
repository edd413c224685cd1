import { describe, expect, it } from '@jest/globals';
import { UNLIMITED } from './gateway.kit.js';
import { gateway } from './one-gateway.kit.js';
import { lastCommand, NUMBER, sendSms, useSending } from './sending.kit.js';

useSending();

describe('POST /v1/sms/send', () => {
  it('answers with the documented record', async () => {
    const { status, body } = await sendSms({ phone_number: NUMBER, message: 'Hello' });
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual([
      'id',
      'phone_number',
      'country_code',
      'credit_cost',
      'segments',
      'encoding',
      'rewritten',
      'status',
      'created_at',
    ]);
    expect(body).toMatchObject({ segments: 1, encoding: 'GSM-7', rewritten: false });
  });

  it('rewrites by default and keeps the original', async () => {
    const message = '₦5,000 “debited” 🎉';
    const { body } = await sendSms({ phone_number: NUMBER, message, sender_id: 'Acme' });
    expect(body).toMatchObject({ encoding: 'GSM-7', rewritten: true });
    expect(lastCommand()).toMatchObject({
      sender_id: 'Acme',
      sms: { body: 'NGN5,000 "debited"', original_body: message, rewritten: true },
    });
  });

  it('leaves the text alone where rewriting is off', async () => {
    const { live_key: key } = await gateway.newWorkspace({ ...UNLIMITED, sms_rewriting: false });
    const { body } = await sendSms({ phone_number: NUMBER, message: 'caffè “x”' }, {}, key);
    expect(body).toMatchObject({ encoding: 'UCS-2', rewritten: false });
    expect(lastCommand()?.sms).toMatchObject({ body: 'caffè “x”', original_body: null });
  });

  it.each([
    ['no message', { phone_number: NUMBER }, 'validation_error', 'message'],
    ['an empty one', { phone_number: NUMBER, message: '' }, 'validation_error', 'message'],
    ['a blank one', { phone_number: NUMBER, message: ' \n ' }, 'validation_error', 'message'],
    ['only emoji', { phone_number: NUMBER, message: '🎉🎉' }, 'validation_error', 'message'],
    [
      '1601 characters',
      { phone_number: NUMBER, message: 'x'.repeat(1601) },
      'validation_error',
      'message',
    ],
    [
      'eleven segments',
      { phone_number: NUMBER, message: '日'.repeat(671) },
      'validation_error',
      'message',
    ],
    ['a wrong number', { phone_number: '0803', message: 'x' }, 'phone_invalid', 'phone_number'],
    ['a number as number', { phone_number: 1, message: 'x' }, 'validation_error', 'phone_number'],
    [
      'a long sender ID',
      { phone_number: NUMBER, message: 'x', sender_id: 'TwelveLetter' },
      'sender_id_invalid',
      'sender_id',
    ],
    [
      'a sender ID of digits',
      { phone_number: NUMBER, message: 'x', sender_id: '12345' },
      'sender_id_invalid',
      'sender_id',
    ],
    [
      'an empty sender ID',
      { phone_number: NUMBER, message: 'x', sender_id: '' },
      'sender_id_invalid',
      'sender_id',
    ],
    [
      'a sender ID that is no text',
      { phone_number: NUMBER, message: 'x', sender_id: 5 },
      'validation_error',
      'sender_id',
    ],
  ])('refuses %s', async (_name, body, type, field) => {
    const answer = await sendSms(body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ type, field });
  });

  it('takes 1600 characters, and ten segments', async () => {
    // 1600 GSM-7 characters are eleven segments: both limits apply.
    const long = await sendSms({ phone_number: NUMBER, message: 'x'.repeat(1600) });
    expect(long.body.error).toMatchObject({ field: 'message' });
    const ten = await sendSms({ phone_number: NUMBER, message: 'x'.repeat(1530) });
    expect(ten.body).toMatchObject({ segments: 10, credit_cost: 50 });
    const wide = await sendSms({ phone_number: NUMBER, message: '日'.repeat(670) });
    expect(wide.body).toMatchObject({ segments: 10, encoding: 'UCS-2' });
  });
});
