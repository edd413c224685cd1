import { Injectable } from '@nestjs/common';
import { type DispatchCalls, newId } from '@watchword/contracts';
import { ScreenMessagesHandler } from './screen-messages.handler.js';

/** Anti-spam, asked about a text that nobody has sent: nothing of it is kept. */
@Injectable()
export class ScreeningRpc {
  constructor(private readonly screening: ScreenMessagesHandler) {}

  screenText: DispatchCalls['screenText'] = async (request) => {
    const { text, country_code: country, sender_id: sender, anti_spam: setting } = request;
    const action = await this.screening.actionOn({ id: newId(), text, country, sender }, setting);
    return { action };
  };
}
