import { PLATFORM_WORKSPACE_ID } from '@watchword/contracts';
import { ERASED_ADDRESS } from '@watchword/email';
import type { EmailEvidence, EmailRecipientRow, EmailRow } from './email-evidence.ts';
import type { Acceptance, Entry, Evidence, MessageRow } from './evidence.ts';
import { groupBy, type Tally } from './tally.ts';

/** The ten invariants for emails. Each check adds to the tally of its number. */

/**
 * 2. Every email was accepted and charged, except those of the platform, which have neither an
 *   acceptance nor an entry. No other kind of message belongs to the platform, and it has no
 *   account.
 */
export function checkUncharged(tally: Tally, evidence: ChargeEvidence): void {
  const { email, messages, accounts } = evidence;
  const accepted = new Set(evidence.acceptances.map(({ message_id: id }) => id));
  const booked = new Set(evidence.entries.map(({ message_id: id }) => id));
  for (const { id, workspace_id: workspaceId } of email.emails.values()) {
    const isOfPlatform = workspaceId === PLATFORM_WORKSPACE_ID;
    const isRight = isOfPlatform ? !accepted.has(id) && !booked.has(id) : accepted.has(id);
    tally.expect(isRight, () => {
      return isOfPlatform ? `email ${id} of the platform is charged` : `email ${id} is not charged`;
    });
  }
  const strays = [...messages.values(), ...accounts, ...evidence.acceptances].filter(
    ({ workspace_id: workspaceId }) => workspaceId === PLATFORM_WORKSPACE_ID,
  );
  tally.expect(strays.length === 0, () => `${strays.length} rows of the platform are no emails`);
}

type ChargeEvidence = Pick<Evidence, 'accounts' | 'email'> & {
  readonly acceptances: readonly Pick<Acceptance, 'message_id' | 'workspace_id'>[];
  readonly entries: readonly Pick<Entry, 'message_id'>[];
  readonly messages: ReadonlyMap<string, Pick<MessageRow, 'workspace_id'>>;
};

/** 2. The charge of an email goes back when all of it failed or is cancelled, and only then. */
export function emailRefundsDue(evidence: EmailEvidence, id: string): readonly number[] {
  const email = evidence.emails.get(id);
  if (email === undefined || email.test_mode) return [0];
  const states = (evidence.recipients.get(id) ?? []).map(({ state }) => state);
  const isWhole = ['failed', 'cancelled'].some((end) => states.every((state) => state === end));
  return [states.length > 0 && isWhole ? 1 : 0];
}

/**
 * 4. No recipient gets a copy twice without a recorded ambiguity, and a copy that may have been sent
 *   goes to no other provider.
 */
export function checkEmailCopies(tally: Tally, { attempts }: EmailEvidence): void {
  const byCopy = groupBy(
    [...attempts.values()].flat(),
    (one) => `${one.email_id} ${one.recipient}`,
  );
  for (const [copy, all] of byCopy) {
    const inOrder = all.toSorted((one, other) => one.number - other.number);
    inOrder.forEach((attempt, index) => {
      const before = inOrder[index - 1];
      const isFree =
        before === undefined ||
        before.was_ambiguous ||
        before.outcome === 'deferred' ||
        before.outcome === 'refused';
      tally.expect(isFree && attempt.number === index + 1, () => {
        return `copy ${copy}: attempt ${attempt.number} follows one that was ${before?.outcome}`;
      });
    });
    const since = inOrder.findIndex(({ outcome }) => outcome === 'ambiguous');
    const providers = new Set(since < 0 ? [] : inOrder.slice(since).map((one) => one.provider));
    tally.expect(providers.size <= 1, () => {
      return `copy ${copy}: went to another provider after an attempt without an answer`;
    });
  }
}

/** 4. The mailbox got no more copies for a recipient than attempts that were taken, or may have been. */
export function checkMailbox(
  tally: Tally,
  { emails, recipients, attempts, mailbox }: EmailEvidence,
): void {
  const copies = groupBy(mailbox, ({ emailId, to }) => `${emailId} ${to.toLowerCase()}`);
  for (const all of copies.values()) {
    const { emailId, to } = all[0]!;
    tally.expect(emails.has(emailId), () => `a copy of ${emailId}, which is no email`);
    const own = recipients.get(emailId) ?? [];
    const recipient =
      own.find(({ address }) => address.toLowerCase() === to.toLowerCase()) ??
      own.find(({ address }) => address === ERASED_ADDRESS);
    const explained = (attempts.get(emailId) ?? []).filter(
      ({ recipient: number, outcome, was_ambiguous: mayBeTaken }) =>
        number === recipient?.number && (outcome === 'accepted' || mayBeTaken),
    );
    tally.expect(all.length <= explained.length, () => {
      return `email ${emailId}: ${to} got ${all.length} copies, ${explained.length} are explained`;
    });
  }
}

/** 5. Each transition of a recipient, and each queueing and cancellation of an email, is one event. */
export function checkEmailEvents(
  tally: Tally,
  { emails, recipients }: EmailEvidence,
  events: Evidence['events'],
): void {
  const isEmail = ({ variant_a_type: type }: { variant_a_type: string }) =>
    type.startsWith('email.');
  const announced = groupBy(events.filter(isEmail), ({ variant_a_body: body }) => {
    return (JSON.parse(body) as { data: { id: string } }).data.id;
  });
  for (const email of emails.values()) {
    const types = (announced.get(email.id) ?? []).map(({ variant_a_type: type }) => type);
    const once = types.filter((type) => !REPEATED.has(type)).toSorted();
    const expected = expectedEvents(email, recipients.get(email.id) ?? []).toSorted();
    tally.expect(once.join() === expected.join(), () => {
      return `email ${email.id}: announced [${once}], not [${expected}]`;
    });
  }
  for (const id of announced.keys()) {
    tally.expect(emails.has(id), () => `events about ${id}, which is no email`);
  }
}

/** Events that can repeat, once per report. */
const REPEATED = new Set(['email.opened', 'email.clicked']);

function expectedEvents(email: EmailRow, recipients: readonly EmailRecipientRow[]): string[] {
  // No workspace gets their events.
  if (email.workspace_id === PLATFORM_WORKSPACE_ID) return [];
  const events = email.queued_at === null ? [] : ['email.queued'];
  const isCancelled = recipients.some(
    ({ state, failure_announced: announced }) => state === 'cancelled' && announced,
  );
  if (isCancelled) events.push('email.cancelled');
  for (const one of recipients) {
    if (one.delayed_at) events.push('email.delayed');
    if (one.sent_at) events.push('email.sent');
    if (one.delivered_at) events.push('email.delivered');
    if (one.complained_at) events.push('email.complained');
    if (one.unsubscribed_at) events.push('email.unsubscribed');
    if (one.state === 'bounced') events.push('email.bounced');
    if (one.state === 'failed' && one.failure_announced) events.push('email.failed');
  }
  return events;
}

const REQUIRED: Record<string, readonly (keyof EmailRecipientRow)[]> = {
  queued: [],
  sent: ['sent_at'],
  delivered: ['sent_at', 'delivered_at'],
  bounced: ['ended_at'],
  complained: ['complained_at'],
  failed: ['ended_at'],
  cancelled: ['ended_at'],
};

/** 6. Only legal states, with the moments that belong to them. */
export function checkEmailStates(
  tally: Tally,
  { emails, recipients, attempts }: EmailEvidence,
): void {
  for (const [id, own] of recipients) {
    tally.expect(emails.has(id), () => `recipients of ${id}, which is no email`);
    for (const recipient of own) {
      const required = REQUIRED[recipient.state];
      const isWhole = required?.every((moment) => recipient[moment] !== null) ?? false;
      tally.expect(
        isWhole,
        () => `email ${id}: recipient ${recipient.number} is ${recipient.state}`,
      );
      if (recipient.state === 'cancelled') {
        tally.expect(!attempts.has(id), () => `email ${id} is cancelled and was handed over`);
      }
    }
  }
}
