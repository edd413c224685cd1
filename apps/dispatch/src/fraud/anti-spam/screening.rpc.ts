import { Controller } from '@nestjs/common';
import { type AnswerOf, dispatchCalls, newId, type RequestOf } from '@watchword/contracts';
import { CallPattern } from '@watchword/platform';
import { ScreenMessagesHandler } from './screen-messages.handler.js';

/** Checks a text that was not sent. Stores nothing. */
@Controller()
export class ScreeningRpc {
  constructor(private readonly screening: ScreenMessagesHandler) {}

  @CallPattern(dispatchCalls, 'screenText')
  async screenText(request: RequestOf<'screenText'>): AnswerOf<'screenText'> {
    const { text, country_code: country, sender_id: sender, anti_spam: setting } = request;
    const action = await this.screening.actionOn({ id: newId(), text, country, sender }, setting);
    return { action };
  }
}
