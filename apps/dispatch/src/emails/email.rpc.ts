import { Controller, Inject, type OnApplicationShutdown } from '@nestjs/common';
import { MicroBatcher } from '@watchword/batching';
import {
  type AnswerOf,
  type CallsOf,
  type Clock,
  dispatchCalls,
  type emailCalls,
  isUuid,
  type ListEmailsRequest,
  lowerId,
  type MessageId,
  type RequestOf,
} from '@watchword/contracts';
import { CallPattern, CLOCK } from '@watchword/platform';
import type { RecordRef } from '../messages/record-refs.js';
import { storable } from '../messages/storable-claim.js';
import { isWithin, type Scope, scopeOf } from '../messages/scope.policy.js';
import { CancelEmailHandler } from './cancel-email.handler.js';
import { type Email, wordsOf } from './email.js';
import { EmailContentStore, keyOfContent } from './email-content.store.js';
import { emailCursors, EmailListStore } from './email-list.store.js';
import { emailRecord, emailSummary } from './email-record.policy.js';
import { visibleStatus } from './email-status.policy.js';
import { EmailStore } from './email.store.js';

type EmailCalls = Pick<CallsOf<typeof dispatchCalls>, keyof typeof emailCalls>;

const READS_AT_ONCE = 128;
const READERS = 2;
const QUEUE_MAX = 20_000;

/** Answers the calls about emails. Concurrent reads share a statement. */
@Controller()
export class EmailRpc implements OnApplicationShutdown {
  private readonly reads: MicroBatcher<RecordRef, Email | null>;

  constructor(
    private readonly emails: EmailStore,
    private readonly lists: EmailListStore,
    private readonly contents: EmailContentStore,
    private readonly cancellation: CancelEmailHandler,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.reads = new MicroBatcher({
      name: 'dispatch.email-reads',
      flush: (refs) => this.readMany(refs),
      sizeMax: READS_AT_ONCE,
      queueMax: QUEUE_MAX,
      inFlightMax: READERS,
    });
  }

  @CallPattern(dispatchCalls, 'storeEmailContents')
  async storeEmailContents({
    workspace_id: workspaceId,
    test_mode: testMode = false,
    contents,
    bound = null,
  }: RequestOf<'storeEmailContents'>): AnswerOf<'storeEmailContents'> {
    const options = { testMode, bound, at: new Date(this.clock.now()) };
    const sha256 = await this.contents.store(lowerId(workspaceId), contents, options);
    return sha256 ? { sha256 } : { verdict: 'full' };
  }

  @CallPattern(dispatchCalls, 'releaseEmailContents')
  async releaseEmailContents({
    workspace_id: workspaceId,
    sha256,
  }: RequestOf<'releaseEmailContents'>): AnswerOf<'releaseEmailContents'> {
    await this.contents.release(lowerId(workspaceId), sha256);
    return {};
  }

  @CallPattern(dispatchCalls, 'getEmail')
  async getEmail(request: RequestOf<'getEmail'>): AnswerOf<'getEmail'> {
    const email = await this.read(request.email_id, scopeOf(request));
    return { email: email && (await this.whole(email)) };
  }

  @CallPattern(dispatchCalls, 'listEmails')
  listEmails(request: RequestOf<'listEmails'>): AnswerOf<'listEmails'> {
    return this.list(request);
  }

  @CallPattern(dispatchCalls, 'cancelEmail')
  cancelEmail(request: RequestOf<'cancelEmail'>): AnswerOf<'cancelEmail'> {
    return this.cancellation.cancel({
      ...scopeOf(request),
      emailId: lowerId(request.email_id),
      idempotency: request.idempotency && storable(request.idempotency),
    });
  }

  onApplicationShutdown(): Promise<void> {
    return this.reads.drain();
  }

  private async whole(email: Email) {
    const ref = { workspaceId: email.workspaceId, sha256: wordsOf(email).content_sha256 };
    const content = (await this.contents.find([ref])).get(keyOfContent(ref)) ?? null;
    return emailRecord(email, content, new Date(this.clock.now()));
  }

  private async list(request: ListEmailsRequest): ReturnType<EmailCalls['listEmails']> {
    const { workspace_id: workspaceId, cursor, status } = request;
    const after = cursor === undefined ? null : emailCursors.read(cursor);
    if (after === undefined) return { verdict: 'bad_cursor' };
    if (!isUuid(workspaceId)) return { data: [] };
    const { ids, next } = await this.lists.page(request, after);
    const found = await Promise.all(ids.map((id) => this.read(id, scopeOf(request))));
    // An email with a status changed meanwhile no longer fits the filter.
    const data = found
      .filter((email) => email !== null)
      .filter((email) => status === undefined || visibleStatus(email) === status)
      .map(emailSummary);
    return next === null ? { data } : { data, next_cursor: emailCursors.after(next) };
  }

  private async read(id: MessageId, within: Scope): Promise<Email | null> {
    return isUuid(id) ? this.reads.submit({ id: lowerId(id), within }) : null;
  }

  private async readMany(refs: readonly RecordRef[]): Promise<(Email | null)[]> {
    const emails = await this.emails.read(refs);
    return refs.map(({ id, within }) => {
      const email = emails.get(id);
      return email && isWithin(email, within) ? email : null;
    });
  }
}
