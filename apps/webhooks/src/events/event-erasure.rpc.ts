import { Controller } from '@nestjs/common';
import { type AnswerOf, type RequestOf, webhooksCalls } from '@watchword/contracts';
import { CallPattern } from '@watchword/platform';
import { EraseEventsHandler } from './erase-events.handler.js';

/** The calls with which operators erase a recipient from webhooks. */
@Controller()
export class EventErasureRpc {
  constructor(private readonly erasures: EraseEventsHandler) {}

  @CallPattern(webhooksCalls, 'eraseEvents')
  eraseEvents(request: RequestOf<'eraseEvents'>): AnswerOf<'eraseEvents'> {
    return this.erasures.eraseEvents(request);
  }

  @CallPattern(webhooksCalls, 'eraseWebhookAttempts')
  eraseWebhookAttempts(
    request: RequestOf<'eraseWebhookAttempts'>,
  ): AnswerOf<'eraseWebhookAttempts'> {
    return this.erasures.eraseAttempts(request);
  }
}
