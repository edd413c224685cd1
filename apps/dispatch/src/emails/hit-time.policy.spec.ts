import { expect, it } from '@jest/globals';
import { asId, type EmailReport, newId } from '@watchword/contracts';
import type { Recipient } from './email.js';
import { judgedByTime } from './hit-time.policy.js';

const TAKEN_AT = new Date('2026-11-27T10:00:00.000Z');

/** Whether a hit, so long after the copy was taken, counts as a machine's. */
function isOfMachine(taken: Partial<Recipient>, afterMs: number): boolean | undefined {
  const at = new Date(TAKEN_AT.getTime() + afterMs).toISOString();
  const report: EmailReport = {
    ...{ report_id: 'r', kind: 'opened', email_id: asId(newId()), recipient: 0, provider: null },
    open: { ip: null, user_agent: 'Mozilla', machine_open: false },
    ...{ occurred_at: at, received_at: at },
  };
  const recipient = { sentAt: null, deliveredAt: null, ...taken } as Recipient;
  return judgedByTime(report, recipient).open?.machine_open;
}

it.each([
  ['before a server has taken the copy', {}, 3_600_000, true],
  ['soon after it was handed over', { sentAt: TAKEN_AT }, 1_999, true],
  ['later than that', { sentAt: TAKEN_AT }, 2_000, false],
  ['before it was delivered', { sentAt: TAKEN_AT, deliveredAt: TAKEN_AT }, -1, true],
])('an open %s', (_, taken, afterMs, expected) => {
  expect(isOfMachine(taken, afterMs)).toBe(expected);
});
