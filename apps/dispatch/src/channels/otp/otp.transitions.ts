import type { MessageState } from '@watchword/contracts';
import type { Transitions } from '../machine.js';
import { CARRIED, ENDED, type Trigger } from '../text-transitions.js';

export const OTP_TRANSITIONS: Transitions<MessageState, Trigger> = {
  ...CARRIED,
  /** The text is the platform's own, so it is never judged. */
  content_blocked: {},
  send_due: {},
  /** A test number may refuse it before any attempt. */
  send_refused: { accepted: 'failed' },
  code_verified: { accepted: 'verified', sent: 'verified', delivered: 'verified' },
  attempts_exhausted: { accepted: 'failed', sent: 'failed', delivered: 'failed' },
  /** A code that no provider has accepted does not expire. It fails with the reason `expired`. */
  time_ran_out: { ...ENDED, sent: 'expired', delivered: 'expired' },
  cancellation_asked: { accepted: 'cancelled', sent: 'cancelled', delivered: 'cancelled' },
};
