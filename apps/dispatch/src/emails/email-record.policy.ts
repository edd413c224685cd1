import {
  acceptedEmail,
  EMAIL_CONTENT_DAYS,
  type EmailContent,
  emailFailureSentence,
  type EmailHop,
  type EmailRecipient,
  type EmailRecord,
  type EmailSummary,
  TEST_EMAIL_CONTENT_DAYS,
} from '@watchword/contracts';
import { type Email, type EmailAttempt, type Recipient, wordsOf } from './email.js';
import { visibleRecipients, visibleStatus } from './email-status.policy.js';

const DAY_MS = 86_400_000;

/** Returns everything that reads, lists and events show, except the texts. */
export function emailSummary(email: Email): EmailSummary {
  const recipients = visibleRecipients(email);
  const status = visibleStatus(email);
  const failure = status === 'failed' ? (recipients[0]?.reason ?? null) : null;
  return {
    ...acceptedEmail(email.command),
    status,
    recipients: recipients.map(shownRecipient),
    refunded: email.settledAt === null ? null : email.refunded,
    open_count: recipients.filter(({ openedAt }) => openedAt !== null).length,
    click_count: recipients.filter(({ clickedAt }) => clickedAt !== null).length,
    timeline: timeline(email, recipients),
    provider_attempts: email.attempts.map((attempt) => shownAttempt(email, attempt)),
    error_code: failure,
    error_message: failure === null ? null : emailFailureSentence(failure),
    updated_at: email.updatedAt.toISOString(),
    sent_at: earliest(recipients.map(({ sentAt }) => sentAt)),
    delivered_at: deliveredAt(recipients),
  };
}

/** Returns the summaries that fit a filter when they are read: a status can change after the walk that found the ids. */
export function summariesWithStatus(
  emails: readonly (Email | null)[],
  status: string | undefined,
): EmailSummary[] {
  return emails
    .filter((email) => email !== null)
    .filter((email) => status === undefined || visibleStatus(email) === status)
    .map(emailSummary);
}

/** Returns the record with its texts, as long as they are stored. */
export function emailRecord(email: Email, content: EmailContent | null, now: Date): EmailRecord {
  const keptDays = email.testMode ? TEST_EMAIL_CONTENT_DAYS : EMAIL_CONTENT_DAYS;
  const cachedUntil = (email.sendAt ?? email.createdAt).getTime() + keptDays * DAY_MS;
  const shown = now.getTime() < cachedUntil ? content : null;
  return {
    ...emailSummary(email),
    html: shown?.html ?? null,
    text: shown?.text ?? null,
    content_expired: shown === null,
  };
}

function shownRecipient({ address, state, bounce }: Recipient): EmailRecipient {
  return { address, status: state, ...(bounce === null ? {} : { bounce }) };
}

/** Returns an attempt as clients see it, without the provider's reason for refusing us. */
function shownAttempt(
  email: Email,
  attempt: EmailAttempt,
): EmailSummary['provider_attempts'][number] {
  const { outcome } = attempt;
  const isRefused = outcome === 'refused' && !email.testMode;
  const isAccepted = outcome === 'accepted';
  return {
    provider: attempt.provider,
    recipient: wordsOf(email).recipients[attempt.recipient] ?? '',
    attempted_at: attempt.startedAt.toISOString(),
    ok: isAccepted,
    provider_message_id: attempt.providerMessageId,
    error_code: isAccepted || outcome === null ? null : codeOf(attempt, isRefused),
    error_message: isRefused ? null : attempt.rawMessage,
  };
}

function codeOf({ outcome, rawCode }: EmailAttempt, isRefused: boolean): string {
  if (isRefused) return 'provider_rejected';
  return rawCode ?? (outcome === 'ambiguous' ? 'no_answer' : 'unknown_error');
}

/** Returns the hops of all recipients, oldest first. */
function timeline(email: Email, recipients: readonly Recipient[]): EmailHop[] {
  const hops: EmailHop[] = [];
  const add = (status: string, moment: Date | null, more: Partial<EmailHop> = {}) => {
    if (moment !== null) hops.push({ status, timestamp: moment.toISOString(), ...more });
  };
  add('queued', email.queuedAt);
  for (const one of recipients) {
    const recipient = one.address;
    add('delayed', one.delayedAt, { recipient });
    add('sent', one.sentAt, { recipient, ...carrierOf(email, one) });
    add('delivered', one.deliveredAt, { recipient });
    add('complained', one.complainedAt, { recipient });
    add('opened', one.openedAt, { recipient });
    add('clicked', one.clickedAt, { recipient });
    if (one.state !== 'cancelled') {
      add(one.state, one.endedAt, { recipient, ...failureOf(email, one) });
    }
  }
  if (recipients[0]?.state === 'cancelled') add('cancelled', recipients[0].endedAt);
  // The sort keeps the order of hops with equal times.
  return hops.sort((one, other) => Date.parse(one.timestamp) - Date.parse(other.timestamp));
}

function failureOf({ refunded }: Email, { reason }: Recipient): Partial<EmailHop> {
  return reason === null ? {} : { reason, refunded: refunded ?? false };
}

function carrierOf(email: Email, { number }: Recipient): Partial<EmailHop> {
  const accepted = email.attempts.findLast(
    ({ recipient, outcome }) => recipient === number && outcome === 'accepted',
  );
  return accepted ? { provider: accepted.provider } : {};
}

function earliest(moments: readonly (Date | null)[]): string | null {
  const times = moments.flatMap((moment) => (moment === null ? [] : [moment.getTime()]));
  return times.length === 0 ? null : new Date(Math.min(...times)).toISOString();
}

/** Returns when the last recipient that did not fail was delivered. */
function deliveredAt(recipients: readonly Recipient[]): string | null {
  const living = recipients.filter(({ state }) => state !== 'failed');
  const times = living.flatMap(({ deliveredAt: at }) => (at === null ? [] : [at.getTime()]));
  if (times.length === 0 || times.length < living.length) return null;
  return new Date(Math.max(...times)).toISOString();
}
