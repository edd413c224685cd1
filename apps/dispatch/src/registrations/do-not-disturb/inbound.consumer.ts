import type { Bus, Subscription } from '@watchword/bus';
import { type InboundMessage, TOPICS } from '@watchword/contracts';
import type { InboundHandler } from './inbound.handler.js';

export function consumeInboundMessages(bus: Bus, handler: InboundHandler): Promise<Subscription> {
  return bus.subscribe<InboundMessage>(
    TOPICS.inboundMessages,
    { group: 'dispatch.inbound-messages', batchSizeMax: 100 },
    (batch) => handler.handle(batch.map(({ payload }) => payload)),
  );
}
