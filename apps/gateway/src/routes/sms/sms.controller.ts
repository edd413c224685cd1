import { Controller, Inject } from '@nestjs/common';
import {
  type IdempotencyClaim,
  type MessageId,
  type Outcome,
  routes,
  type SendSmsAnswer,
  type SendSmsBody,
  type SmsDetails,
  smsDetails,
} from '@watchword/contracts';
import type { Caller as KeyCaller } from '../../accounts/keys/key-directory.port.js';
import { Body, Caller, Claim, Id } from '../../edge/request/parameters.js';
import { Operation } from '../../edge/server/operation.decorator.js';
import { FindMessageHandler } from '../../messages/find-message.handler.js';
import { SendSmsHandler } from '../../messages/sms/send-sms.handler.js';
import { sentSms } from '../../messages/sms/sms-answers.policy.js';
import { scopeOf } from '../../messages/scope.policy.js';

/** `/v1/sms/send` and the record that both variants share. */
@Controller()
export class SmsController {
  constructor(
    @Inject(SendSmsHandler) private readonly sending: SendSmsHandler,
    @Inject(FindMessageHandler) private readonly messages: FindMessageHandler,
  ) {}

  @Operation(routes.sendTransactionalSms)
  async send(
    @Caller() caller: KeyCaller,
    @Body() body: SendSmsBody,
    @Claim() claim: IdempotencyClaim | null,
  ): Promise<Outcome<SendSmsAnswer>> {
    const { command, replayed } = await this.sending.sendTransactional(caller, body, claim);
    return { body: sentSms(command), replayed };
  }

  @Operation(routes.getMessage)
  async get(@Caller() caller: KeyCaller, @Id() id: MessageId): Promise<Outcome<SmsDetails>> {
    const record = await this.messages.find(scopeOf(caller), id, 'sms');
    return { body: smsDetails(record) };
  }
}
