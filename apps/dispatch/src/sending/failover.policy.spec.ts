import { expect, it } from '@jest/globals';
import type { Reason } from '@watchword/contracts';
import type { SubmitOutcome } from '@watchword/carriers';
import { AT, dndCapable, later, message, SENDER } from '../../test/message.kit.js';
import type { Message } from '../messages/message.js';
import { receiptDeadline, withOutcome, withoutReceipt } from './failover.policy.js';

const candidates = [
  { name: 'one', dndCapable: dndCapable(false) },
  { name: 'two', dndCapable: dndCapable(false) },
  { name: 'three', dndCapable: dndCapable(true) },
];
const context = { candidates, heldBy: SENDER, at: AT };
const no = (reason: Reason, retryAfterMs?: number): SubmitOutcome => ({
  outcome: 'refused',
  reason,
  rawCode: null,
  rawMessage: null,
  retryAfterMs,
});
const silence: SubmitOutcome = { outcome: 'ambiguous', rawCode: null, rawMessage: null };

/**
 * Returns the message after the outcomes, each applied to the attempt that the one before caused.
 */
function after(start: Message, ...outcomes: SubmitOutcome[]): Message {
  return outcomes.reduce(
    (current, outcome) => withOutcome(current, current.attempts.length, outcome, context),
    start,
  );
}
function promotionalSms(): Message {
  const sms = message('sms');
  return { ...sms, content: { ...sms.content, category: 'promotional' } } as Message;
}
const tried = ({ attempts }: Message) => attempts.map(({ provider }) => provider);

it.each<[Reason, string[]]>([
  ['no_route', ['one', 'two']],
  ['carrier_rejected', ['one', 'two']],
  ['provider_rejected', ['one', 'two']],
  ['network_error', ['one', 'two']],
  ['sender_id_rejected', ['one', 'two']],
  ['unknown_error', ['one', 'two']],
  ['content_rejected', ['one', 'two']],
  ['throttled', ['one', 'two']],
  ['provider_unavailable', ['one', 'one']],
  ['dnd_active', ['one', 'three']],
  ['opted_out', ['one']],
  ['invalid_number', ['one']],
  ['unsupported_number', ['one']],
  ['message_invalid', ['one']],
  ['fraud_blocked', ['one']],
])('failover after %s tries %j', (reason, providers) => {
  const next = after(message('sms'), no(reason));
  expect(tried(next)).toEqual(providers);
  expect(next.state).toBe(providers.length === 1 ? 'failed' : 'accepted');
});

it('failover sends a promotional text to no other carrier after a refusal by a Do Not Disturb registry', () => {
  const promotional = promotionalSms();
  const next = after(promotional, no('dnd_active'));
  expect([tried(next), next.state, next.reason]).toEqual([['one'], 'failed', 'dnd_active']);
  expect(tried(after(promotional, no('no_route')))).toEqual(['one', 'two']);
});

it('failover moves on from refused content once', () => {
  const next = after(message('sms'), no('content_rejected'), no('content_rejected'));
  expect([next.state, next.reason]).toEqual(['failed', 'content_rejected']);
});

it('failover waits for a busy provider twice, two seconds at most', () => {
  const busy = after(message('sms'), no('throttled', 2_000));
  expect(tried(busy)).toEqual(['one', 'one']);
  expect(busy.attempts[1]?.startedAt).toEqual(later(2_000));
  const tooBusy = after(busy, no('throttled', 1_000), no('throttled', 1_000));
  expect(tried(tooBusy)).toEqual(['one', 'one', 'one', 'two']);
  expect(tried(after(message('sms'), no('throttled', 2_001)))).toEqual(['one', 'two']);
});

it('failover leaves a provider that took some parts, so that no part is sent twice', () => {
  const partly = { ...no('provider_unavailable'), partlyTaken: true } as SubmitOutcome;
  expect(tried(after(message('sms'), partly))).toEqual(['one', 'two']);
});

it('failover names the common reason or says that they differ', () => {
  const same = after(message('sms'), no('no_route'), no('no_route'), no('no_route'));
  expect(same.reason).toBe('no_route');
  const mixed = after(message('sms'), no('no_route'), silence, no('no_route'));
  expect(mixed.reason).toBeNull();
  const otp = after(message('otp'), no('no_route'), silence, no('no_route'));
  expect(otp.reason).toBe('all_providers_failed');
  expect(after(message('otp'), silence, silence, silence).reason).toBe('provider_timeout');
});

it('failover holds an SMS without an answer until its receipt is overdue', () => {
  const waiting = after(message('sms'), silence);
  expect([tried(waiting), waiting.state]).toEqual([['one'], 'accepted']);
  const attempt = waiting.attempts[0];
  expect(attempt && receiptDeadline(waiting, attempt)).toBe(later(30_000).getTime());
  const next = withoutReceipt(waiting, 1, { ...context, at: later(30_000) });
  expect(tried(next)).toEqual(['one', 'two']);
  expect(withoutReceipt(next, 1, context)).toBe(next);
});

it('a repeated outcome acts once', () => {
  const next = after(message('sms'), no('no_route'));
  expect(withOutcome(next, 1, no('no_route'), context)).toBe(next);
});

it.each([
  ['a refusal', no('network_error')],
  ['silence', silence],
] as const)(
  'a number on a Do Not Disturb registry is left to accounts that may send there, also after %s of one',
  (_, answer) => {
    const next = after(message('otp'), no('dnd_active'), answer);
    expect([tried(next), next.state]).toEqual([['one', 'three'], 'failed']);
  },
);

it('a number on a Do Not Disturb registry is reached by an account that may send messages of that kind there', () => {
  const codes = {
    ...context,
    candidates: [{ name: 'codes', dndCapable: { otp: true, sms: false } }],
  };
  const sentTo = (kind: 'otp' | 'sms') =>
    tried(withOutcome(message(kind), 1, no('dnd_active'), codes));
  expect([sentTo('otp'), sentTo('sms')]).toEqual([['one', 'codes'], ['one']]);
});
