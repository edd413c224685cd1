import { Controller } from '@nestjs/common';
import {
  type AnswerOf,
  type DispatchCalls,
  dispatchCalls,
  isUuid,
  type ListMessagesRequest,
  lowerId,
  type MessageId,
  type MessageRecord,
  type RequestOf,
} from '@watchword/contracts';
import { CallPattern } from '@watchword/platform';
import { CancelMessageHandler } from './cancel-message.handler.js';
import { cursorAfter, matchesStatus, positionOf } from './message-list.policy.js';
import { MessageListStore } from './message-list.store.js';
import type { Message } from './message.js';
import { messageRecord } from './message-record.policy.js';
import { visibleState } from './message-change.policy.js';
import { MessageReads } from './message-reads.js';
import { storable } from './storable-claim.js';
import { type Scope, scopeOf } from './scope.policy.js';

/** Calls about messages of any kind. */
@Controller()
export class MessageRpc {
  constructor(
    private readonly reads: MessageReads,
    private readonly lists: MessageListStore,
    private readonly cancellation: CancelMessageHandler,
  ) {}

  @CallPattern(dispatchCalls, 'getMessage')
  async getMessage(request: RequestOf<'getMessage'>): AnswerOf<'getMessage'> {
    const message = await this.reads.read(request.message_id, scopeOf(request), request.kind);
    return { message: message && messageRecord(message) };
  }

  @CallPattern(dispatchCalls, 'listMessages')
  listMessages(request: RequestOf<'listMessages'>): AnswerOf<'listMessages'> {
    return this.list(request);
  }

  @CallPattern(dispatchCalls, 'cancelMessage')
  cancelMessage(request: RequestOf<'cancelMessage'>): AnswerOf<'cancelMessage'> {
    return this.cancellation.cancel({
      ...scopeOf(request),
      messageId: lowerId(request.message_id),
      kind: request.kind,
      idempotency: request.idempotency && storable(request.idempotency),
    });
  }

  private async list(
    request: ListMessagesRequest,
  ): Promise<Awaited<ReturnType<DispatchCalls['listMessages']>>> {
    const { workspace_id: workspaceId, cursor, kind, status } = request;
    const after = cursor === undefined ? null : positionOf(kind, cursor);
    if (after === undefined) return { verdict: 'bad_cursor' };
    if (!isUuid(workspaceId)) return { data: [] };
    const { ids, next } = await this.lists.page(request, after);
    const within = scopeOf(request);
    const data = await this.records(ids, status, within);
    return next === null ? { data } : { data, next_cursor: cursorAfter(kind, next) };
  }

  private async records(
    ids: readonly MessageId[],
    status: string | undefined,
    within: Scope,
  ): Promise<MessageRecord[]> {
    const messages = await Promise.all(ids.map((id) => this.reads.readAny(id, within)));
    // A message that changed its status meanwhile no longer fits the filter.
    const fitting = messages.filter(
      (message) =>
        message !== null &&
        (status === undefined || matchesStatus(status, visibleState(message), message.family)),
    );
    return fitting.map((message) => messageRecord(message as Message));
  }
}
