import { describe, expect, it } from '@jest/globals';
import { newId, type SendMessage } from '@watchword/contracts';
import { newEmail } from './email-change.policy.js';
import { type Email, recipientOf } from './email.js';
import { playDue } from './test-script.policy.js';

const START = new Date('2026-11-20T08:00:00.000Z');

/** Returns the email once its only recipient has nothing due, and when that was. */
function played(address: string): { email: Email; endedAt: Date } {
  const command = {
    ...{ message_id: newId(), workspace_id: newId(), test_mode: true },
    created_at: START.toISOString(),
    email: { recipients: [address] },
  } as unknown as SendMessage;
  let email = newEmail(command, START);
  let endedAt = START;
  for (let { dueAt } = recipientOf(email, 0); dueAt !== null; { dueAt } = recipientOf(email, 0)) {
    endedAt = dueAt;
    email = playDue(email, 0, dueAt);
  }
  return { email, endedAt };
}

const outcomesOf = ({ attempts }: Email) => attempts.map(({ outcome }) => outcome);
const eventsOf = ({ occurrences }: Email) => occurrences.map(({ type }) => type);

describe('domain 8.5: the script of a test email', () => {
  it('to softbounced@ is two deferrals, then a transient bounce', () => {
    const { email } = played('softbounced+1@sim.test');
    expect(outcomesOf(email)).toEqual(['deferred', 'deferred', 'bounced']);
    const { state, bounce } = recipientOf(email, 0);
    expect({ state, bounce }).toMatchObject({ state: 'bounced', bounce: { type: 'transient' } });
    expect(email.attempts.at(-1)!.rawCode).toBe(bounce!.code);
    expect(eventsOf(email)).toEqual(['email.delayed', 'email.bounced']);
  });

  it('to delayed@ is delivered after a minute, to any other address after a second', () => {
    const slow = played('Delayed@sim.test');
    expect(slow.endedAt.getTime() - START.getTime()).toBe(60_000);
    expect(recipientOf(slow.email, 0).deliveredAt).toEqual(slow.endedAt);
    const quick = played('delayed@example.com');
    expect(quick.endedAt.getTime() - START.getTime()).toBe(1_000);
    expect(outcomesOf(quick.email)).toEqual(['accepted']);
  });

  it('to failed@ is refused by every provider', () => {
    const { email } = played('failed@sim.test');
    expect(outcomesOf(email)).toEqual(['refused', 'refused']);
    expect(recipientOf(email, 0)).toMatchObject({
      state: 'failed',
      reason: 'all_providers_failed',
    });
  });
});
