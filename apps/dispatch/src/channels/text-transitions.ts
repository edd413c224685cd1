import type { MessageState } from '@watchword/contracts';

/** Events of a text that a carrier delivers to a phone. */
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

export type Row = Partial<Record<MessageState, MessageState>>;

/** States that are terminal for all texts. */
export const ENDED = {
  verified: 'verified',
  expired: 'expired',
  failed: 'failed',
  blocked: 'blocked',
  rejected: 'rejected',
  cancelled: 'cancelled',
} as const satisfies Row;

export const ENDED_STATES = Object.values(ENDED);

/** Transitions of submits and receipts, the same for all texts. */
export const CARRIED = {
  submit_accepted: { ...ENDED, accepted: 'sent', sent: 'sent', delivered: 'delivered' },
  /** A report can overtake the answer to the submit. */
  delivery_confirmed: {
    ...ENDED,
    accepted: 'delivered',
    sent: 'delivered',
    delivered: 'delivered',
  },
  /**
   * Every provider refused, or a carrier reported a failure. A delivered message stays delivered.
   */
  sending_failed: { ...ENDED, accepted: 'failed', sent: 'failed', delivered: 'delivered' },
} as const satisfies Partial<Record<Trigger, Row>>;
