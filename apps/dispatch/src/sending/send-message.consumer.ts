import type { Bus, Subscription } from '@watchword/bus';
import { type SendMessage, TOPICS } from '@watchword/contracts';
import type { SendMessageHandler } from './send-message.handler.js';

export function consumeSendCommands(
  bus: Bus,
  handler: Pick<SendMessageHandler, 'handle'>,
): Promise<Subscription> {
  return bus.subscribe<SendMessage>(
    TOPICS.sendCommands,
    { group: 'dispatch.sending', batchSizeMax: 256 },
    (batch) => handler.handle(batch.map(({ payload }) => payload)),
  );
}
