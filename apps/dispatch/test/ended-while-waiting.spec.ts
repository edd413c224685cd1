import { expect, it, jest } from '@jest/globals';
import { eventually } from '@watchword/testing';
import { cancel } from '../src/messages/message-change.policy.js';
import { afterWrite } from '../src/messages/message.store.js';
import { accepted, ScriptedProvider } from './dispatch.kit.js';
import { AT, message } from './message.kit.js';
import { heldBy, senderOf, StoredMessages } from './stored-messages.kit.js';

/** Milliseconds; longer than a wait after which the message is not read again. */
const LONG_WAIT_MS = 300;

it('a code that is cancelled while its call waits for a slot is not handed over', async () => {
  const stored = new StoredMessages();
  const one = { concurrency: 1, messagesPerSecond: null, waitingMax: 8 };
  const carrier = new ScriptedProvider('africas_talking', false, one);
  let answer = () => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  carrier.answer = async ({ messageId }) => {
    await answered;
    return accepted(messageId);
  };
  const sender = senderOf(stored, carrier);
  const made = Array.from({ length: 3 }, () => {
    const each = heldBy(sender, message('otp', { provider: carrier.name }));
    stored.set(each.id, each);
    return each;
  });
  const [first, ended, last] = made;
  for (const each of made) sender.send(each, '123456');
  await eventually(() => expect(carrier.submits).toHaveLength(1));
  expect(stored.reads).toBe(0);
  stored.set(ended!.id, afterWrite(cancel(ended!, AT)));
  const later = performance.now() + LONG_WAIT_MS;
  const now = jest.spyOn(performance, 'now').mockImplementation(() => later);
  answer();
  await eventually(() => expect(stored.get(last!.id)?.state).toBe('sent'));
  now.mockRestore();
  await sender.stop(5_000);
  expect(carrier.submits.map(({ messageId }) => messageId)).toEqual([first!.id, last!.id]);
  expect(stored.get(ended!.id)).toMatchObject({
    state: 'cancelled',
    attempts: [{ outcome: 'refused', reason: 'expired', rawMessage: 'Not handed over.' }],
  });
});
