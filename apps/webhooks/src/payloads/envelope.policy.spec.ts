import { describe, expect, it } from '@jest/globals';
import { asId, type MessageSnapshot, PHONE_KINDS } from '@watchword/contracts';
import { closed, messageData, variantAHead } from './envelope.policy.js';
import { isKnownEvent, variantAType } from './event-types.policy.js';

const sms: MessageSnapshot = {
  id: asId('0199a000-0000-7000-8000-000000000001'),
  workspace_id: asId('0199a000-0000-7000-8000-000000000002'),
  kind: 'sms',
  family: 'a',
  test_mode: false,
  destination: '+2348031234567',
  country_code: 'NG',
  network: null,
  sender_id: null,
  body: 'Hi',
  state: 'delivered',
  credits: 5,
  segments: 1,
  encoding: 'GSM-7',
  provider: null,
  provider_message_id: null,
  reason: null,
  refunded: null,
  error_code: null,
  error_message: null,
  antispam: null,
  metadata: { order: 1 },
  created_at: '2026-01-05T09:00:00.000Z',
  sent_at: null,
  delivered_at: null,
};
const otp: MessageSnapshot = { ...sms, kind: 'otp', body: null, state: 'sent' };

describe('the envelope of variant A', () => {
  it('is compact, unescaped, and closed by its sequence', () => {
    const head = variantAHead('sms.delivered', '2026-01-05T09:00:00.999Z', {
      message: '<a href="x">&\u2028é🎉',
    });
    expect(closed(head, 42)).toBe(
      '{"event":"sms.delivered","timestamp":"2026-01-05T09:00:00Z",' +
        '"data":{"message":"<a href=\\"x\\">&\u2028é🎉"},"sequence":42}',
    );
  });
});

describe('OTP data', () => {
  it('distinguishes messages of test keys from real ones', () => {
    expect(messageData('message.sent', otp)).not.toHaveProperty('test_mode');
    expect(messageData('message.sent', { ...otp, test_mode: true })).toHaveProperty(
      'test_mode',
      true,
    );
  });
});

describe('SMS data', () => {
  it('shows rejected and cancelled as failed', () => {
    for (const [type, state] of [
      ['message.rejected', 'rejected'],
      ['message.cancelled', 'cancelled'],
    ] as const) {
      expect(messageData(type, { ...sms, state })).toMatchObject({ status: 'failed' });
    }
  });
});

describe('event names', () => {
  it('are known for everything that can happen', () => {
    const happenings = [
      'message.sent',
      'message.delivered',
      'message.verified',
      'message.expired',
      'message.failed',
      'message.blocked',
      'message.rejected',
      'message.cancelled',
    ] as const;
    const names = PHONE_KINDS.flatMap((kind) => happenings.map((type) => variantAType(kind, type)));
    expect(names.filter((name) => !isKnownEvent(name!, 'a'))).toEqual([]);
    expect([...new Set(names)].toSorted()).toEqual([
      'otp.delivered',
      'otp.expired',
      'otp.failed',
      'otp.sent',
      'otp.verified',
      'sms.blocked',
      'sms.cancelled',
      'sms.delivered',
      'sms.failed',
      'sms.sent',
    ]);
  });
});
