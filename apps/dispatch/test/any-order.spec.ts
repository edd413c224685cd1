import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { channelOf, otpOf } from '../src/channels/channels.js';
import { chargedOf, type Message } from '../src/messages/message.js';
import { tidied } from '../src/messages/message-change.policy.js';
import { announcements } from '../src/messages/message-event.policy.js';
import { plannedReroute } from '../src/messages/resends.policy.js';
import { AT, later, message } from './message.kit.js';
import { step, stepped } from './steps.kit.js';

const RESENDS_MAX = 2;

function born(kind: 'otp' | 'sms', isRerouted: boolean): Message {
  const fresh = message(kind);
  const otp = otpOf(fresh);
  const resends = isRerouted ? [plannedReroute(AT)] : [];
  return otp ? { ...fresh, content: { ...otp, resendMax: RESENDS_MAX }, resends } : fresh;
}

/** The same rule, written independently of the product. */
function isRefundOwed({ state, reason, attempts, sentAt }: Message): boolean {
  if (state === 'failed') return reason !== 'max_attempts_exceeded';
  if (state !== 'cancelled') return false;
  const isAnswered = attempts.every(({ resend, outcome }) => resend > 0 || outcome !== null);
  return isAnswered && sentAt === null;
}

describe.each([
  ['an SMS', 'sms', false],
  ['a code', 'otp', false],
  ['a code with a re-route', 'otp', true],
] as const)('events in any order of %s', (_, kind, isRerouted) => {
  const { machine } = channelOf({ kind });

  it('keep the invariants', () => {
    const times = fc.array(fc.nat(200_000), { minLength: 1, maxLength: 14 });
    const property = fc.property(fc.array(step, { maxLength: 14 }), times, (steps, gaps) => {
      let current = born(kind, isRerouted);
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
      expect(chargedOf(current.resends).length).toBeLessThanOrEqual(RESENDS_MAX);
      for (const { id, reason, isReroute } of current.resends) {
        expect(events.includes(`refund ${id}`)).toBe(reason !== null && !isReroute);
      }
      const owned = current.attempts.filter(({ heldBy }) => heldBy !== null);
      if (current.state === 'accepted') expect(owned.at(-1)).toBe(current.attempts.at(-1));
      for (const attempt of current.attempts.filter(({ resend }) => resend === 0).slice(0, -1)) {
        expect(attempt.outcome).not.toBeNull();
      }
    });
    fc.assert(property, { numRuns: 5_000, seed: AT.getTime() % 2 ** 31 });
  });
});
