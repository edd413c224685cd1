import { Controller } from '@nestjs/common';
import type { IncomingMessage } from '@watchword/bus';
import { type InboundMessage, TOPICS } from '@watchword/contracts';
import { BatchPattern } from '@watchword/platform';
import { InboundHandler } from './inbound.handler.js';

@Controller()
export class InboundConsumer {
  constructor(private readonly handler: InboundHandler) {}

  @BatchPattern(TOPICS.inboundMessages, { group: 'dispatch.inbound-messages', batchSizeMax: 100 })
  handle(batch: IncomingMessage<InboundMessage>[]): Promise<void> {
    return this.handler.handle(batch.map(({ payload }) => payload));
  }
}
