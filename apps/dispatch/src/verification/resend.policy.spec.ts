import { expect, it } from '@jest/globals';
import { asId, type MessageId } from '@watchword/contracts';
import { AT, dndCapable, later, message, SENDER } from '../../test/message.kit.js';
import { otpOf } from '../channels/channels.js';
import type { Message } from '../messages/message.js';
import { cancel, tidied } from '../messages/message-change.policy.js';
import { withOutcome } from '../sending/failover.policy.js';
import { leftFor } from '../messages/resends.policy.js';
import { started } from '../sending/start-resend.policy.js';
import { released, reserved as reservedIn } from './resend.policy.js';

const candidates = ['one', 'two', 'three'].map((name) => ({ name, dndCapable: dndCapable(false) }));
const context = (milliseconds: number) => ({
  candidates,
  heldBy: SENDER,
  at: later(milliseconds),
});
const ACCEPTED = { outcome: 'accepted', providerMessageId: 'p' } as const;
const REFUSED = {
  outcome: 'refused',
  reason: 'opted_out',
  rawCode: null,
  rawMessage: null,
} as const;

const chargeOf = (id: string) => ({ message_id: asId<MessageId>(id), credits: 4 });

function reserved(known: Message, id: MessageId, at: Date) {
  return reservedIn(known, id, at)!;
}

function bornOtp(resendMax: number): Message {
  const born = message('otp');
  const otp = otpOf(born);
  if (otp === null) throw new Error('not a one-time password');
  return { ...born, content: { ...otp, resendMax } };
}

function sentOtp(resendMax = 3): Message {
  return tidied(withOutcome(bornOtp(resendMax), 1, ACCEPTED, context(0)));
}

/** Returns the message with a resend reserved and started. */
function resent(start: Message, id: MessageId, milliseconds: number): Message {
  return started(
    reserved(start, id, later(milliseconds)).message,
    chargeOf(id),
    context(milliseconds),
  );
}

it('a reserved resend takes one of the budget, once for each id', () => {
  const first = reserved(sentOtp(2), asId('a'), AT);
  expect(first).toMatchObject({ outcome: 'reserved', remaining: 1 });
  expect(reserved(first.message, asId('a'), AT)).toMatchObject({
    outcome: 'reserved',
    remaining: 1,
  });
  const second = reserved(first.message, asId('b'), AT);
  expect(second).toMatchObject({ outcome: 'reserved', remaining: 0 });
  expect(reserved(second.message, asId('c'), AT).outcome).toBe('none_left');
  expect(second.message.resends.map(({ number }) => number)).toEqual([1, 2]);
});

it('a reserved resend can be released until it begins', () => {
  const { message: taken } = reserved(sentOtp(1), asId('a'), AT);
  expect(released(taken, asId('a')).resends).toEqual([]);
  const begun = started(taken, chargeOf('a'), context(0));
  expect(released(begun, asId('a'))).toBe(begun);
});

it('a reserved resend lapses after a minute, and its command counts while budget is left', () => {
  const { message: taken } = reserved(sentOtp(1), asId('lost'), AT);
  expect(reserved(taken, asId('b'), later(59_999)).outcome).toBe('none_left');
  const again = reserved(taken, asId('b'), later(60_000));
  expect(again.outcome).toBe('reserved');
  const late = started(again.message, chargeOf('lost'), context(60_001));
  expect(late.resends.find(({ id }) => id === 'lost')?.reason).toBe('cancelled');
  expect(late.attempts).toHaveLength(1);
});

it('a resend is refused before a provider has the message, and after the code expired', () => {
  expect(reserved(message('otp'), asId('a'), AT).outcome).toBe('not_sent_yet');
  expect(reserved(sentOtp(), asId('a'), later(600_000)).outcome).toBe('otp_expired');
  expect(reserved(cancel(sentOtp(), AT), asId('a'), AT).outcome).toBe('conflict');
  expect(reserved(sentOtp(0), asId('a'), AT).outcome).toBe('none_left');
});

it('a resend begins with the provider that got the message least often', () => {
  let current = sentOtp();
  const order: (string | undefined)[] = [];
  for (const id of ['a', 'b', 'c']) {
    current = resent(current, asId(id), 0);
    order.push(current.attempts.at(-1)?.provider);
    current = withOutcome(current, current.attempts.length, ACCEPTED, context(1));
  }
  expect(order).toEqual(['two', 'three', 'one']);
  expect(leftFor(current, 0, candidates)).toEqual(candidates.slice(1));
});

it('a resend begins once, even when the start is reported twice', () => {
  const begun = resent(sentOtp(), asId('a'), 0);
  expect(begun.resends).toMatchObject([{ id: 'a', credits: 4 }]);
  expect(started(begun, chargeOf('a'), context(5))).toBe(begun);
});

it('a resend asks no other provider once the message has ended', () => {
  const ended = cancel(resent(sentOtp(), asId('a'), 0), later(1));
  const busy = { ...REFUSED, reason: 'no_route' } as const;
  const after = withOutcome(ended, 2, busy, context(2));
  expect(after.attempts).toHaveLength(2);
  expect(after.resends).toMatchObject([{ reason: 'cancelled' }]);
  expect(after).toMatchObject({ state: 'cancelled', refunded: false });
});

const cipherOf = (one: Message) => otpOf(tidied(one))?.codeCipher;

it('the encrypted code is stored while it can be sent again, and deleted when the message ends', () => {
  expect(cipherOf(sentOtp(1))).toBe('cipher');
  expect(cipherOf(cancel(sentOtp(1), AT))).toBeNull();
  expect(otpOf(sentOtp(0))?.codeCipher).toBeNull();
});
