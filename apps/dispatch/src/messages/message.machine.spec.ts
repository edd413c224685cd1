import { describe, expect, it } from '@jest/globals';
import { MESSAGE_STATES } from '@watchword/contracts';
import {
  IllegalTransition,
  isTerminal,
  nextState,
  OTP_TRANSITIONS,
  SMS_TRANSITIONS,
  type Trigger,
} from './message.machine.js';

const triggers = Object.keys(OTP_TRANSITIONS) as Trigger[];
const kinds = ['otp', 'sms'] as const;

describe('the machine', () => {
  it('never leaves a terminal state', () => {
    for (const kind of kinds) {
      for (const state of MESSAGE_STATES.filter((one) => isTerminal(kind, one))) {
        for (const trigger of triggers) {
          const table = kind === 'otp' ? OTP_TRANSITIONS : SMS_TRANSITIONS;
          expect(table[trigger]?.[state] ?? state).toBe(state);
        }
      }
    }
  });

  it('knows each move of the specification', () => {
    expect(nextState('sms', 'accepted', 'submit_accepted')).toBe('sent');
    expect(nextState('sms', 'accepted', 'delivery_confirmed')).toBe('delivered');
    expect(nextState('sms', 'sent', 'sending_failed')).toBe('failed');
    expect(nextState('sms', 'delivered', 'sending_failed')).toBe('delivered');
    expect(nextState('otp', 'accepted', 'code_verified')).toBe('verified');
    expect(nextState('otp', 'delivered', 'attempts_exhausted')).toBe('failed');
    expect(nextState('otp', 'sent', 'time_ran_out')).toBe('expired');
    expect(nextState('otp', 'failed', 'delivery_confirmed')).toBe('failed');
  });

  it('refuses what cannot be', () => {
    expect(() => nextState('sms', 'sent', 'code_verified')).toThrow(IllegalTransition);
    expect(() => nextState('otp', 'verified', 'code_verified')).toThrow(IllegalTransition);
    expect(() => nextState('otp', 'accepted', 'time_ran_out')).toThrow(IllegalTransition);
    expect(() => nextState('sms', 'scheduled', 'submit_accepted')).toThrow(IllegalTransition);
  });
});
