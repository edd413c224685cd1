import { expect, it } from '@jest/globals';
import type { Message } from '../src/messages/message.js';
import { accepted, refused, ScriptedProvider } from './dispatch.kit.js';
import { message } from './message.kit.js';
import { senderOf, StoredMessages } from './stored-messages.kit.js';

const TURNS_MAX = 100_000;

/** Checks in every turn of the event loop. A timer would check when both are done. */
async function turnsUntil(what: string, isSo: () => boolean): Promise<void> {
  for (let turn = 0; turn < TURNS_MAX; turn += 1) {
    if (isSo()) return;
    await new Promise(setImmediate);
  }
  throw new Error(`${TURNS_MAX} turns of the event loop without ${what}`);
}

it('an attempt that two senders hold is made by the sender that recorded it', async () => {
  const carrier = new ScriptedProvider('africas_talking');
  const born = message('sms', { provider: carrier.name });
  const store = new StoredMessages();
  const sender = senderOf(store, carrier);
  const stored = () => store.get(born.id)!;
  const [first] = born.attempts;
  const taken: Message = { ...born, attempts: [{ ...first!, heldBy: sender.id }] };
  store.set(born.id, taken);
  carrier.answer = ({ messageId }) =>
    carrier.submits.length === 1 ? refused('provider_unavailable') : accepted(messageId);
  sender.send(taken, null);
  await turnsUntil('a second attempt', () => stored().attempts.length === 2);
  // As a recovery read it, for which the process had been silent for too long.
  sender.resume(taken, 0);
  await turnsUntil('an end', () => stored().state !== 'accepted');
  await sender.stop(5_000);
  expect(carrier.submits).toHaveLength(2);
  expect(stored().attempts.map(({ outcome }) => outcome)).toEqual(['refused', 'accepted']);
});
