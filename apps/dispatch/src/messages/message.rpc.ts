import { Controller } from '@nestjs/common';
import { type AnswerOf, dispatchCalls, lowerId, type RequestOf } from '@watchword/contracts';
import { CallPattern } from '@watchword/platform';
import { CancelMessageHandler } from './cancel-message.handler.js';
import { messageRecord } from './message-record.policy.js';
import { MessageReads } from './message-reads.js';
import { storable } from './storable-claim.js';
import { scopeOf } from './scope.policy.js';

/** Calls about messages of any kind. */
@Controller()
export class MessageRpc {
  constructor(
    private readonly reads: MessageReads,
    private readonly cancellation: CancelMessageHandler,
  ) {}

  @CallPattern(dispatchCalls, 'getMessage')
  async getMessage(request: RequestOf<'getMessage'>): AnswerOf<'getMessage'> {
    const message = await this.reads.read(request.message_id, scopeOf(request), request.kind);
    return { message: message && messageRecord(message) };
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
}
