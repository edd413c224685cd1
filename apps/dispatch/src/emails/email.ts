import {
  type EmailBounce,
  type EmailClick,
  type EmailComplaint,
  type EmailEventType,
  type EmailOpen,
  type EmailRecipientStatus,
  type MessageId,
  PLATFORM_WORKSPACE_ID,
  type SendMessage,
  type WorkspaceId,
} from '@watchword/contracts';

/**
 * An email as dispatch holds it: its accepted command, one recipient per distinct address, and
 * every hand-over of a copy to a provider. Values are never changed in place.
 */
export interface Email {
  readonly id: MessageId;
  readonly workspaceId: WorkspaceId;
  readonly testMode: boolean;
  /** Rises with each write. A write names the version it was decided on. */
  readonly version: number;
  /** The command as billing accepted it: texts, price and recipients. */
  readonly command: SendMessage;
  readonly createdAt: Date;
  readonly sendAt: Date | null;
  /** When its recipients left `scheduled`. Null while it waits for its `send_at`. */
  readonly queuedAt: Date | null;
  readonly updatedAt: Date;
  /** Whether the credits were refunded. Null until the whole email has failed or is cancelled. */
  readonly refunded: boolean | null;
  /** When the ledger had the refund of a failed or cancelled email. */
  readonly settledAt: Date | null;
  readonly recipients: readonly Recipient[];
  /** In the order in which they began. */
  readonly attempts: readonly EmailAttempt[];
  /**
   * What happened since it was read. The write that stores the changes announces it; it is stored
   * nowhere else.
   */
  readonly occurrences: readonly EmailOccurrence[];
}

export interface EmailOccurrence {
  readonly type: EmailEventType;
  readonly at: Date;
  /** Index of the recipient. Null for the whole email. */
  readonly recipient: number | null;
  /** The email right after it. */
  readonly email: Email;
  readonly details: EmailOccurrenceDetails;
}

export interface EmailOccurrenceDetails {
  readonly bounce?: EmailBounce;
  readonly complaint?: EmailComplaint;
  readonly open?: EmailOpen;
  readonly click?: EmailClick;
}

/**
 * A recipient. States are those of `email.channel.ts`. `dueAt` is when the next step is due by
 * itself: a first hand-over, a retry, the end of an ambiguity, or a step of test mode. Null while
 * an attempt is open.
 */
export interface Recipient {
  /** Index in the command's `recipients`, from 0. */
  readonly number: number;
  readonly address: string;
  readonly state: EmailRecipientStatus;
  readonly dueAt: Date | null;
  /** Rounds of hand-overs that ended with a 4xx or without any provider. */
  readonly deferrals: number;
  /** Steps of the test-mode script that have happened. */
  readonly step: number;
  readonly bounce: EmailBounce | null;
  /** Why it failed: one of `EMAIL_FAILURE_REASONS`. */
  readonly reason: string | null;
  /** Whether its failure has been announced. */
  readonly failureAnnounced: boolean;
  readonly delayedAt: Date | null;
  readonly sentAt: Date | null;
  readonly deliveredAt: Date | null;
  /** When it bounced, failed or was cancelled. */
  readonly endedAt: Date | null;
  readonly complainedAt: Date | null;
  /** When a person first opened it. */
  readonly openedAt: Date | null;
  readonly clickedAt: Date | null;
  /** Events of opens and clicks, machines' included. */
  readonly opensAnnounced: number;
  readonly clicksAnnounced: number;
  /** When its unsubscribe was announced last. */
  readonly unsubscribedAt: Date | null;
}

export type AttemptOutcome =
  'accepted' | 'bounced' | 'deferred' | 'rejected' | 'refused' | 'ambiguous';

export interface EmailAttempt {
  /** Index of the recipient. */
  readonly recipient: number;
  /** Number of the attempt for this recipient, from 1. */
  readonly number: number;
  /** Round of hand-overs: the recipient's `deferrals` when it began. */
  readonly round: number;
  readonly provider: string;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  readonly outcome: AttemptOutcome | null;
  /** Stays true when a late answer settles it. */
  readonly wasAmbiguous: boolean;
  /** Whether a provider refused it that may take it later. */
  readonly isTemporary: boolean;
  readonly providerMessageId: string | null;
  readonly rawCode: string | null;
  readonly rawMessage: string | null;
  /** The process that makes the call. Null once it has an outcome. */
  readonly heldBy: string | null;
}

/** Returns whether it is the platform's own: no workspace paid for it or gets its events. */
export function isOfPlatform({ workspaceId }: Pick<Email, 'workspaceId'>): boolean {
  return workspaceId === PLATFORM_WORKSPACE_ID;
}

export function recipientOf(email: Email, number: number): Recipient {
  const recipient = email.recipients[number];
  if (!recipient) throw new Error(`email ${email.id} has no recipient ${number}`);
  return recipient;
}

export function attemptsOf({ attempts }: Email, recipient: number): readonly EmailAttempt[] {
  return attempts.filter((attempt) => attempt.recipient === recipient);
}

/** Returns the hand-over without an outcome. */
export function openAttempt(email: Email, recipient: number): EmailAttempt | undefined {
  return attemptsOf(email, recipient).find(({ outcome }) => outcome === null);
}

export function withRecipient(
  email: Email,
  number: number,
  change: Partial<Recipient>,
  at: Date,
): Email {
  const recipients = email.recipients.map((recipient) =>
    recipient.number === number ? { ...recipient, ...change } : recipient,
  );
  return { ...email, recipients, updatedAt: at };
}

export function withAttempt(email: Email, attempt: EmailAttempt, at: Date): Email {
  const isKnown = (one: EmailAttempt) =>
    one.recipient === attempt.recipient && one.number === attempt.number;
  const attempts = email.attempts.some(isKnown)
    ? email.attempts.map((one) => (isKnown(one) ? attempt : one))
    : [...email.attempts, attempt];
  return { ...email, attempts, updatedAt: at };
}

/** Returns the part of the command that only emails have. */
export function wordsOf({ command }: Pick<Email, 'command'>) {
  if (!command.email) throw new Error('the command is not of an email');
  return command.email;
}

export function withOccurrence(
  email: Email,
  type: EmailEventType,
  recipient: number | null,
  at: Date,
  details: EmailOccurrenceDetails = {},
): Email {
  const occurrence = { type, at, recipient, email, details };
  return { ...email, occurrences: [...email.occurrences, occurrence] };
}
