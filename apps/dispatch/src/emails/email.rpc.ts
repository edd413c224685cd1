import { Controller, Inject, type OnApplicationShutdown } from '@nestjs/common';
import {
  type AnswerOf,
  type Clock,
  dispatchCalls,
  lowerId,
  type RequestOf,
} from '@watchword/contracts';
import { CallPattern, CLOCK } from '@watchword/platform';
import { storable } from '../messages/storable-claim.js';
import { scopeOf } from '../messages/scope.policy.js';
import { CancelEmailHandler } from './cancel-email.handler.js';
import { type Email, wordsOf } from './email.js';
import { EmailContentStore, keyOfContent } from './email-content.store.js';
import { EmailReads } from './email-reads.js';
import { emailRecord } from './email-record.policy.js';

/** Answers the calls about emails. */
@Controller()
export class EmailRpc implements OnApplicationShutdown {
  constructor(
    private readonly reads: EmailReads,
    private readonly contents: EmailContentStore,
    private readonly cancellation: CancelEmailHandler,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

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
    const email = await this.reads.read(request.email_id, scopeOf(request));
    return { email: email && (await this.whole(email)) };
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
}
