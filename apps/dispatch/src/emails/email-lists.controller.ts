import { Controller } from '@nestjs/common';
import {
  badCursor,
  type EmailListQuery,
  emailResource,
  type ListedEmail,
  type Outcome,
  type Page,
  routes,
} from '@watchword/contracts';
import { Caller, Operation, Query, type WorkspaceCaller } from '@watchword/platform';
import { recentSends } from '../messages/arrivals.js';
import { createdBetween } from '../messages/message-filters.policy.js';
import { scopeOf } from '../messages/scope.policy.js';
import { emailCursors, EmailListStore } from './email-list.store.js';
import { EmailReads } from './email-reads.js';
import { summariesWithStatus } from './email-record.policy.js';

/** A workspace's emails, newest first. */
@Controller()
export class EmailListsController {
  constructor(
    private readonly reads: EmailReads,
    private readonly lists: EmailListStore,
  ) {}

  @Operation(routes.listEmails, routes.listOwnEmails)
  async list(
    @Caller() caller: WorkspaceCaller,
    @Query() query: EmailListQuery,
  ): Promise<Outcome<Page<ListedEmail>>> {
    const { limit, cursor, status, to, from, tag, test_mode: onlyTestMode } = query;
    const after = cursor === undefined ? null : emailCursors.read(cursor);
    if (after === undefined) throw badCursor();
    const within = scopeOf(caller);
    const asked = {
      ...{ workspace_id: caller.workspace_id, test_mode: caller.test_mode },
      ...{ limit, status, to, from, tag, only_test_mode: onlyTestMode },
      ...createdBetween(query),
    };
    await this.reads.arrival(recentSends(caller), within);
    const { ids, next } = await this.lists.page(asked, after);
    const found = await Promise.all(ids.map((id) => this.reads.read(id, within)));
    const data = summariesWithStatus(found, status).map(emailResource);
    return { body: next === null ? { data } : { data, next_cursor: emailCursors.after(next) } };
  }
}
