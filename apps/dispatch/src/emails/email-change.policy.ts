import type { EmailBounce, EmailFailure, EmailReport, SendMessage } from '@watchword/contracts';
import { ERASED_ADDRESS } from '@watchword/email';
import { EMAIL_CHANNEL, type EmailTrigger } from '../channels/email/email.channel.js';
import {
  type Email,
  type EmailOccurrenceDetails,
  isOfPlatform,
  type Recipient,
  recipientOf,
  withOccurrence,
  withRecipient,
} from './email.js';
import { judgedByTime } from './hit-time.policy.js';
import { isRefundDue } from './email-status.policy.js';

/** Changes of an email. Every function is pure and returns the same object when nothing changes. */

/** Returns the email of a command. Its recipients are due at once, or at `send_at`. */
export function newEmail(command: SendMessage, at: Date): Email {
  const sendAt = command.send_at ? new Date(command.send_at) : null;
  const isAhead = sendAt !== null && sendAt > at;
  return {
    id: command.message_id,
    workspaceId: command.workspace_id,
    testMode: command.test_mode,
    version: 1,
    command,
    createdAt: new Date(command.created_at),
    sendAt,
    queuedAt: null,
    updatedAt: at,
    refunded: null,
    settledAt: null,
    recipients: (command.email?.recipients ?? []).map((address, number) =>
      newRecipient(address, number, isAhead ? sendAt : at),
    ),
    attempts: [],
    occurrences: [],
  };
}

function newRecipient(address: string, number: number, dueAt: Date): Recipient {
  return {
    number,
    address,
    state: 'queued',
    dueAt,
    deferrals: 0,
    step: 0,
    bounce: null,
    reason: null,
    failureAnnounced: false,
    delayedAt: null,
    sentAt: null,
    deliveredAt: null,
    endedAt: null,
    complainedAt: null,
    openedAt: null,
    clickedAt: null,
    opensAnnounced: 0,
    clicksAnnounced: 0,
    unsubscribedAt: null,
  };
}

/** Returns null where the trigger changes nothing. */
function nextState({ state }: Recipient, trigger: EmailTrigger) {
  const next = EMAIL_CHANNEL.machine.next(state, trigger);
  return next === state ? null : next;
}

/** The email is due: announced once, before anything is handed over. */
export function queue(email: Email, at: Date): Email {
  if (email.queuedAt !== null) return email;
  return withOccurrence({ ...email, queuedAt: at, updatedAt: at }, 'email.queued', null, at);
}

export function sent(email: Email, number: number, at: Date): Email {
  const state = nextState(recipientOf(email, number), 'provider_accepted');
  if (state === null) return email;
  const after = withRecipient(email, number, { state, sentAt: at, dueAt: null }, at);
  return withOccurrence(after, 'email.sent', number, at);
}

/** `reportedAt`: when the server of the recipient took the copy. Reports can wait on the bus. */
export function delivered(email: Email, number: number, at: Date, reportedAt = at): Email {
  // A report can overtake the record of the hand-over.
  const handedOver = sent(email, number, at);
  const recipient = recipientOf(handedOver, number);
  const state = nextState(recipient, 'delivery_confirmed');
  if (state === null) return email;
  const notBefore = Math.max(reportedAt.getTime(), (recipient.sentAt ?? at).getTime());
  const deliveredAt = new Date(Math.min(notBefore, at.getTime()));
  const after = withRecipient(handedOver, number, { state, deliveredAt, dueAt: null }, at);
  return withOccurrence(after, 'email.delivered', number, at);
}

export function bounced(email: Email, number: number, bounce: EmailBounce, at: Date): Email {
  const state = nextState(recipientOf(email, number), 'bounce_reported');
  if (state === null) return email;
  const after = withRecipient(email, number, { state, bounce, endedAt: at, dueAt: null }, at);
  return withOccurrence(after, 'email.bounced', number, at, { bounce });
}

export function complained(email: Email, number: number, type: string, at: Date): Email {
  const state = nextState(recipientOf(email, number), 'complaint_reported');
  if (state === null) return email;
  const after = withRecipient(email, number, { state, complainedAt: at, dueAt: null }, at);
  return withOccurrence(after, 'email.complained', number, at, { complaint: { type } });
}

/** `tidied` announces it, because the end of a whole email waits for its refund. */
export function failed(email: Email, number: number, reason: EmailFailure, at: Date): Email {
  const state = nextState(recipientOf(email, number), 'sending_failed');
  if (state === null) return email;
  return withRecipient(email, number, { state, reason, endedAt: at, dueAt: null }, at);
}

/** Announced once per recipient. */
export function delayed(email: Email, number: number, at: Date): Email {
  const { state, delayedAt } = recipientOf(email, number);
  if (delayedAt !== null || (state !== 'queued' && state !== 'sent')) return email;
  const after = withRecipient(email, number, { delayedAt: at }, at);
  return withOccurrence(after, 'email.delayed', number, at);
}

/** Most events of opens of one recipient, and of clicks: anybody who has a link can use it for ever. */
const HIT_EVENTS_MAX = 50;

/** Opens and clicks by machines are announced but not counted. */
export function touched(
  email: Email,
  number: number,
  details: Pick<EmailOccurrenceDetails, 'open' | 'click'>,
  at: Date,
): Email {
  const { openedAt, clickedAt, opensAnnounced, clicksAnnounced } = recipientOf(email, number);
  const { open, click } = details;
  const isByMachine = open?.machine_open === true || click?.machine_click === true;
  const isFirst = !isByMachine && (click ? clickedAt : openedAt) === null;
  const first = click ? { clickedAt: at } : { openedAt: at };
  const counted = isFirst ? withRecipient(email, number, first, at) : email;
  if ((click ? clicksAnnounced : opensAnnounced) >= HIT_EVENTS_MAX) return counted;
  const counts = click
    ? { clicksAnnounced: clicksAnnounced + 1 }
    : { opensAnnounced: opensAnnounced + 1 };
  const after = withRecipient(counted, number, counts, at);
  return withOccurrence(after, click ? 'email.clicked' : 'email.opened', number, at, details);
}

/**
 * Announced once, however often the link is used. `listedAt`: when the suppression was created. One
 * that is younger than the last announcement was deleted and created again: a new unsubscribe.
 */
function unsubscribed(email: Email, number: number, listedAt: Date | null, at: Date): Email {
  const { unsubscribedAt: toldAt } = recipientOf(email, number);
  const isNew = toldAt === null || (listedAt !== null && listedAt > toldAt);
  if (!isNew) return email;
  // Two processes have two clocks: the announcement is never older than the entry.
  const unsubscribedAt = listedAt !== null && listedAt > at ? listedAt : at;
  const after = withRecipient(email, number, { unsubscribedAt }, at);
  return withOccurrence(after, 'email.unsubscribed', number, at);
}

/** Possible until a copy is handed over. Returns null when it is too late. */
export function cancelled(email: Email, at: Date): Email | null {
  const canBe = email.attempts.length === 0 && email.recipients.every(isQueued);
  if (!canBe) return null;
  return email.recipients.reduce((after, recipient) => {
    const { number } = recipient;
    const state = nextState(recipient, 'cancellation_asked') ?? recipient.state;
    const change = { state, endedAt: at, dueAt: null };
    return withRecipient(after, number, change, at);
  }, email);
}

function isQueued({ state }: Recipient): boolean {
  return state === 'queued';
}

/**
 * Applies a report. An unknown recipient changes nothing. `listedAt`: when the suppression that the
 * report asks for was created.
 */
export function withReport(
  email: Email,
  given: EmailReport,
  at: Date,
  listedAt: Date | null = null,
): Email {
  const { recipient: number } = given;
  if (number >= email.recipients.length) return email;
  const report = judgedByTime(given, recipientOf(email, number));
  switch (report.kind) {
    case 'delivered':
      return delivered(email, number, at, new Date(report.occurred_at));
    case 'delayed':
      return delayed(email, number, at);
    case 'bounced':
      return report.bounce
        ? bounced(email, number, toldOf(email, number, report.bounce), at)
        : email;
    case 'complained':
      return complained(email, number, report.complaint?.type ?? 'other', at);
    case 'opened':
      return report.open ? touched(email, number, { open: report.open }, at) : email;
    case 'clicked':
      return report.click ? touched(email, number, { click: report.click }, at) : email;
    case 'unsubscribed':
      return unsubscribed(email, number, listedAt, at);
  }
}

/** The words of a receiver often quote the address, which a later bounce must not bring back. */
function toldOf(email: Email, number: number, bounce: EmailBounce): EmailBounce {
  const isErased = recipientOf(email, number).address === ERASED_ADDRESS;
  return isErased ? { ...bounce, message: null } : bounce;
}

/** Applies billing's event: the charge was refunded, or there was none. */
export function settled(email: Email, refunded: boolean, at: Date): Email {
  if (!isRefundDue(email) || email.settledAt !== null) return email;
  return { ...email, settledAt: at, refunded, updatedAt: at };
}

/**
 * Completes a change. Test mode has no ledger and an email of the platform no charge, so their ends
 * are settled at once. A failure is announced when other recipients go on, or when the refund is
 * settled; a cancellation when the refund is settled.
 */
export function tidied(email: Email, at: Date): Email {
  const isWhole = isRefundDue(email);
  const isSettledHere = email.testMode || isOfPlatform(email);
  const after = isWhole && isSettledHere ? settled(email, email.testMode, at) : email;
  if (isWhole && after.settledAt === null) return after;
  const unannounced = after.recipients.filter(
    ({ state, failureAnnounced }) =>
      (state === 'failed' || state === 'cancelled') && !failureAnnounced,
  );
  const announced = unannounced.reduce(
    (next, { number }) => withRecipient(next, number, { failureAnnounced: true }, at),
    after,
  );
  const failures = unannounced.filter(({ state }) => state === 'failed');
  const events = failures.reduce(
    (next, { number }) => withOccurrence(next, 'email.failed', number, at),
    announced,
  );
  const isCancelled = unannounced.some(({ state }) => state === 'cancelled');
  return isCancelled ? withOccurrence(events, 'email.cancelled', null, at) : events;
}
