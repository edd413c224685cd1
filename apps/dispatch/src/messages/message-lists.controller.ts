import { Controller } from '@nestjs/common';
import {
  badCursor,
  type ListedMessage,
  listedMessage,
  type MessageListQuery,
  type MessageRecord,
  type OtpDetails,
  otpDetails,
  type OtpListQuery,
  type Outcome,
  type Page,
  type PhoneKind,
  routes,
  type SmsDetails,
  smsDetails,
  type SmsListQuery,
} from '@watchword/contracts';
import { Caller, checkCountry, Operation, Query, type WorkspaceCaller } from '@watchword/platform';
import { recentSends } from './arrivals.js';
import { createdBetween, withPlus } from './message-filters.policy.js';
import { cursorAfter, positionOf, recordsWithStatus } from './message-list.policy.js';
import { MessageListStore } from './message-list.store.js';
import { MessageReads } from './message-reads.js';
import { scopeOf } from './scope.policy.js';

type Asked = OtpListQuery | SmsListQuery | MessageListQuery;

/** A workspace's codes and SMS, newest first, as the records of single messages. */
@Controller()
export class MessageListsController {
  constructor(
    private readonly reads: MessageReads,
    private readonly lists: MessageListStore,
  ) {}

  @Operation(routes.listOtps)
  async listOtps(
    @Caller() caller: WorkspaceCaller,
    @Query() query: OtpListQuery,
  ): Promise<Outcome<Page<OtpDetails>>> {
    const { data, ...next } = await this.page(caller, query, 'otp');
    return { body: { data: data.map(otpDetails), ...next } };
  }

  @Operation(routes.listMessages)
  async listSms(
    @Caller() caller: WorkspaceCaller,
    @Query() query: SmsListQuery,
  ): Promise<Outcome<Page<SmsDetails>>> {
    const { data, ...next } = await this.page(caller, query, 'sms');
    return { body: { data: data.map(smsDetails), ...next } };
  }

  /** Lists all kinds of messages to phones. */
  @Operation(routes.listAllMessages)
  async listAll(
    @Caller() caller: WorkspaceCaller,
    @Query() query: MessageListQuery,
  ): Promise<Outcome<Page<ListedMessage>>> {
    const { data, ...next } = await this.page(caller, query, query.kind);
    return { body: { data: data.map(listedMessage), ...next } };
  }

  private async page(
    caller: WorkspaceCaller,
    query: Asked,
    kind: PhoneKind | undefined,
  ): Promise<Page<MessageRecord>> {
    const { country, cursor, limit, status, to, test_mode: onlyTestMode } = query;
    if (country !== undefined) checkCountry(country, 'country');
    const after = cursor === undefined ? null : positionOf(kind, cursor);
    if (after === undefined) throw badCursor();
    const asked = {
      ...{ workspace_id: caller.workspace_id, test_mode: caller.test_mode },
      ...{ limit, kind, status, country, only_test_mode: onlyTestMode },
      to: to === undefined ? undefined : withPlus(to),
      from: 'from' in query ? query.from : undefined,
      ...createdBetween(query),
    };
    const within = scopeOf(caller);
    await this.reads.arrival(recentSends(caller, kind), within);
    const { ids, next } = await this.lists.page(asked, after);
    const found = await Promise.all(ids.map((id) => this.reads.readAny(id, within)));
    const data = recordsWithStatus(found, status);
    return next === null ? { data } : { data, next_cursor: cursorAfter(kind, next) };
  }
}
