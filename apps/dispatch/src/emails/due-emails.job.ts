import type { Clock } from '@watchword/contracts';
import { crashPoint, type Logger } from '@watchword/observability';
import { NextLook } from '@watchword/platform';
import type { Departures } from './departures.js';
import type { DueEmailStore, LeftAttempt } from './due-email.store.js';
import type { EmailChanges } from './email-changes.handler.js';
import type { EmailStore } from './email.store.js';
import type { EmailSender } from './email-sender.js';
import { type Email, type EmailAttempt, openAttempt } from './email.js';
import { depart, isDue, withoutAnswer } from './hand-over.policy.js';

const BATCH = 100;
/** Longer than an email waits for room, its composition and its submit together. */
const FORGOTTEN_AFTER_MS = 600_000;
export const DUE_EMAILS_EVERY_MS = 500;
/** What is due within this time is known in advance. */
const AHEAD_MS = 2_000;
/** Where nothing says that an email comes due. */
const LOOK_EVERY_MS = 60_000;

export interface DueEmailsParts {
  readonly store: DueEmailStore;
  readonly emails: EmailStore;
  readonly changes: EmailChanges;
  readonly departures: Departures;
  readonly sender: EmailSender;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly heldBy: string;
}

/**
 * Does what is due, in every process: scheduled emails, retries, the ends of ambiguities and the steps of test mode. The
 * write of an email names the version that it was decided on, so one process begins the attempts and the others find
 * nothing left to do. A process that dies in between leaves either a recipient that is still due, or an attempt on record,
 * which `takeOver` finds.
 */
export class DueEmailsJob {
  private readonly look = new NextLook(LOOK_EVERY_MS);

  constructor(private readonly parts: DueEmailsParts) {}

  /** This process has written the email: its next due time needs no look at the database. */
  lookWhenDue({ recipients }: Email): void {
    for (const { dueAt } of recipients) if (dueAt !== null) this.lookAt(dueAt);
  }

  /** An email is due then. */
  lookAt(at: Date): void {
    this.look.at(at, this.parts.clock);
  }

  /** Returns whether there may be more. Does nothing before the next look is due. */
  async run(): Promise<boolean> {
    const { store, clock, sender } = this.parts;
    if (!sender.hasRoom || !this.look.isDue) return false;
    this.look.begin();
    const now = clock.now();
    const coming = await store.due(new Date(now + AHEAD_MS), BATCH);
    const due = coming.filter(({ dueAt }) => dueAt.getTime() <= now);
    const next = coming[due.length];
    if (next) this.look.in(next.dueAt.getTime() - now);
    // A due email can still wait, for example for its grounds: the next run asks again.
    if (due.length > 0) this.look.in(0);
    if (due.length > 0) await this.depart(due.map(({ id }) => id));
    return due.reduce((sum, { recipients }) => sum + recipients, 0) === BATCH;
  }

  private async depart(ids: readonly string[]): Promise<void> {
    const { emails, changes, departures, sender, clock } = this.parts;
    const now = new Date(clock.now());
    const known = [...(await emails.read(ids.map((id) => ({ id })))).values()];
    const grounds = await departures.ground(known.filter((email) => isDue(email, now)));
    const begun = new Map<string, readonly EmailAttempt[]>();
    const requests = known.map(({ id }) => ({
      id,
      change: (before: Email, at: Date): Email => {
        begun.delete(id);
        // An email that came due a moment ago is asked about in the next run.
        if (!before.testMode && !grounds.has(id)) return before;
        const after = depart(before, departures.departure(grounds.get(id), at));
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
      if (email !== null) sender.send(email, begun.get(email.id) ?? [], grounds.get(email.id));
    }
  }

  /** What dead processes left, and what this one forgot: the call may have been made. */
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
    const { changes, departures } = this.parts;
    const requests = left.map((one) => ({
      id: one.emailId,
      change: (email: Email, at: Date): Email => {
        // Its holder may have come back to life and recorded the answer.
        const open = openAttempt(email, one.recipient);
        if (open?.heldBy !== one.heldBy) return email;
        return withoutAnswer(email, [one], departures.handOver(at));
      },
    }));
    crashPoint('dispatch.email-take-over.before-change');
    await changes.apply(requests);
    crashPoint('dispatch.email-take-over.after-change');
  }
}
