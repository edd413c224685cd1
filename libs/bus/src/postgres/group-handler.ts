import type { Topic } from '@watchword/contracts';
import { crashPoint, type Logger } from '@watchword/observability';
import type { IncomingMessage, OutgoingMessage } from '../bus.port.js';
import { BatchRunner, type Delivery, type Unreadable } from '../consumer/batch-runner.js';
import { readWritten } from '../consumer/read-message.js';
import type { QueueTable } from '../queue/queue-table.js';

export interface GroupHandlerOptions {
  topic: Topic;
  group: string;
  attemptsMax: number;
  handle: (batch: IncomingMessage[]) => Promise<void>;
  table: QueueTable;
  logger: Logger;
}

/** Returns what an `QueueReader` calls: it handles a batch and makes dead letters of what fails. */
export function groupHandler({ topic, group, table, ...consumer }: GroupHandlerOptions) {
  return async (batch: readonly OutgoingMessage[], signal: AbortSignal) => {
    const failed = new Set<string>();
    const runner = new BatchRunner<Delivery>({
      about: { topic: topic.name, group },
      logger: consumer.logger,
      attemptsMax: consumer.attemptsMax,
      handle: async (messages) => {
        crashPoint('bus.consume.before-handle');
        await consumer.handle(messages);
        crashPoint('bus.consume.after-handle');
      },
      bury: async ({ message: { id }, attempts }, reason) => {
        await table.fail(topic, group, id, reason, attempts);
        failed.add(id);
      },
      signal,
    });
    const deliveries: Delivery[] = [];
    const unreadable: Unreadable<Delivery>[] = [];
    for (const outgoing of batch) {
      const { message, problem } = readWritten(topic, outgoing);
      const delivery = { message, attempts: 0 };
      if (problem === undefined) deliveries.push(delivery);
      else unreadable.push({ delivery, problem });
    }
    await runner.run(deliveries, unreadable);
    return failed;
  };
}
