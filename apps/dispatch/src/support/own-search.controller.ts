import { Controller } from '@nestjs/common';
import {
  type AnswerOf,
  dispatchCalls,
  emailResource,
  type FoundMessage,
  type FoundOwnMessage,
  isEmail,
  listedMessage,
  type MessageSearchQuery,
  type Outcome,
  type Page,
  type RequestOf,
  routes,
} from '@watchword/contracts';
import { Caller, CallPattern, Operation, Query, type WorkspaceCaller } from '@watchword/platform';
import { EmailReads } from '../emails/email-reads.js';
import { recentSends } from '../messages/arrivals.js';
import { createdBetween } from '../messages/message-filters.policy.js';
import { MessageReads } from '../messages/message-reads.js';
import { scopeOf } from '../messages/scope.policy.js';
import { SupportSearchHandler } from './support-search.handler.js';
import { readSearchText } from './search-text.policy.js';

/** A workspace's messages of every channel and both modes, for the pages of the dashboard. */
@Controller()
export class OwnSearchController {
  constructor(
    private readonly messages: SupportSearchHandler,
    private readonly texts: MessageReads,
    private readonly emails: EmailReads,
  ) {}

  @Operation(routes.searchOwnMessages)
  async search(
    @Caller() caller: WorkspaceCaller,
    @Query() query: MessageSearchQuery,
  ): Promise<Outcome<Page<FoundOwnMessage>>> {
    const { q, limit, cursor, kind, status, test_mode } = query;
    const asked = {
      ...{ limit, cursor, kind, status, test_mode },
      ...(q === undefined ? {} : readSearchText(q, caller.country)),
      workspace_id: caller.workspace_id,
      ...createdBetween(query),
    };
    const [recent, within] = [recentSends(caller, kind), scopeOf(caller)];
    await Promise.all([this.texts.arrival(recent, within), this.emails.arrival(recent, within)]);
    const page = await this.messages.search(asked);
    return { body: { ...page, data: page.data.map(shown) } };
  }

  @CallPattern(dispatchCalls, 'getAttemptReasons')
  async getAttemptReasons(request: RequestOf<'getAttemptReasons'>): AnswerOf<'getAttemptReasons'> {
    return { reasons: await this.messages.attemptReasons(scopeOf(request), request.message_id) };
  }
}

function shown(found: FoundMessage): FoundOwnMessage {
  return isEmail(found) ? { ...emailResource(found), kind: 'email' } : listedMessage(found);
}
