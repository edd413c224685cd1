import type { MessageState } from '@watchword/contracts';
import type { Transitions } from '../machine.js';
import { CARRIED, type Trigger } from '../text-transitions.js';

export const SMS_TRANSITIONS: Transitions<MessageState, Trigger> = {
  ...CARRIED,
  /** Before any provider is asked. */
  content_blocked: { accepted: 'blocked', scheduled: 'blocked' },
  /** Its `send_at` has come. */
  send_due: { scheduled: 'accepted' },
  /** A registry, a sender decision or a test number refuses it before any attempt. */
  send_refused: { accepted: 'rejected', scheduled: 'rejected' },
  code_verified: {},
  attempts_exhausted: {},
  time_ran_out: {},
  /** Possible only before an attempt is on record. */
  cancellation_asked: { scheduled: 'cancelled' },
};
