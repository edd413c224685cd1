import { describe, expect, it } from '@jest/globals';
import { lastCommand, NUMBER, sendSms, useSending } from './sending.kit.js';

useSending();

describe('POST /v1/sms/send', () => {
  it('rewrites by default and keeps the original', async () => {
    const message = '₦5,000 “debited” 🎉';
    const { body } = await sendSms({ phone_number: NUMBER, message, sender_id: 'Acme' });
    expect(body).toMatchObject({ encoding: 'GSM-7', rewritten: true });
    expect(lastCommand()).toMatchObject({
      sender_id: 'Acme',
      sms: { body: 'NGN5,000 "debited"', original_body: message, rewritten: true },
    });
  });
});
