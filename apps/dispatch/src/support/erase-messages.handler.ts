import { Inject, Injectable } from '@nestjs/common';
import type { AnswerOf, Clock, RequestOf } from '@watchword/contracts';
import { isAddress } from '@watchword/email';
import { CLOCK } from '@watchword/platform';
import { CancelEmailHandler } from '../emails/cancel-email.handler.js';
import type { Email } from '../emails/email.js';
import { EmailSearchStore } from '../emails/email-search.store.js';
import { EmailStore } from '../emails/email.store.js';
import { CancelMessageHandler } from '../messages/cancel-message.handler.js';
import { RecentMessages } from '../messages/recent-messages.js';
import { EmailErasureStore } from './email-erasure.store.js';
import { erasureOf, isOpen, isScheduled } from './email-erasure.policy.js';
import { ERASED_AT_ONCE, TextErasureStore } from './text-erasure.store.js';

const EMAILS_AT_ONCE = 200;
/** Asks for the first page again. Null would be the end. */
const FIRST_PAGE = '';

/**
 * Erases a number or an email address from messages that have ended, a slice a call. Times, states,
 * credits and ids stay. Each slice is one statement, so a crash leaves some messages erased and the
 * rest to the next call.
 */
@Injectable()
export class EraseMessagesHandler {
  constructor(
    private readonly texts: TextErasureStore,
    private readonly recent: RecentMessages,
    private readonly search: EmailSearchStore,
    private readonly emails: EmailStore,
    private readonly emailErasures: EmailErasureStore,
    private readonly cancelling: CancelMessageHandler,
    private readonly emailCancelling: CancelEmailHandler,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Cancels what waits for its `send_at`. The refund ends it, and then it is erased. */
  async cancelScheduled({
    to,
    after,
  }: RequestOf<'cancelScheduledMessages'>): AnswerOf<'cancelScheduledMessages'> {
    if (!isAddress(to)) {
      const ids = await this.texts.findScheduled(to, after);
      const count = await this.cancelling.cancelMany(ids);
      return { count, next: ids.length === ERASED_AT_ONCE ? ids.at(-1)! : null };
    }
    const { emails, next } = await this.emailsTo(to, after);
    const now = this.now();
    const scheduled = emails.filter((email) => isScheduled(email, now));
    return { count: await this.emailCancelling.cancelMany(scheduled.map(({ id }) => id)), next };
  }

  async countOpen(request: RequestOf<'countOpenMessages'>): AnswerOf<'countOpenMessages'> {
    const { to, after } = request;
    const before = new Date(request.before);
    const held = after === null ? await this.texts.countHeld(to) : 0;
    if (!isAddress(to)) {
      const { count, tests } = await this.texts.countOpen(to, this.now(), before);
      return { count: held + count, tests, next: null };
    }
    const { emails, next } = await this.emailsTo(to, after);
    const open = emails.filter((email) => email.createdAt <= before && isOpen(email));
    const tests = open.filter(({ testMode }) => testMode).length;
    return { count: held + open.length - tests, tests, next };
  }

  async erase(request: RequestOf<'eraseMessages'>): AnswerOf<'eraseMessages'> {
    const { to, erased, after } = request;
    if (isAddress(to)) return this.eraseEmails(request);
    if (after === null) await this.texts.forget(to);
    const ids = await this.texts.erase(to, erased, this.now());
    for (const id of ids) this.recent.forget(id);
    return { count: ids.length, next: ids.length === ERASED_AT_ONCE ? 'more' : null };
  }

  /**
   * Reports can change emails meanwhile: then the caller asks for the same page again. Those that are
   * erased are not found again.
   */
  private async eraseEmails(request: RequestOf<'eraseMessages'>): AnswerOf<'eraseMessages'> {
    const { to, erased, after } = request;
    const { emails, next } = await this.emailsTo(to, after);
    const ended = emails.filter((email) => !isOpen(email));
    const erasures = ended.map((email) => erasureOf(email, to, erased));
    const count = await this.emailErasures.write(erasures);
    return { count, next: count === ended.length ? next : (after ?? FIRST_PAGE) };
  }

  private async emailsTo(to: string, after: string | null) {
    const { ids, next } = await this.search.page({ to, limit: EMAILS_AT_ONCE }, after || null);
    const found: Map<string, Email> = await this.emails.read(ids.map((id) => ({ id })));
    return { emails: [...found.values()], next };
  }

  private now(): Date {
    return new Date(this.clock.now());
  }
}
