import type { Clock } from '@watchword/contracts';
import { crashPoint, type Logger } from '@watchword/observability';
import { NextPoll } from '@watchword/platform';
import type { ScheduledEmails } from './scheduled-emails.js';
import type { DueEmailStore, LeftAttempt } from './due-email.store.js';
import type { EmailChanges } from './email-changes.handler.js';
import type { EmailStore } from './email.store.js';
import type { EmailSender } from './email-sender.js';
import { type Email, type EmailAttempt, openAttempt } from './email.js';
import { depart, isDue, postponed, withoutAnswer } from './hand-over.policy.js';

const BATCH = 100;
/**
 * Milliseconds; longer than the wait for a slot, the composition and the submit of an email together.
 */
const FORGOTTEN_AFTER_MS = 600_000;
export const DUE_EMAILS_EVERY_MS = 500;
/** Milliseconds. Emails due within this time are known in advance. */
const AHEAD_MS = 2_000;
/** Milliseconds for which an email waits whose domain's key cannot be decrypted. Others come first. */
const UNREADY_WAIT_MS = 60_000;
/** Milliseconds between polls when nothing announces a due email. */
const POLL_EVERY_MS = 60_000;

export interface DueEmailsParts {
  readonly store: DueEmailStore;
  readonly emails: EmailStore;
  readonly changes: EmailChanges;
  readonly scheduled: ScheduledEmails;
  readonly sender: EmailSender;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly heldBy: string;
}

/**
 * Does due work, in every process: scheduled emails, retries, the ends of ambiguities, and steps of
 * test mode. A write names the version it was decided on, so one process begins the attempts and
 * the others find nothing left. If it dies in between, either the recipient is still due, or an
 * attempt is on record, which `takeOver` finds.
 */
export class DueEmailsJob {
  private readonly poll = new NextPoll(POLL_EVERY_MS);

  constructor(private readonly parts: DueEmailsParts) {}

  /** Records when a written email is due next, without reading the database. */
  lookWhenDue({ recipients }: Email): void {
    for (const { dueAt } of recipients) if (dueAt !== null) this.lookAt(dueAt);
  }

  /** Notes that an email is due then. */
  lookAt(at: Date): void {
    this.poll.at(at, this.parts.clock);
  }

  /** Returns whether there may be more. Does nothing before the next poll is due. */
  async run(): Promise<boolean> {
    const { store, clock, sender } = this.parts;
    if (!sender.hasFreeSlot || !this.poll.isDue) return false;
    this.poll.begin();
    const now = clock.now();
    const coming = await store.due(new Date(now + AHEAD_MS), BATCH);
    const due = coming.filter(({ dueAt }) => dueAt.getTime() <= now);
    const next = coming[due.length];
    if (next) this.poll.in(next.dueAt.getTime() - now);
    // A due email can still wait, for example for a registry. The next run asks again.
    if (due.length > 0) this.poll.in(0);
    if (due.length > 0) await this.depart(due.map(({ id }) => id));
    return due.reduce((sum, { recipients }) => sum + recipients, 0) === BATCH;
  }

  private async depart(ids: readonly string[]): Promise<void> {
    const { emails, changes, scheduled, sender, clock } = this.parts;
    const now = new Date(clock.now());
    const known = [...(await emails.read(ids.map((id) => ({ id })))).values()];
    const asked = known.filter((email) => isDue(email, now));
    const environments = await scheduled.environment(asked);
    const waiting = new Set(asked.map(({ id }) => id).filter((id) => !environments.has(id)));
    const begun = new Map<string, readonly EmailAttempt[]>();
    const requests = known.map(({ id }) => ({
      id,
      change: (before: Email, at: Date): Email => {
        begun.delete(id);
        // The next run asks about an email that came due a moment ago.
        if (!before.testMode && !environments.has(id)) {
          return waiting.has(id) ? postponed(before, UNREADY_WAIT_MS, at) : before;
        }
        const after = depart(before, scheduled.departure(environments.get(id), at));
        const added = after.attempts.slice(before.attempts.length);
        begun.set(
          id,
          added.filter(({ outcome }) => outcome === null),
        );
        return after;
      },
    }));
    crashPoint('dispatch.email-due.before-change');
    const after = await changes.apply(requests);
    crashPoint('dispatch.email-due.after-change');
    for (const email of after) {
      if (email !== null) sender.send(email, begun.get(email.id) ?? [], environments.get(email.id));
    }
  }

  /**
   * Takes over attempts of dead processes, and lost ones of this process. Their calls may have been
   * made.
   */
  async takeOver(): Promise<boolean> {
    const { store, clock, heldBy, logger } = this.parts;
    const now = clock.now();
    const before = new Date(now - FORGOTTEN_AFTER_MS);
    const found = await store.left(heldBy, new Date(now), before, BATCH);
    const left = found.filter((one) => !this.isRunning(one));
    if (left.length === 0) return false;
    logger.warn({ attempts: left.length }, 'email attempts without an answer are taken over');
    await this.withoutAnswer(left);
    return found.length === BATCH;
  }

  private isRunning({ heldBy, emailId, recipient }: LeftAttempt): boolean {
    return heldBy === this.parts.heldBy && this.parts.sender.isSending(emailId, recipient);
  }

  private async withoutAnswer(left: readonly LeftAttempt[]): Promise<void> {
    const { changes, scheduled } = this.parts;
    const requests = left.map((one) => ({
      id: one.emailId,
      change: (email: Email, at: Date): Email => {
        // The holder may have recovered and recorded the answer.
        const open = openAttempt(email, one.recipient);
        if (open?.heldBy !== one.heldBy) return email;
        return withoutAnswer(email, [one], scheduled.handOver(at));
      },
    }));
    crashPoint('dispatch.email-take-over.before-change');
    await changes.apply(requests);
    crashPoint('dispatch.email-take-over.after-change');
  }
}
