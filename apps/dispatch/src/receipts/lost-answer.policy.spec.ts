import { expect, it } from '@jest/globals';
import { asId } from '@watchword/contracts';
import { deliveryReport, NIGERIAN } from '../../test/commands.kit.js';
import { type OpenSubmit, settledSubmit } from './lost-answer.policy.js';

const WAIT_MS = 30_000;
const at = (ms: number) => new Date(Date.UTC(2026, 10, 22, 9) + ms);
const submit = (change: Partial<OpenSubmit> = {}): OpenSubmit => ({
  messageId: asId('m1'),
  number: 1,
  destination: NIGERIAN,
  provider: 'africas_talking',
  kind: 'sms',
  state: 'accepted',
  outcome: 'ambiguous',
  startedAt: at(0),
  finishedAt: at(10_000),
  ...change,
});
const report = (receivedMs: number) => ({
  ...deliveryReport({ provider_message_id: 'ATXid_unknown' }),
  destination: NIGERIAN,
  received_at: at(receivedMs).toISOString(),
});

it.each([5_000, 10_000, 40_000])(
  'a receipt for a lost answer settles the only submit it can mean, %d ms later',
  (ms) => {
    expect(settledSubmit(report(ms), [submit()], WAIT_MS)?.messageId).toBe('m1');
  },
);

it('a receipt for a lost answer ignores submits to other numbers and later ones', () => {
  const others = [submit({ destination: '+2348030000000' }), submit({ startedAt: at(20_000) })];
  expect(settledSubmit(report(15_000), [submit(), ...others], WAIT_MS)?.number).toBe(1);
});

it('a receipt for a lost answer settles the unanswered submit of a cancelled message, whose refund hangs on it', () => {
  const open = submit({ kind: 'otp', state: 'cancelled', outcome: null, finishedAt: null });
  expect(settledSubmit(report(5_000), [open], WAIT_MS)?.messageId).toBe('m1');
  expect(settledSubmit(report(5_000), [open, submit()], WAIT_MS)).toBeNull();
  expect(settledSubmit(report(5_000), [{ ...open, provider: 'at_ke' }], WAIT_MS)).toBeNull();
});

it.each<[string, OpenSubmit[], number]>([
  ['came too late', [submit()], 40_001],
  ['is of another account', [submit({ provider: 'at_ke' })], 15_000],
  ['may mean a submit that is still unanswered', [submit(), submit({ outcome: null })], 15_000],
  ['may mean another workspace’s', [submit(), submit({ messageId: asId('m2') })], 15_000],
  ['may mean another carrier’s', [submit(), submit({ provider: 'twilio' })], 15_000],
  ['is awaited by nothing', [], 15_000],
  ['meets an unanswered submit alone', [submit({ outcome: null, finishedAt: null })], 15_000],
  ['is for an OTP, which failed over', [submit({ kind: 'otp' })], 15_000],
  ['is for a message that has ended', [submit({ state: 'failed' })], 15_000],
  ['was there before the submit', [submit()], -1],
])('a receipt for a lost answer settles nothing when it %s', (_title, open, ms) => {
  expect(settledSubmit(report(ms), open, WAIT_MS)).toBeNull();
});
