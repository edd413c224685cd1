import { describe, expect, it } from '@jest/globals';
import { asId, type DeliveryReport, type MessageId } from '@watchword/contracts';
import fc from 'fast-check';
import { channelOf, otpOf } from '../src/channels/channels.js';
import { withReport } from '../src/receipts/delivery-report.policy.js';
import type { Message } from '../src/messages/message.js';
import { cancel, expireIfDue, isPossible, tidied } from '../src/messages/message-change.policy.js';
import { announcements } from '../src/messages/message-event.policy.js';
import { started } from '../src/sending/start-resend.policy.js';
import { reserved } from '../src/verification/resend.policy.js';
import { verified } from '../src/verification/verify-otp.policy.js';
import { withOutcome, withoutReceipt } from '../src/sending/failover.policy.js';
import { deliveryReport } from './commands.kit.js';
import { AT, later, message, SENDER } from './message.kit.js';

/**
 * Everything that can happen to a message, in ten thousand random orders: answers, receipts that
 * are early, repeated, late or contradictory, guesses, and time.
 */
const candidates = ['one', 'two', 'three'].map((name) => ({ name, dndCapable: false }));
const outcomes = [
  { outcome: 'accepted', providerMessageId: 'p' },
  { outcome: 'refused', reason: 'no_route', rawCode: null, rawMessage: null },
  { outcome: 'refused', reason: 'opted_out', rawCode: null, rawMessage: null },
  { outcome: 'ambiguous', rawCode: null, rawMessage: null },
] as const;

const resendIds = fc.constantFrom(...['r1', 'r2', 'r3'].map((id) => asId<MessageId>(id)));
const providers = fc.constantFrom('one', 'two', 'three');
const step = fc.oneof(
  fc.record({ kind: fc.constant('outcome' as const), index: fc.nat(3), attempt: fc.nat(9) }),
  fc.record({
    kind: fc.constant('report' as const),
    provider: providers,
    state: fc.constantFrom('enroute' as const, 'delivered' as const, 'failed' as const),
    id: fc.constantFrom('p', 'q', null),
  }),
  fc.record({ kind: fc.constant('guess' as const), isRight: fc.boolean() }),
  fc.record({ kind: fc.constant('time' as const) }),
  fc.record({ kind: fc.constant('cancel' as const) }),
  fc.record({ kind: fc.constant('reserve' as const), id: resendIds }),
  fc.record({ kind: fc.constant('resend' as const), id: resendIds }),
  fc.record({ kind: fc.constant('no receipt' as const), attempt: fc.nat(3) }),
);
type Step = typeof step extends fc.Arbitrary<infer Type> ? Type : never;

function stepped(current: Message, one: Step, at: Date): Message {
  const context = { candidates, heldBy: SENDER, at };
  switch (one.kind) {
    case 'outcome': {
      const number = (one.attempt % current.attempts.length) + 1;
      return withOutcome(current, number, outcomes[one.index] ?? outcomes[0], context);
    }
    case 'report': {
      const { provider, state, id } = one;
      const report: DeliveryReport = deliveryReport({
        provider,
        state,
        provider_message_id: id,
        message_id: current.id,
        reason: state === 'failed' ? 'absent_subscriber' : null,
      });
      return withReport(current, report, at);
    }
    case 'guess':
      return verified(current, one.isRight, at, null).message;
    case 'time':
      return expireIfDue(current, at);
    case 'cancel':
      return otpOf(current) && isPossible(current, 'cancellation_asked')
        ? cancel(current, at)
        : current;
    case 'reserve':
      return reserved(current, one.id, at)?.message ?? current;
    case 'resend': {
      const isReserved = current.resends.some(({ id }) => id === one.id);
      return isReserved ? started(current, one.id, context) : current;
    }
    case 'no receipt':
      return withoutReceipt(current, (one.attempt % current.attempts.length) + 1, context);
  }
}

const RESENDS_MAX = 2;

function born(kind: 'otp' | 'sms'): Message {
  const fresh = message(kind);
  const otp = otpOf(fresh);
  return otp ? { ...fresh, content: { ...otp, resendMax: RESENDS_MAX } } : fresh;
}

/** The same rule, written independently of the product. */
function isRefundOwed({ state, reason, attempts, sentAt }: Message): boolean {
  if (state === 'failed') return reason !== 'max_attempts_exceeded';
  if (state !== 'cancelled') return false;
  const isAnswered = attempts.every(({ resend, outcome }) => resend > 0 || outcome !== null);
  return isAnswered && sentAt === null;
}

describe.each(['sms', 'otp'] as const)('any order of events of an %s', (kind) => {
  const { machine } = channelOf({ kind });

  it('keeps the invariants', () => {
    const times = fc.array(fc.nat(200_000), { minLength: 1, maxLength: 14 });
    const property = fc.property(fc.array(step, { maxLength: 14 }), times, (steps, gaps) => {
      let current = born(kind);
      let now = 0;
      const events: string[] = announcements(null, current).map(({ type }) => type);
      let validCount = 0;
      steps.forEach((one, index) => {
        now += gaps[index % gaps.length] ?? 0;
        const before = current;
        const at = later(now);
        const after = stepped(before, one, at);
        if (after === before) return;
        current = tidied({ ...after, updatedAt: at });
        for (const row of announcements(before, current)) {
          const { type, message_id: charged } = row.payload as Record<string, string>;
          events.push(type ?? `refund ${charged}`);
        }
        if (before.state !== 'verified' && current.state === 'verified') validCount += 1;
        if (machine.isTerminal(before.state)) expect(current.state).toBe(before.state);
        if (before.endedAt !== null) expect(current.endedAt).toBe(before.endedAt);
      });
      expect(new Set(events).size).toBe(events.length);
      expect(validCount).toBeLessThanOrEqual(1);
      const { attemptCount = 0, maxAttempts = 0, codeCipher = null } = otpOf(current) ?? {};
      expect(attemptCount).toBeLessThanOrEqual(maxAttempts);
      if (machine.isTerminal(current.state)) expect(codeCipher).toBeNull();
      expect(['failed', 'cancelled'].includes(current.state)).toBe(current.reason !== null);
      expect(events.includes(`refund ${current.id}`)).toBe(isRefundOwed(current));
      expect(current.resends.length).toBeLessThanOrEqual(RESENDS_MAX);
      for (const { id, reason } of current.resends) {
        expect(events.includes(`refund ${id}`)).toBe(reason !== null);
      }
      const owned = current.attempts.filter(({ heldBy }) => heldBy !== null);
      if (current.state === 'accepted') expect(owned.at(-1)).toBe(current.attempts.at(-1));
      for (const attempt of current.attempts.filter(({ resend }) => resend === 0).slice(0, -1)) {
        expect(attempt.outcome).not.toBeNull();
      }
    });
    fc.assert(property, { numRuns: 5_000, seed: AT.getTime() % 2 ** 31 });
  }, 60_000);
});
