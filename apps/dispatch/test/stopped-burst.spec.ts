import { describe, expect, it } from '@jest/globals';
import type { Clock } from '@watchword/contracts';
import { createLogger } from '@watchword/observability';
import type { Provider } from '@watchword/carriers';
import { eventually } from '@watchword/testing';
import type { OtpCodes } from '../src/channels/otp/otp-codes.port.js';
import type { Message } from '../src/messages/message.js';
import { MessageChanges } from '../src/messages/message-changes.handler.js';
import { afterWrite, type MessageStore } from '../src/messages/message.store.js';
import type { MessageWrite } from '../src/messages/message-write.js';
import { Router } from '../src/routing/router.js';
import { Sender } from '../src/sending/sender.js';
import { UnmappedCodes } from '../src/sending/unmapped-codes.js';
import { accepted, ScriptedProvider } from './dispatch.kit.js';
import { AT, message } from './message.kit.js';

const clock: Clock = { now: () => AT.getTime() };
const logger = createLogger({ service: 'dispatch', level: 'silent' });

/** A write succeeds only with the latest version. */
class StoredMessages extends Map<string, Message> {
  async read(wanted: readonly { id: string }[]): Promise<Map<string, Message>> {
    return new Map(wanted.map(({ id }) => [id, this.get(id)!]));
  }

  async update(writes: readonly MessageWrite[]): Promise<Set<string>> {
    const fitting = writes.filter(({ message: one }) => one.version === this.get(one.id)?.version);
    for (const { message: one } of fitting) this.set(one.id, afterWrite(one));
    return new Set(fitting.map(({ message: { id } }) => id));
  }
}

const carrier = new ScriptedProvider('africas_talking', false, {
  concurrency: 2,
  messagesPerSecond: null,
  waitingMax: 8,
});
const stored = new StoredMessages();

function newSender(): Sender {
  const providers = new Map<string, Provider>([[carrier.name, carrier]]);
  return new Sender({
    changes: new MessageChanges(stored as unknown as MessageStore, clock),
    providers,
    router: new Router(providers, clock, logger),
    codes: undefined as unknown as OtpCodes,
    clock,
    logger,
    unmapped: new UnmappedCodes(providers, clock, logger),
    rules: { current: async () => ({ enforcement: 'off', countries: {} }) },
  });
}

const heldBy = (sender: Sender, one: Message): Message => {
  const last = one.attempts.length;
  const attempts = one.attempts.map((attempt) =>
    attempt.number === last ? { ...attempt, heldBy: sender.id } : attempt,
  );
  return { ...one, attempts };
};

describe('a burst whose process stops', () => {
  it('is not ambiguous where no call was made: the next process sends each message once', async () => {
    const stopping = newSender();
    const ids = Array.from({ length: 3 }, () => {
      const one = heldBy(stopping, message('sms', { provider: carrier.name }));
      stored.set(one.id, one);
      return one.id;
    });
    let answer = () => {};
    const answered = new Promise<void>((resolve) => (answer = resolve));
    carrier.answer = async ({ messageId }) => {
      await answered;
      return accepted(messageId);
    };
    stopping.sendBurst([...stored.values()]);
    await eventually(() => expect(carrier.submits).toHaveLength(1));
    const stopped = stopping.stop(5_000);
    answer();
    await stopped;
    const outcomes = () => ids.map((id) => stored.get(id)!.attempts.map(({ outcome }) => outcome));
    expect(outcomes()).toEqual([['accepted'], ['refused'], ['refused']]);
    expect(stored.get(ids[1]!)).toMatchObject({
      state: 'accepted',
      attempts: [{ rawMessage: 'Not handed over.', wasAmbiguous: false, heldBy: stopping.id }],
    });

    const next = newSender();
    for (const id of ids.slice(1)) {
      stored.set(id, heldBy(next, stored.get(id)!));
      next.resume(stored.get(id)!, 0);
    }
    await eventually(() =>
      expect(outcomes()).toEqual([['accepted'], ['refused', 'accepted'], ['refused', 'accepted']]),
    );
    await next.stop(5_000);
    expect(carrier.submits.map(({ messageId }) => messageId)).toEqual(ids);
  });

  it("is this process's own from its record on, before it is sent", () => {
    const sender = newSender();
    const one = heldBy(sender, message('sms', { provider: carrier.name }));
    const sending = { messageId: one.id, resend: 0 };
    expect(sender.isSending(sending)).toBe(false);
    sender.reserve([one]);
    expect(sender.isSending(sending)).toBe(true);
    expect(sender.isSending({ ...sending, resend: 1 })).toBe(false);
  });
});
