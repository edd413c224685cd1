import { Controller, Inject } from '@nestjs/common';
import {
  type Email,
  type EmailBatchAnswer,
  type IdempotencyClaim,
  type Language,
  type MessageId,
  type Outcome,
  routes,
  type SendEmailBatchBody,
  type SendEmailBody,
  type SentEmail,
} from '@watchword/contracts';
import type { Caller as KeyCaller } from '../../accounts/keys/key-directory.port.js';
import { AnswerLanguage, Body, Caller, Claim, Id } from '../../edge/request/parameters.js';
import { Operation } from '../../edge/server/operation.decorator.js';
import { ReadEmailsHandler } from '../../messages/email/read-emails.handler.js';
import { SendEmailHandler } from '../../messages/email/send-email.handler.js';
import { scopeOf } from '../../messages/scope.policy.js';

/** `/v1/emails` */
@Controller()
export class EmailsController {
  constructor(
    @Inject(SendEmailHandler) private readonly sending: SendEmailHandler,
    @Inject(ReadEmailsHandler) private readonly emails: ReadEmailsHandler,
  ) {}

  @Operation(routes.sendEmail)
  async send(
    @Caller() caller: KeyCaller,
    @Body() body: SendEmailBody,
    @Claim() claim: IdempotencyClaim | null,
  ): Promise<Outcome<SentEmail>> {
    const { email, replayed } = await this.sending.send(caller, body, claim);
    return { body: email, replayed };
  }

  @Operation(routes.sendEmailBatch)
  async sendBatch(
    @Caller() caller: KeyCaller,
    @Body() body: SendEmailBatchBody,
    @Claim() claim: IdempotencyClaim | null,
    @AnswerLanguage() language: Language,
  ): Promise<Outcome<EmailBatchAnswer>> {
    const { answer, replayed } = await this.sending.sendMany(caller, { body, claim, language });
    return { body: answer, replayed };
  }

  @Operation(routes.getEmail)
  async get(@Caller() caller: KeyCaller, @Id() id: MessageId): Promise<Outcome<Email>> {
    return { body: await this.emails.get(scopeOf(caller), id) };
  }

  @Operation(routes.cancelEmail)
  async cancel(
    @Caller() caller: KeyCaller,
    @Id() id: MessageId,
    @Body() _body: object,
    @Claim() claim: IdempotencyClaim | null,
  ): Promise<Outcome<Email>> {
    const { email, replayed } = await this.emails.cancel(scopeOf(caller), id, claim);
    return { body: email, replayed };
  }
}
