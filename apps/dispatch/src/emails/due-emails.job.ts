import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@watchword/contracts';
import { crashPoint, type Logger } from '@watchword/observability';
import { CLOCK, LOGGER } from '@watchword/platform';
import { PROCESS_ID } from '../sending/process-id.js';
import { EmailEnvironments } from './email-environments.js';
import { DueEmailStore, type LeftAttempt } from './due-email.store.js';
import { EmailChanges } from './email-changes.handler.js';
import { EmailStore } from './email.store.js';
import { DueEmailsPoll } from './due-emails-poll.js';
import { EmailSender } from './email-sender.js';
import { type Email, type EmailAttempt, openAttempt } from './email.js';
import { beginDue, isDue, postponed, withoutAnswer } from './hand-over.policy.js';

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

/**
 * Does due work, in every process: scheduled emails, retries, the ends of ambiguities, and steps of
 * test mode. A write names the version it was decided on, so one process begins the attempts and
 * the others find nothing left. If it dies in between, either the recipient is still due, or an
 * attempt is on record, which `takeOver` finds.
 */
@Injectable()
export class DueEmailsJob {
  constructor(
    private readonly store: DueEmailStore,
    private readonly emails: EmailStore,
    private readonly changes: EmailChanges,
    private readonly environments: EmailEnvironments,
    private readonly sender: EmailSender,
    private readonly poll: DueEmailsPoll,
    @Inject(PROCESS_ID) private readonly processId: string,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Returns whether there may be more. Does nothing before the next poll is due. */
  async run(): Promise<boolean> {
    if (!this.sender.hasFreeSlot || !this.poll.isDue) return false;
    this.poll.begin();
    const now = this.clock.now();
    const coming = await this.store.due(new Date(now + AHEAD_MS), BATCH);
    const due = coming.filter(({ dueAt }) => dueAt.getTime() <= now);
    const next = coming[due.length];
    if (next) this.poll.in(next.dueAt.getTime() - now);
    // A due email can still wait, for example for a registry. The next run asks again.
    if (due.length > 0) this.poll.in(0);
    if (due.length > 0) await this.begin(due.map(({ id }) => id));
    return due.reduce((sum, { recipients }) => sum + recipients, 0) === BATCH;
  }

  private async begin(ids: readonly string[]): Promise<void> {
    const now = new Date(this.clock.now());
    const known = [...(await this.emails.read(ids.map((id) => ({ id })))).values()];
    const asked = known.filter((email) => isDue(email, now));
    const environments = await this.environments.read(asked);
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
        const after = beginDue(before, this.environments.dueHandOver(environments.get(id), at));
        const added = after.attempts.slice(before.attempts.length);
        begun.set(
          id,
          added.filter(({ outcome }) => outcome === null),
        );
        return after;
      },
    }));
    crashPoint('dispatch.email-due.before-change');
    const after = await this.changes.apply(requests);
    crashPoint('dispatch.email-due.after-change');
    for (const email of after) {
      if (email === null) continue;
      this.sender.send(email, begun.get(email.id) ?? [], environments.get(email.id));
    }
  }

  /**
   * Takes over attempts of dead processes, and lost ones of this process. Their calls may have been
   * made.
   */
  async takeOver(): Promise<boolean> {
    const now = this.clock.now();
    const before = new Date(now - FORGOTTEN_AFTER_MS);
    const found = await this.store.left(this.processId, new Date(now), before, BATCH);
    const left = found.filter((one) => !this.isRunning(one));
    if (left.length === 0) return false;
    this.logger.warn({ attempts: left.length }, 'email attempts without an answer are taken over');
    await this.withoutAnswer(left);
    return found.length === BATCH;
  }

  private isRunning({ heldBy, emailId, recipient }: LeftAttempt): boolean {
    return heldBy === this.processId && this.sender.isSending(emailId, recipient);
  }

  private async withoutAnswer(left: readonly LeftAttempt[]): Promise<void> {
    const requests = left.map((one) => ({
      id: one.emailId,
      change: (email: Email, at: Date): Email => {
        // The holder may have recovered and recorded the answer.
        const open = openAttempt(email, one.recipient);
        if (open?.heldBy !== one.heldBy) return email;
        return withoutAnswer(email, [one], this.environments.handOver(at));
      },
    }));
    crashPoint('dispatch.email-take-over.before-change');
    await this.changes.apply(requests);
    crashPoint('dispatch.email-take-over.after-change');
  }
}
