import { describe, expect, it } from '@jest/globals';
import { asId } from '@watchword/contracts';
import type { Message } from './message.js';
import { RecentMessages } from './recent-messages.js';

const message = (id: string, changes: Partial<Message> = {}) =>
  ({
    ...{ id, version: 1, endedAt: null, verifiedAt: null, deliveredAt: null, attempts: [] },
    ...changes,
  }) as unknown as Message;

const named = (id: string, providerMessageId: string) =>
  message(id, {
    attempts: [{ provider: 'twilio', providerMessageId }] as unknown as Message['attempts'],
  });

describe('messages seen last', () => {
  it('keeps an open message as it was seen last', () => {
    const recent = new RecentMessages();
    recent.keep(message('a'));
    recent.keep(message('a', { version: 2 }));
    expect(recent.get(asId('a'))?.version).toBe(2);
  });

  it('has no use for what has ended or was changed by others', () => {
    const recent = new RecentMessages();
    for (const id of ['ended', 'changed']) recent.keep(named(id, id));
    recent.keep(message('ended', { endedAt: new Date(0) }));
    recent.forget(asId('changed'));
    for (const id of ['ended', 'changed']) {
      expect(recent.get(asId(id))).toBeUndefined();
      expect(recent.ofProvider('twilio', id)).toBeUndefined();
    }
  });

  it('keeps a verified code until it was delivered, as long as its report can come', () => {
    const recent = new RecentMessages();
    recent.keep(message('a', { verifiedAt: new Date(0) }));
    expect(recent.get(asId('a'))).toBeDefined();
    recent.keep(message('a', { verifiedAt: new Date(0), deliveredAt: new Date(0) }));
    expect(recent.get(asId('a'))).toBeUndefined();
  });

  it('forgets the oldest in portions', () => {
    const recent = new RecentMessages(80);
    const ids = Array.from({ length: 91 }, (_, index) => String(index));
    const cachedOf = (some: string[]) => some.filter((id) => recent.get(asId(id)) !== undefined);
    for (const id of ids.slice(0, 90)) recent.keep(message(id));
    expect(cachedOf(ids)).toHaveLength(90);
    recent.keep(message('90'));
    expect(cachedOf(ids)).toEqual(ids.slice(11));
  });

  it('forgets what it has not seen for longest', () => {
    const recent = new RecentMessages(2);
    for (const id of ['a', 'b', 'a', 'c']) recent.keep(named(id, `of ${id}`));
    expect(['a', 'b', 'c'].map((id) => recent.get(asId(id))?.id)).toEqual(['a', undefined, 'c']);
    const found = ['a', 'b', 'c'].map((id) => recent.ofProvider('twilio', `of ${id}`)?.id);
    expect(found).toEqual(['a', undefined, 'c']);
  });

  it('finds a message by what its carrier calls it, the last one of two with one name', () => {
    const recent = new RecentMessages();
    recent.keep(named('a', 'SM1'));
    recent.keep(named('b', 'SM1'));
    expect(recent.ofProvider('twilio', 'SM1')?.id).toBe('b');
    expect(recent.ofProvider('other', 'SM1')).toBeUndefined();
    recent.forget(asId('a'));
    expect(recent.ofProvider('twilio', 'SM1')?.id).toBe('b');
  });
});
