import { Controller } from '@nestjs/common';
import type { IncomingMessage } from '@watchword/bus';
import { type SendMessage, TOPICS } from '@watchword/contracts';
import { BatchPattern } from '@watchword/platform';
import { HoldCommandsHandler } from './hold-commands.handler.js';

@Controller()
export class SendMessageConsumer {
  constructor(private readonly handler: HoldCommandsHandler) {}

  @BatchPattern(TOPICS.sendCommands, { group: 'dispatch.sending', batchSizeMax: 256 })
  handle(batch: IncomingMessage<SendMessage>[]): Promise<void> {
    return this.handler.handle(batch.map(({ payload }) => payload));
  }
}
