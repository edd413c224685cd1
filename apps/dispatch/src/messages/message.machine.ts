import type { MessageState } from '@watchword/contracts';

/**
 * The one machine of all messages, as a table: trigger, state, next state. A state that names itself is a
 * trigger that came late or twice and changes nothing. A pair that is not in the table is an error.
 */
export type Trigger =
  | 'submit_accepted'
  | 'delivery_confirmed'
  | 'sending_failed'
  | 'content_blocked'
  | 'send_due'
  | 'send_refused'
  | 'code_verified'
  | 'attempts_exhausted'
  | 'time_ran_out'
  | 'cancellation_asked';

type Row = Partial<Record<MessageState, MessageState>>;

/** Terminal for both kinds; `delivered` is terminal for an SMS only. */
const ENDED: Row = {
  verified: 'verified',
  expired: 'expired',
  failed: 'failed',
  blocked: 'blocked',
  rejected: 'rejected',
  cancelled: 'cancelled',
};

export const SMS_TRANSITIONS: Partial<Record<Trigger, Row>> = {
  submit_accepted: { ...ENDED, accepted: 'sent', sent: 'sent', delivered: 'delivered' },
  /** A report can overtake the answer to the submit. */
  delivery_confirmed: {
    ...ENDED,
    accepted: 'delivered',
    sent: 'delivered',
    delivered: 'delivered',
  },
  /** Refused by every provider, or a carrier's failure report. What was delivered stays delivered. */
  sending_failed: { ...ENDED, accepted: 'failed', sent: 'failed', delivered: 'delivered' },
  /** Before any provider is asked. */
  content_blocked: { accepted: 'blocked', scheduled: 'blocked' },
  /** Its `send_at` has come. */
  send_due: { scheduled: 'accepted' },
  /** A registry, a sender decision or a test number refuses it before any attempt. */
  send_refused: { accepted: 'rejected', scheduled: 'rejected' },
  /** Only before an attempt is on record. */
  cancellation_asked: { scheduled: 'cancelled' },
};

export const OTP_TRANSITIONS: Record<Trigger, Row> = {
  submit_accepted: SMS_TRANSITIONS.submit_accepted ?? {},
  delivery_confirmed: SMS_TRANSITIONS.delivery_confirmed ?? {},
  sending_failed: SMS_TRANSITIONS.sending_failed ?? {},
  /** Its text is ours and never judged. */
  content_blocked: {},
  send_due: {},
  send_refused: {},
  code_verified: { accepted: 'verified', sent: 'verified', delivered: 'verified' },
  attempts_exhausted: { accepted: 'failed', sent: 'failed', delivered: 'failed' },
  /** One that no provider has accepted does not expire: it fails, with `expired` as the reason. */
  time_ran_out: { ...ENDED, sent: 'expired', delivered: 'expired' },
  cancellation_asked: { accepted: 'cancelled', sent: 'cancelled', delivered: 'cancelled' },
};

export class IllegalTransition extends Error {
  constructor(kind: string, state: MessageState, trigger: Trigger) {
    super(`${trigger} is illegal for a message of kind ${kind} that is ${state}`);
    this.name = 'IllegalTransition';
  }
}

export function nextState(
  kind: 'otp' | 'sms',
  state: MessageState,
  trigger: Trigger,
): MessageState {
  const table = kind === 'otp' ? OTP_TRANSITIONS : SMS_TRANSITIONS;
  const next = table[trigger]?.[state];
  if (next === undefined) throw new IllegalTransition(kind, state, trigger);
  return next;
}

/** Whether the table has such a step. */
export function isPossible(kind: 'otp' | 'sms', state: MessageState, trigger: Trigger): boolean {
  const table = kind === 'otp' ? OTP_TRANSITIONS : SMS_TRANSITIONS;
  return table[trigger]?.[state] !== undefined;
}

export function isTerminal(kind: 'otp' | 'sms', state: MessageState): boolean {
  return state in ENDED || (kind === 'sms' && state === 'delivered');
}
