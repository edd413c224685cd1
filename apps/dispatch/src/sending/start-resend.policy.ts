import { type Reason, reasonRule, type SendMessage } from '@watchword/contracts';
import { channelOf } from '../channels/channels.js';
import { chargedOf, type Message, newAttempt, withNewAttempt } from '../messages/message.js';
import { isLapsed } from '../messages/message-change.policy.js';
import {
  type Candidate,
  failResend,
  isUnderWay,
  leftFor,
  newResend,
} from '../messages/resends.policy.js';

export interface StartingContext {
  /** Best first. */
  readonly candidates: readonly Candidate[];
  readonly heldBy: string;
  readonly at: Date;
}

/** The charge of a resend, as its command states it. */
export type Charge = Pick<SendMessage, 'message_id' | 'credits'>;

/**
 * Starts a charged resend, or fails it where the code can no longer be sent. A second call changes
 * nothing.
 */
export function started(known: Message, charge: Charge, context: StartingContext): Message {
  const { at } = context;
  const { message_id: id, credits } = charge;
  const found = known.resends.find((one) => one.id === id) ?? newResend(known, id, at);
  if (found.startedAt !== null) return known;
  const { number } = found;
  const others = known.resends.filter((one) => one.id !== id);
  const message = { ...known, resends: [...others, { ...found, startedAt: at, credits }] };
  if (isLapsed(message, at)) return failResend(message, number, 'expired', at);
  const { content } = message;
  const channel = channelOf(content);
  const isTooMany = chargedOf(others).length >= channel.resendMax(content);
  const isPossible = isUnderWay(message, number) && channel.codeCipher(content) !== null;
  if (isTooMany || !isPossible) return failResend(message, number, 'cancelled', at);
  const { candidates } = context;
  const [first] = leftFor(message, number, candidates);
  if (!first) {
    const reason = candidates.length === 0 ? 'no_route' : 'dnd_active';
    return failResend(message, number, reason, at);
  }
  return withNewAttempt(message, newAttempt(message, first.name, context.heldBy, at, number));
}

/** Starts the re-route of a code that a report failed. Null where there is none. */
export type Reroute = (message: Message, reason: Reason, at: Date) => Message | null;

/**
 * Starts the planned re-route of a sent code that a report failed. Returns null where none is
 * planned, or it can no longer help.
 */
export function rerouted(
  message: Message,
  reason: Reason,
  { candidates, heldBy, at }: StartingContext,
): Message | null {
  const planned = message.resends.find(({ isReroute, startedAt }) => isReroute && !startedAt);
  if (planned === undefined || !reasonRule(reason).reroutesOtp || isLapsed(message, at))
    return null;
  const { number } = planned;
  const resends = message.resends.map((one) =>
    one.number === number ? { ...one, startedAt: at } : one,
  );
  const [next] = leftFor(message, number, candidates);
  if (next === undefined || channelOf(message.content).codeCipher(message.content) === null) {
    return null;
  }
  return withNewAttempt(
    { ...message, resends },
    newAttempt(message, next.name, heldBy, at, number),
  );
}
