import { expect, it } from '@jest/globals';
import { deliveryReport } from './commands.kit.js';
import { AT, later, message } from './message.kit.js';
import { withReport } from '../src/receipts/delivery-report.policy.js';
import { type Message, withAttempt } from '../src/messages/message.js';
import { exhaust } from '../src/messages/message-change.policy.js';
import { writeOf } from '../src/messages/message-changes.handler.js';

const HOUR_MS = 3_600_000;

/** Returns a code that ended by wrong guesses, at the time `AT`. */
function ended(outcome: 'accepted' | 'ambiguous'): Message {
  const sentAt = outcome === 'accepted' ? AT : null;
  const sent = message('otp', { state: sentAt ? 'sent' : 'accepted', sentAt });
  return exhaust(withAttempt(sent, 1, { outcome, finishedAt: AT }), AT);
}

/** What the hour of a code counts must not change without `updatedAt`: see change-messages.sql. */
it.each([
  ['noted only', 'accepted', AT],
  ['proof that it was sent', 'ambiguous', later(HOUR_MS)],
] as const)('a delivery after the end of a code is %s', (_, outcome, updatedAt) => {
  const before = ended(outcome);
  expect(before).toMatchObject({ state: 'failed', endedAt: AT, updatedAt: AT });
  const report = deliveryReport({ message_id: before.id, provider: 'one' });
  const after = withReport(before, report, later(HOUR_MS));
  expect(after).not.toBe(before);
  expect(writeOf(before, after, later(HOUR_MS)).message.updatedAt).toEqual(updatedAt);
});
