/** Re-routes of codes, step by step: domain facts 3.1, ADR 4. */
import { expect, it } from '@jest/globals';
import { type Reason } from '@watchword/contracts';
import { otpOf } from '../src/channels/channels.js';
import type { Message } from '../src/messages/message.js';
import { expireIfDue, tidied } from '../src/messages/message-change.policy.js';
import { plannedReroute } from '../src/messages/resends.policy.js';
import { withReport } from '../src/receipts/delivery-report.policy.js';
import { withOutcome } from '../src/sending/failover.policy.js';
import { rerouted } from '../src/sending/start-resend.policy.js';
import { deliveryReport } from './commands.kit.js';
import { AT, dndCapable, later, message, SENDER } from './message.kit.js';

const candidates = ['one', 'two'].map((name) => ({ name, dndCapable: dndCapable(false) }));
const context = (at: Date) => ({ candidates, heldBy: SENDER, at });
const ACCEPTED = { outcome: 'accepted', providerMessageId: 'p' } as const;
const AFTER_EXPIRY = later(600_001);

const refused = (reason: Reason) =>
  ({ outcome: 'refused', reason, rawCode: null, rawMessage: null }) as const;

function reported(
  current: Message,
  provider: string,
  reason: Reason | null,
  at = later(2_000),
): Message {
  const state = reason === null ? 'delivered' : 'failed';
  const report = deliveryReport({ provider, state, reason, message_id: current.id });
  return withReport(current, report, at, (one, why) => rerouted(one, why, context(at)));
}

/** A code that the first provider took. */
function sent(): Message {
  const fresh = { ...message('otp'), resends: [plannedReroute(AT)] };
  const otp = otpOf(fresh)!;
  const resendable = { ...fresh, content: { ...otp, resendMax: 1 } };
  return withOutcome(resendable, 1, ACCEPTED, context(later(1_000)));
}

const begun = () => reported(sent(), 'one', 'absent_subscriber');

it('a re-route is one attempt at the next provider, with the same code, while the message stays sent', () => {
  const current = tidied(begun());
  const [, attempt] = current.attempts;
  expect(current).toMatchObject({ state: 'sent', reason: null });
  expect(attempt).toMatchObject({ provider: 'two', resend: 1, outcome: null, heldBy: SENDER });
  expect(otpOf(current)?.codeCipher).toBe('cipher');
  expect(current.attempts.map(({ provider }) => provider)).toEqual(['one', 'two']);
});

it('a re-route that no provider takes leaves the reason of the report', () => {
  const current = withOutcome(begun(), 2, refused('throttled'), context(later(3_000)));
  expect(current).toMatchObject({ state: 'failed', reason: 'absent_subscriber' });
  expect(current.attempts).toHaveLength(2);
});

it('a re-route ends where the first provider delivers after all', () => {
  const three = [...candidates, { name: 'three', dndCapable: dndCapable(false) }];
  const delivered = reported(begun(), 'one', null);
  const at = later(3_000);
  const current = withOutcome(delivered, 2, refused('no_route'), {
    ...context(at),
    candidates: three,
  });
  expect(current.attempts).toHaveLength(2);
  expect(current.reason).toBeNull();
});

it('a re-route decides whether a code whose time runs out expires or fails', () => {
  const open = begun();
  expect(expireIfDue(open, AFTER_EXPIRY)).toBe(open);
  const taken = withOutcome(open, 2, ACCEPTED, context(AFTER_EXPIRY));
  expect(taken).toMatchObject({ state: 'expired', reason: null });
  const lapsed = withOutcome(open, 2, refused('throttled'), context(AFTER_EXPIRY));
  expect(lapsed).toMatchObject({ state: 'failed', reason: 'absent_subscriber' });
});

it.each([
  [true, 'sent', 'three'],
  [false, 'failed', 'two'],
])(
  'a re-route goes on after a refusal by a Do Not Disturb registry where the account may send there: %s',
  (isCapable, state, last) => {
    const some = [candidates[0]!, { name: 'two', dndCapable: dndCapable(true) }];
    const all = [...some, { name: 'three', dndCapable: dndCapable(isCapable) }];
    const at = later(1_000);
    const planned = { ...message('otp'), resends: [plannedReroute(AT)] };
    const listed = withOutcome(planned, 1, refused('dnd_active'), {
      ...context(at),
      candidates: all,
    });
    const taken = withOutcome(listed, 2, ACCEPTED, context(at));
    const report = deliveryReport({
      provider: 'two',
      state: 'failed',
      reason: 'absent_subscriber',
      message_id: taken.id,
    });
    const current = withReport(taken, report, later(2_000), (one, why) =>
      rerouted(one, why, { ...context(later(2_000)), candidates: all }),
    );
    expect([current.state, current.attempts.at(-1)?.provider]).toEqual([state, last]);
  },
);

it.each(['unknown_subscriber', 'opted_out', 'fraud_blocked', 'expired'] as const)(
  'a re-route does not follow %s',
  (reason) => {
    expect(reported(sent(), 'one', reason)).toMatchObject({ state: 'failed', reason });
  },
);

it('a re-route happens once, before the code expires, and only where the workspace asks for it', () => {
  const late = reported(sent(), 'one', 'absent_subscriber', AFTER_EXPIRY);
  expect(late.attempts).toHaveLength(1);
  const unplanned = reported({ ...sent(), resends: [] }, 'one', 'absent_subscriber');
  expect(unplanned).toMatchObject({ state: 'failed', reason: 'absent_subscriber' });
});
