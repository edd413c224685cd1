import { describe, expect, it } from '@jest/globals';
import type { MessageId } from '@watchword/contracts';
import type { Message } from '../messages/message.js';
import { OpenCalls } from './open-calls.js';

const key = { provider: 'carrier_1', destination: '+2348031234567' };
const named = (provider: string) => (message: Message) => ({ ...message, provider });
const message = { id: 'message-1', provider: null } as unknown as Message;

function report(providerMessageId: string | null, messageId: MessageId | null = null) {
  return { messageId, providerMessageId, change: named('reported') };
}

describe('a report on an open call', () => {
  it('is written with the outcome of the call that it names', async () => {
    const calls = new OpenCalls();
    const joined = await calls.during(key, async (reports) => {
      const waiting = [calls.join(key, report('id-1')), calls.join(key, report(null, message.id))];
      const changed = reports.claim(message.id, ['id-1'])(message, new Date());
      expect(changed.provider).toBe('reported');
      reports.recorded(changed);
      return Promise.all(waiting);
    });
    expect(joined.map((one) => one?.provider)).toEqual(['reported', 'reported']);
  });

  it('is written with the outcome where it comes before that is written', async () => {
    const calls = new OpenCalls();
    await calls.during(key, async (reports) => {
      const change = reports.claim(message.id, ['id-1']);
      expect(change(message, new Date())).toBe(message);
      const waiting = calls.join(key, report('id-1'));
      reports.recorded(change(message, new Date()));
      expect((await waiting)?.provider).toBe('reported');
    });
  });

  it('is written by itself where the call is another one', async () => {
    const calls = new OpenCalls();
    let waiting: Promise<Message | null> | undefined;
    await calls.during(key, async (reports) => {
      waiting = calls.join(key, report('id-2'));
      expect(reports.claim(message.id, ['id-1'])(message, new Date())).toBe(message);
      reports.recorded(message);
    });
    expect(await waiting).toBeNull();
  });

  it('is written by itself where the call is not answered soon', async () => {
    const calls = new OpenCalls();
    await calls.during(key, async (reports) => {
      expect(await calls.join(key, report('id-1'))).toBeNull();
      expect(reports.claim(message.id, ['id-1'])(message, new Date())).toBe(message);
    });
  });

  it('waits for no call that has ended or failed', async () => {
    const calls = new OpenCalls();
    const failing = calls.during(key, () => Promise.reject(new Error('gone')));
    await expect(failing).rejects.toThrow('gone');
    expect(calls.has(key)).toBe(false);
    expect(await calls.join(key, report('id-1'))).toBeNull();
  });

  it('waits until the last of several calls about one destination has ended', async () => {
    const calls = new OpenCalls();
    const first = Promise.withResolvers<void>();
    const open = calls.during(key, () => first.promise);
    const waiting = calls.join(key, report('id-1'));
    await calls.during(key, async (reports) => {
      reports.recorded(reports.claim(message.id, ['id-1'])(message, new Date()));
    });
    expect((await waiting)?.provider).toBe('reported');
    expect(calls.has(key)).toBe(true);
    first.resolve();
    await open;
    expect(calls.has(key)).toBe(false);
  });
});

describe('the arrival of a report on an open call', () => {
  const DAY_MS = 86_400_000;
  const running = new AbortController().signal;

  it('ends the wait for it, and the report is written with the outcome', async () => {
    const calls = new OpenCalls();
    await calls.during(key, async (reports) => {
      const arrival = reports.arrival(message.id, DAY_MS, running);
      const waiting = calls.join(key, report(null, message.id));
      await arrival;
      reports.recorded(reports.claim(message.id, [])(message, new Date()));
      expect((await waiting)?.provider).toBe('reported');
    });
  });

  it('is awaited for the given time at most, and no longer once the process stops', async () => {
    const calls = new OpenCalls();
    await calls.during(key, async (reports) => {
      await reports.arrival(message.id, 1, running);
      await reports.arrival(message.id, DAY_MS, AbortSignal.abort());
    });
  });
});
