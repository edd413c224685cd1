import { timeOrNull } from '@watchword/contracts';
import { lines, plainArray } from '@watchword/postgres';
import { otpOf } from '../channels/channels.js';
import type { MessageWrite } from '../messages/message-write.js';
import type { OutgoingRow } from '../messages/outgoing-rows.js';
import type { CountedGuesses } from './guess-cap.policy.js';

/**
 * Whether the code was right, or wrong with attempts left, and nothing else of the message changes:
 * what `write_verdicts` can write.
 */
export function isVerdict({ before, message, attempts, outgoing, keys }: MessageWrite): boolean {
  if (before === null || message.endedAt !== null || attempts.length > 0) return false;
  if (keys !== undefined && keys.length > 0) return false;
  const cipher = otpOf(message)?.codeCipher;
  if (message.state === 'verified') return outgoing.length === 1 && cipher === null;
  const isSame = message.state === before.state && cipher === otpOf(before)?.codeCipher;
  return isSame && outgoing.length === 0;
}

/**
 * Returns the parameters of the statement that writes verdicts, after the first, which is that of
 * `withDue`. Writes are sorted by the ids of their messages.
 */
export function verdictColumns(
  writes: readonly MessageWrite[],
  guesses: readonly CountedGuesses[],
  judgedAt: Date,
  outgoing: readonly OutgoingRow[],
): unknown[] {
  const announced = new Map(outgoing.map((row) => [row.messageId, row]));
  const events = writes.map(({ message }) => announced.get(message.id));
  const messages = writes.map(({ message }) => message);
  return [
    plainArray(messages.map(({ id }) => id)),
    plainArray(messages.map(({ version }) => version)),
    plainArray(writes.map(({ message, within }) => within?.workspaceId ?? message.workspaceId)),
    plainArray(writes.map(({ message, within }) => within?.testMode ?? message.testMode)),
    plainArray(messages.map((message) => otpOf(message)?.attemptCount ?? 0)),
    plainArray(messages.map(({ verifiedAt }) => timeOrNull(verifiedAt))),
    judgedAt,
    outgoing[0]?.topic,
    outgoing[0]?.type,
    plainArray(events.map((event) => event?.id ?? null)),
    lines(events.map((event) => event?.payload ?? null)),
    ...countColumns(writes, guesses),
  ];
}

/** Wrong codes of numbers. Null where there are none to count: all messages are in test mode. */
function countColumns(
  writes: readonly MessageWrite[],
  guesses: readonly CountedGuesses[],
): (string | null)[] {
  if (guesses.length === 0) return [null, null, null, null];
  const ofMessages = new Map(guesses.map((guess) => [guess.messageId, guess]));
  const counts = writes.map(({ message }) => ofMessages.get(message.id));
  return [
    plainArray(counts.map((count) => count?.destination ?? null)),
    plainArray(counts.map((count) => count?.wrong ?? null)),
    plainArray(counts.map((count) => count?.numberGuesses ?? null)),
    plainArray(counts.map((count) => count?.known ?? null)),
  ];
}
