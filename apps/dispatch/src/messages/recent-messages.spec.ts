import { describe, expect, it } from '@jest/globals';
import type { Message } from './message.js';
import { RecentMessages } from './recent-messages.js';

const otp = (id: string, changes: Partial<Message> = {}) =>
  ({ id, version: 1, content: { kind: 'otp' }, endedAt: null, ...changes }) as Message;

describe('messages seen last', () => {
  it('keeps an open OTP as it was seen last', () => {
    const recent = new RecentMessages();
    recent.keep(otp('a'));
    recent.keep(otp('a', { version: 2 }));
    expect(recent.get('a')?.version).toBe(2);
  });

  it('has no use for what has ended, was changed by others or is no OTP', () => {
    const recent = new RecentMessages();
    for (const id of ['ended', 'changed']) recent.keep(otp(id));
    recent.keep(otp('ended', { endedAt: new Date(0) }));
    recent.forget('changed');
    recent.keep(otp('sms', { content: { kind: 'sms' } as Message['content'] }));
    expect(['ended', 'changed', 'sms'].map((id) => recent.get(id))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('forgets what it has not seen for longest', () => {
    const recent = new RecentMessages(2);
    for (const id of ['a', 'b', 'a', 'c']) recent.keep(otp(id));
    expect(['a', 'b', 'c'].map((id) => recent.get(id)?.id)).toEqual(['a', undefined, 'c']);
  });
});
