import { describe, expect, it } from '@jest/globals';
import { PLATFORM_WORKSPACE_ID } from '@watchword/contracts';
import {
  checkEmailCopies,
  checkEmailEvents,
  checkEmailStates,
  checkMailbox,
  checkUncharged,
  emailRefundsDue,
} from './email.check.ts';
import type { EmailAttemptRow, EmailEvidence, EmailRecipientRow } from './email-evidence.ts';
import { Tally } from './tally.ts';

const id = '0199a000-0000-7000-8000-000000000001';
const at = new Date();

const RECIPIENT: EmailRecipientRow = {
  email_id: id,
  number: 0,
  address: 'Ada@example.com',
  state: 'sent',
  due_at: null,
  failure_announced: false,
  delayed_at: null,
  sent_at: at,
  delivered_at: null,
  ended_at: null,
  complained_at: null,
  unsubscribed_at: null,
};

function evidence(
  recipients: readonly Partial<EmailRecipientRow>[],
  outcomes: readonly Partial<EmailAttemptRow>[] = [],
): EmailEvidence {
  const email = { id, workspace_id: id, test_mode: false, queued_at: at };
  const attempts = outcomes.map((one, index) => {
    const first = { email_id: id, recipient: 0, number: index + 1, outcome: 'accepted' };
    const provider = 'smtp';
    return { ...first, provider, was_ambiguous: false, held_by: null, ...one };
  });
  return {
    emails: new Map([[id, { ...email, refunded: null, settled_at: null }]]),
    recipients: new Map([[id, recipients.map((one) => ({ ...RECIPIENT, ...one }))]]),
    attempts: new Map(attempts.length > 0 ? [[id, attempts]] : []),
    mailbox: [],
  };
}

function violations(check: (tally: Tally) => void): number {
  const tally = new Tally(0, '');
  check(tally);
  return tally.violationCount;
}

const copies = (...outcomes: Partial<EmailAttemptRow>[]) =>
  violations((tally) => checkEmailCopies(tally, evidence([{}], outcomes)));

const charges = (workspaceId: string, charged: boolean, accounts: string[] = []) =>
  violations((tally) => {
    const email = evidence([{}]);
    const [row] = [...email.emails.values()];
    checkUncharged(tally, {
      email: { ...email, emails: new Map([[id, { ...row!, workspace_id: workspaceId }]]) },
      acceptances: charged ? [{ message_id: id, workspace_id: workspaceId }] : [],
      entries: charged ? [{ message_id: id }] : [],
      messages: new Map(),
      accounts: accounts.map((workspace_id) => ({ workspace_id })) as never,
    });
  });

describe('the checker of emails', () => {
  it('lets an email without a charge pass for the platform alone', () => {
    expect(charges(id, true)).toBe(0);
    expect(charges(id, false)).toBe(1);
    expect(charges(PLATFORM_WORKSPACE_ID, false)).toBe(0);
    expect(charges(PLATFORM_WORKSPACE_ID, true)).toBe(2);
    expect(charges(PLATFORM_WORKSPACE_ID, false, [PLATFORM_WORKSPACE_ID])).toBe(1);
  });

  it('lets a copy follow a refusal, a deferral and a recorded ambiguity alone', () => {
    expect(copies({ outcome: 'deferred' }, { outcome: 'refused' }, {})).toBe(0);
    expect(copies({ outcome: 'ambiguous', was_ambiguous: true }, {})).toBe(0);
    expect(copies({ was_ambiguous: true }, {})).toBe(0);
    expect(copies({}, {})).toBe(1);
    expect(copies({ outcome: 'bounced' }, {})).toBe(1);
    expect(copies({ number: 2 })).toBe(1);
  });

  it('lets no other provider have a copy after an ambiguity', () => {
    const lost = { outcome: 'ambiguous', was_ambiguous: true };
    const refused = { outcome: 'refused' };
    expect(copies({ ...refused, provider: 'ses' }, lost, refused, {})).toBe(0);
    expect(copies(lost, refused, { provider: 'ses' })).toBe(1);
    expect(copies({ ...lost, outcome: 'refused' }, { provider: 'ses' })).toBe(0);
  });

  it('lets a mailbox have as many copies as attempts were taken, or may have been', () => {
    const of = (arrived: number, ...outcomes: Partial<EmailAttemptRow>[]) =>
      violations((tally) => {
        const mailbox = Array.from({ length: arrived }, () => ({
          emailId: id,
          to: 'ada@example.com',
        }));
        checkMailbox(tally, { ...evidence([{}], outcomes), mailbox });
      });
    const ambiguous = { outcome: 'ambiguous', was_ambiguous: true };
    expect(of(1, {})).toBe(0);
    expect(of(2, {})).toBe(1);
    expect(of(2, ambiguous, {})).toBe(0);
    expect(of(3, ambiguous, {})).toBe(1);
    expect(of(1, { outcome: 'deferred' })).toBe(1);
    expect(of(0, {})).toBe(0);
    expect(of(1, { recipient: 1 })).toBe(1);
    const stray = { emailId: PLATFORM_WORKSPACE_ID, to: 'ada@example.com' };
    expect(violations((tally) => checkMailbox(tally, { ...evidence([]), mailbox: [stray] }))).toBe(
      2,
    );
  });

  it('wants a refund when the whole email ended badly, and no other', () => {
    const due = (...states: string[]) =>
      emailRefundsDue(evidence(states.map((state) => ({ state }))), id);
    expect(due('failed', 'failed')).toEqual([1]);
    expect(due('cancelled')).toEqual([1]);
    expect(due('failed', 'sent')).toEqual([0]);
    expect(due('bounced')).toEqual([0]);
  });

  it('wants one event for each transition', () => {
    const of = (types: string[], recipient: Partial<EmailRecipientRow> = {}) => {
      const events = types.map((type) => ({
        variant_a_type: type,
        variant_a_body: JSON.stringify({ data: { id } }),
      }));
      return violations((tally) => checkEmailEvents(tally, evidence([recipient]), events as never));
    };
    expect(of(['email.queued', 'email.sent', 'email.opened', 'email.opened'])).toBe(0);
    expect(of(['email.queued'])).toBe(1);
    expect(of(['email.queued', 'email.sent', 'email.sent'])).toBe(1);
    const bounced = { state: 'bounced', ended_at: at };
    expect(of(['email.queued', 'email.sent', 'email.bounced'], bounced)).toBe(0);
  });

  it('wants the moments of a state, and no hand-over of what is cancelled', () => {
    const of = (recipient: Partial<EmailRecipientRow>, ...outcomes: Partial<EmailAttemptRow>[]) =>
      violations((tally) => checkEmailStates(tally, evidence([recipient], outcomes)));
    expect(of({}, {})).toBe(0);
    expect(of({ state: 'delivered' }, {})).toBe(1);
    expect(of({ state: 'unknown' })).toBe(1);
    expect(of({ state: 'cancelled', ended_at: at })).toBe(0);
    expect(of({ state: 'cancelled', ended_at: at }, {})).toBe(1);
  });
});
