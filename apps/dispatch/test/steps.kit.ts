import { asId, type DeliveryReport, type MessageId } from '@watchword/contracts';
import fc from 'fast-check';
import { otpOf } from '../src/channels/channels.js';
import { cancel, expireIfDue, isPossible, settle } from '../src/messages/message-change.policy.js';
import type { Message } from '../src/messages/message.js';
import { withReport } from '../src/receipts/delivery-report.policy.js';
import { withOutcome, withoutReceipt } from '../src/sending/failover.policy.js';
import { rerouted, started } from '../src/sending/start-resend.policy.js';
import { reserved } from '../src/verification/resend.policy.js';
import { verified } from '../src/verification/verify-otp.policy.js';
import { deliveryReport } from './commands.kit.js';
import { dndCapable, SENDER } from './message.kit.js';

const candidates = ['one', 'two', 'three'].map((name) => ({ name, dndCapable: dndCapable(false) }));
const outcomes = [
  { outcome: 'accepted', providerMessageId: 'p' },
  { outcome: 'refused', reason: 'no_route', rawCode: null, rawMessage: null },
  { outcome: 'refused', reason: 'opted_out', rawCode: null, rawMessage: null },
  { outcome: 'ambiguous', rawCode: null, rawMessage: null },
] as const;

const resendIds = fc.constantFrom(...['r1', 'r2', 'r3'].map((id) => asId<MessageId>(id)));
const providers = fc.constantFrom('one', 'two', 'three');
/**
 * Everything that can happen to a message: answers, receipts that are early, repeated, late or
 * contradictory, guesses, confirmed refunds, and time.
 */
export const step = fc.oneof(
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
  fc.record({ kind: fc.constant('refund' as const) }),
  fc.record({ kind: fc.constant('reserve' as const), id: resendIds }),
  fc.record({ kind: fc.constant('resend' as const), id: resendIds }),
  fc.record({ kind: fc.constant('no receipt' as const), attempt: fc.nat(3) }),
);
export type Step = typeof step extends fc.Arbitrary<infer Type> ? Type : never;

export function stepped(current: Message, one: Step, at: Date): Message {
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
      return withReport(current, report, at, (message, reason) =>
        rerouted(message, reason, context),
      );
    }
    case 'guess':
      return verified(current, one.isRight, at, null).message;
    case 'time':
      return expireIfDue(current, at);
    case 'cancel':
      return otpOf(current) && isPossible(current, 'cancellation_asked')
        ? cancel(current, at)
        : current;
    case 'refund':
      return settle(current, true, at);
    case 'reserve':
      return reserved(current, one.id, at)?.message ?? current;
    case 'resend': {
      const isReserved = current.resends.some(({ id }) => id === one.id);
      return isReserved ? started(current, { message_id: one.id, credits: 5 }, context) : current;
    }
    case 'no receipt':
      return withoutReceipt(current, (one.attempt % current.attempts.length) + 1, context);
  }
}
