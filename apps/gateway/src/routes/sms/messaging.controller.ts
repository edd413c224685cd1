import { Controller, Inject } from '@nestjs/common';
import {
  type CreateSmsBody,
  type IdempotencyClaim,
  type Language,
  type MessageId,
  type Outcome,
  routes,
  type SmsBatchAnswer,
  type SmsBatchBody,
  type SmsMessage,
} from '@watchword/contracts';
import type { Caller as KeyCaller } from '../../accounts/keys/key-directory.port.js';
import { AnswerLanguage, Body, Caller, Claim, Id } from '../../edge/request/parameters.js';
import { Operation } from '../../edge/server/operation.decorator.js';
import { CancelSmsHandler } from '../../messages/sms/cancel-sms.handler.js';
import { SendBatchHandler } from '../../messages/sms/send-batch.handler.js';
import { SendSmsHandler } from '../../messages/sms/send-sms.handler.js';
import { messageOf } from '../../messages/sms/sms-answers.policy.js';
import { scopeOf } from '../../messages/scope.policy.js';

/** Variant B of SMS: `/v1/sms`. */
@Controller()
export class MessagingController {
  constructor(
    @Inject(SendSmsHandler) private readonly sending: SendSmsHandler,
    @Inject(SendBatchHandler) private readonly batches: SendBatchHandler,
    @Inject(CancelSmsHandler) private readonly cancelling: CancelSmsHandler,
  ) {}

  @Operation(routes.sendMessage)
  async send(
    @Caller() caller: KeyCaller,
    @Body() body: CreateSmsBody,
    @Claim() claim: IdempotencyClaim | null,
  ): Promise<Outcome<SmsMessage>> {
    const { command, replayed } = await this.sending.sendMessage(caller, body, claim);
    return { body: messageOf(command), replayed };
  }

  @Operation(routes.sendMessageBatch)
  async sendBatch(
    @Caller() caller: KeyCaller,
    @Body() body: SmsBatchBody,
    @Claim() claim: IdempotencyClaim | null,
    @AnswerLanguage() language: Language,
  ): Promise<Outcome<SmsBatchAnswer>> {
    const { answer, replayed } = await this.batches.send(caller, { body, claim, language });
    return { body: answer, replayed };
  }

  @Operation(routes.cancelMessage)
  async cancel(
    @Caller() caller: KeyCaller,
    @Id() id: MessageId,
    @Body() _body: object,
    @Claim() claim: IdempotencyClaim | null,
  ): Promise<Outcome<SmsMessage>> {
    const { message, replayed } = await this.cancelling.cancel(scopeOf(caller), id, claim);
    return { body: message, replayed };
  }
}
