import { Inject, Injectable } from '@nestjs/common';
import {
  badCursor,
  type DispatchCalls,
  type ListedMessage,
  type ListMessagesRequest,
  type MessageListQuery,
  type MessageRecord,
  type OtpDetails,
  otpDetails,
  type OtpListQuery,
  type Page,
  type PhoneKind,
  type SmsDetails,
  smsDetails,
  type SmsListQuery,
} from '@watchword/contracts';
import { DISPATCH } from '../calls/dispatch-calls.js';
import { listedMessage } from '../channels/channels.js';
import { messageFilters } from './message-filters.policy.js';
import { RecentSends } from './recent-sends.js';
import type { Scope } from './scope.policy.js';

/** Lists a workspace's messages, newest first, as the records of single messages. */
@Injectable()
export class ListMessagesHandler {
  constructor(
    @Inject(DISPATCH) private readonly dispatch: Pick<DispatchCalls, 'listMessages'>,
    @Inject(RecentSends) private readonly recent: Pick<RecentSends, 'arrival'>,
  ) {}

  async otps(walls: Scope, query: OtpListQuery): Promise<Page<OtpDetails>> {
    const { data, ...next } = await this.page(walls, query, 'otp');
    return { data: data.map(otpDetails), ...next };
  }

  async sms(walls: Scope, query: SmsListQuery): Promise<Page<SmsDetails>> {
    const { data, ...next } = await this.page(walls, query, 'sms');
    return { data: data.map(smsDetails), ...next };
  }

  /** Lists both kinds. Each says its kind, and an SMS also the text that its sender gave. */
  async all(walls: Scope, query: MessageListQuery): Promise<Page<ListedMessage>> {
    const { data, ...next } = await this.page(walls, query, query.kind);
    return { data: data.map(listedMessage), ...next };
  }

  private async page(
    walls: Scope,
    query: OtpListQuery | SmsListQuery,
    kind: PhoneKind | undefined,
  ): Promise<Page<MessageRecord>> {
    const { limit, cursor } = query;
    const asked: ListMessagesRequest = {
      ...walls,
      limit,
      cursor,
      kind,
      ...messageFilters(query),
    };
    // Later pages continue from the last row of this one.
    if (cursor === undefined) await this.recent.arrival(walls, kind);
    const page = await this.dispatch.listMessages(asked);
    if ('verdict' in page) throw badCursor();
    return page;
  }
}
