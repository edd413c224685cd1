import { describe, expect, it } from '@jest/globals';
import { asId, type EntryId, type MessageSnapshot } from '@watchword/contracts';
import { closed, creditData, messageData, variantAHead, wholeSeconds } from './envelope.policy.js';
import { DEFAULT_EVENTS } from '@watchword/contracts';
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

  it('has times in UTC and whole seconds', () => {
    expect(wholeSeconds('2026-01-05T10:00:00.999+01:00')).toBe('2026-01-05T09:00:00Z');
  });
});

describe('OTP data', () => {
  it('has the required members in order and no others', () => {
    expect(JSON.stringify(messageData('message.sent', otp))).toBe(
      '{"id":"0199a000-0000-7000-8000-000000000001","phone_number":"+2348031234567",' +
        '"country_code":"NG","status":"sent","credit_cost":5}',
    );
  });

  it('distinguishes messages of test keys from real ones', () => {
    expect(messageData('message.sent', otp)).not.toHaveProperty('test_mode');
    expect(messageData('message.sent', { ...otp, test_mode: true })).toHaveProperty(
      'test_mode',
      true,
    );
  });

  it('says why a code failed and whether it was paid back', () => {
    const failed = { ...otp, state: 'failed', reason: 'no_route', refunded: true };
    expect(messageData('message.failed', failed)).toMatchObject({
      status: 'failed',
      reason: 'no_route',
      refunded: true,
    });
    const cancelled = { ...otp, state: 'cancelled', refunded: false };
    expect(messageData('message.cancelled', cancelled)).toMatchObject({
      status: 'failed',
      reason: 'cancelled',
      refunded: false,
    });
    expect(messageData('message.blocked', { ...otp, state: 'blocked' })).toMatchObject({
      status: 'failed',
      refunded: false,
    });
  });
});

describe('SMS data', () => {
  it('has the message too, and the verdict of the classifier when there is one', () => {
    const blocked = {
      ...sms,
      state: 'blocked',
      reason: 'antispam_blocked',
      refunded: true,
      antispam: { verdict: 'spam' },
    };
    expect(JSON.stringify(messageData('message.blocked', blocked))).toBe(
      '{"id":"0199a000-0000-7000-8000-000000000001","phone_number":"+2348031234567",' +
        '"country_code":"NG","message":"Hi","status":"blocked","credit_cost":5,' +
        '"antispam":{"verdict":"spam"},"reason":"antispam_blocked","refunded":true}',
    );
    expect(messageData('message.delivered', sms)).toEqual({
      id: sms.id,
      phone_number: sms.destination,
      country_code: 'NG',
      message: 'Hi',
      status: 'delivered',
      credit_cost: 5,
    });
  });

  it('shows rejected and cancelled as failed', () => {
    for (const [type, state] of [
      ['message.rejected', 'rejected'],
      ['message.cancelled', 'cancelled'],
    ] as const) {
      expect(messageData(type, { ...sms, state })).toMatchObject({ status: 'failed' });
    }
  });
});

describe('credit data', () => {
  it('is the workspace and its balance', () => {
    const event = {
      type: 'credit.topped_up',
      workspace_id: sms.workspace_id,
      entry_id: asId<EntryId>(sms.id),
      top_up_kind: 'purchase',
      credits: 100,
      balance_after: 120,
      occurred_at: sms.created_at,
    } as const;
    expect(creditData(event)).toEqual({ workspace_id: sms.workspace_id, balance: 120 });
  });
});

describe('event names', () => {
  it('are known for everything that can happen', () => {
    const kinds = ['otp', 'sms'] as const;
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
    const names = kinds.flatMap((kind) => happenings.map((type) => variantAType(kind, type)));
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

  it('are by default those of the specification', () => {
    expect(DEFAULT_EVENTS).toEqual([
      'otp.sent',
      'otp.failed',
      'sms.delivered',
      'sms.failed',
      'sms.blocked',
      'credit_balance.topped_up',
    ]);
  });
});
