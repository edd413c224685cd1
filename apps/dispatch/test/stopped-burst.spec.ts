import { expect, it } from '@jest/globals';
import { eventually } from '@watchword/testing';
import { accepted, ScriptedProvider } from './dispatch.kit.js';
import { message } from './message.kit.js';
import { heldBy, senderOf, StoredMessages } from './stored-messages.kit.js';

const carrier = new ScriptedProvider('africas_talking', false, {
  concurrency: 2,
  messagesPerSecond: null,
  waitingMax: 8,
});
const stored = new StoredMessages();

const newSender = () => senderOf(stored, carrier);

it('messages of a stopped process that were not submitted are sent once by the next process', async () => {
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
