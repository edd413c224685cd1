import { expect, it } from '@jest/globals';
import { MESSAGE_STATES } from '@watchword/contracts';
import { CHANNELS } from './channels.js';
import { IllegalTransition } from './machine.js';
import { OTP_CHANNEL } from './otp/otp.channel.js';
import { SMS_CHANNEL } from './sms/sms.channel.js';

const otp = OTP_CHANNEL.machine;
const sms = SMS_CHANNEL.machine;

it('the state machine never leaves a terminal state', () => {
  for (const { machine } of CHANNELS) {
    const rows = Object.values(machine.transitions);
    const states = new Set([...MESSAGE_STATES, ...rows.flatMap((row) => Object.keys(row))]);
    for (const state of [...states].filter((one) => machine.isTerminal(one))) {
      for (const row of rows) expect(row[state] ?? state).toBe(state);
    }
  }
});

it('3.1: the state machine allows each transition of the specification', () => {
  expect(sms.next('accepted', 'submit_accepted')).toBe('sent');
  expect(sms.next('accepted', 'delivery_confirmed')).toBe('delivered');
  expect(sms.next('sent', 'sending_failed')).toBe('failed');
  expect(sms.next('delivered', 'sending_failed')).toBe('delivered');
  expect(otp.next('accepted', 'code_verified')).toBe('verified');
  expect(otp.next('delivered', 'attempts_exhausted')).toBe('failed');
  expect(otp.next('sent', 'time_ran_out')).toBe('expired');
  expect(otp.next('failed', 'delivery_confirmed')).toBe('failed');
});

it('3.1: the state machine refuses impossible transitions', () => {
  expect(() => sms.next('sent', 'code_verified')).toThrow(IllegalTransition);
  expect(() => otp.next('verified', 'code_verified')).toThrow(IllegalTransition);
  expect(() => otp.next('accepted', 'time_ran_out')).toThrow(IllegalTransition);
  expect(() => sms.next('scheduled', 'submit_accepted')).toThrow(IllegalTransition);
});
