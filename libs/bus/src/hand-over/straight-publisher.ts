import type { Topic } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import type { OutgoingMessage } from '../bus.port.js';
import type { HandedMessage } from './direct-lane.js';

export interface StraightOptions {
  topics: readonly Topic[];
  logger: Logger;
  /** All readers of the topic, where they are all in this process. */
  readersOf: (topic: Topic) => readonly StraightReader[];
}

export interface StraightReader {
  readonly isCaughtUp: boolean;
  handOver(messages: readonly HandedMessage[]): boolean;
}

/** The publisher waits this long; what takes longer goes into the log as well. */
const patienceMs = 1_000;

/**
 * Publishes without a row in the log: what the one reader of a topic has handled is durable by what it did. What it
 * did not handle in time, or at all, goes into the log, where the reader finds it again.
 *
 * Only for topics whose readers take messages in any order and more than once, as delivery reports: what goes into the
 * log is overtaken by what comes after it.
 */
export class StraightPublisher {
  constructor(private readonly options: StraightOptions) {}

  /** Answers what has to go into the log. */
  async publish(
    topic: Topic,
    messages: readonly OutgoingMessage[],
  ): Promise<readonly OutgoingMessage[]> {
    if (!this.options.topics.includes(topic)) return messages;
    const [reader, ...others] = this.options.readersOf(topic);
    if (!reader?.isCaughtUp || others.length > 0) return messages;
    const handled = new Set<string>();
    await new Promise<void>((resolve) => {
      let open = messages.length;
      const timer = setTimeout(resolve, patienceMs);
      const handed = messages.map((message) => ({
        message,
        settle: (isHandled: boolean) => {
          if (isHandled) handled.add(message.id);
          open -= 1;
          if (open > 0) return;
          clearTimeout(timer);
          resolve();
        },
      }));
      if (reader.handOver(handed)) return;
      clearTimeout(timer);
      resolve();
    });
    return messages.filter(({ id }) => !handled.has(id));
  }
}
