import { timeOrNull, TOPICS } from '@watchword/contracts';
import { lines, plainArray } from '@watchword/postgres';
import { channelOf, otpOf } from '../channels/channels.js';
import type { Attempt, Message } from './message.js';
import { MESSAGE_EVENT_TYPE } from './message-event.policy.js';
import type { MessageWrite } from './message-write.js';
import type { OutgoingRow } from './outgoing-rows.js';

/** PostgreSQL reads an empty line as null, and stores neither NUL nor half of a surrogate pair. */
const isLine = (text: string | null): boolean =>
  text === null || (text !== '' && !/[\n\0]/.test(text) && text.isWellFormed());

/** Whether `write_outcomes` can write all of them. */
export function areOutcomes(writes: readonly MessageWrite[]): boolean {
  const at = writes[0]?.message.updatedAt.getTime();
  return writes.every((write) => isOutcome(write) && write.message.updatedAt.getTime() === at);
}

/**
 * Whether a carrier has the message or has delivered it, and nothing else of it changes. Its code is
 * deleted where nothing needs it any more.
 */
function isOutcome({ before, message, attempts, outgoing, ...others }: MessageWrite) {
  const { keys = [], optsOut = false, within } = others;
  if (before === null || within !== undefined || attempts.length > 1) return false;
  if (keys.length > 0 || optsOut) return false;
  return (
    (message.state === 'sent' || message.state === 'delivered') &&
    message.reason === before.reason &&
    message.refunded === before.refunded &&
    message.settledAt === before.settledAt &&
    message.verifiedAt === before.verifiedAt &&
    message.endedAt === before.endedAt &&
    message.resends === before.resends &&
    otpOf(message)?.attemptCount === otpOf(before)?.attemptCount &&
    isLine(codeOf(message)) &&
    isLine(message.provider) &&
    isLine(message.providerMessageId) &&
    attempts.every((attempt) => isFinished(before, attempt)) &&
    outgoing.every(
      ({ topic, type }) => topic === TOPICS.messageEvents.name && type === MESSAGE_EVENT_TYPE,
    )
  );
}

const codeOf = ({ content }: Message): string | null => channelOf(content).codeCipher(content);

/** Whether a carrier accepted this attempt, which is on record, and no process holds it any more. */
function isFinished(before: Message, attempt: Attempt): boolean {
  const known = before.attempts[attempt.number - 1];
  return (
    known !== undefined &&
    attempt.outcome === 'accepted' &&
    attempt.heldBy === null &&
    attempt.reason === null &&
    attempt.wasAmbiguous === known.wasAmbiguous &&
    attempt.lateDelivery === known.lateDelivery &&
    (attempt.parts ?? null) === (known.parts ?? null) &&
    isLine(attempt.providerMessageId) &&
    isLine(attempt.rawCode) &&
    isLine(attempt.rawMessage)
  );
}

/** Parameters of `write_outcomes` after the bell. Writes are sorted by the ids of their messages. */
export function outcomeColumns(
  writes: readonly MessageWrite[],
  outgoing: readonly OutgoingRow[],
): unknown[] {
  const messages = writes.map(({ message }) => message);
  const attempts = writes.map((write) => write.attempts[0]);
  return [
    plainArray(messages.map(({ id }) => id)),
    plainArray(messages.map(({ version }) => version)),
    plainArray(messages.map(({ state }) => state)),
    lines(messages.map(({ provider }) => provider)),
    lines(messages.map(({ providerMessageId }) => providerMessageId)),
    lines(messages.map(codeOf)),
    plainArray(messages.map(({ sentAt }) => timeOrNull(sentAt))),
    plainArray(messages.map(({ deliveredAt }) => timeOrNull(deliveredAt))),
    timeOrNull(messages[0]!.updatedAt),
    plainArray(attempts.map((attempt) => attempt?.number ?? null)),
    plainArray(attempts.map((attempt) => timeOrNull(attempt?.finishedAt ?? null))),
    lines(attempts.map((attempt) => attempt?.providerMessageId ?? null)),
    lines(attempts.map((attempt) => attempt?.rawCode ?? null)),
    lines(attempts.map((attempt) => attempt?.rawMessage ?? null)),
    TOPICS.messageEvents.name,
    MESSAGE_EVENT_TYPE,
    plainArray(outgoing.map(({ messageId }) => messageId)),
    plainArray(outgoing.map(({ id }) => id)),
    lines(outgoing.map(({ payload }) => payload)),
  ];
}
