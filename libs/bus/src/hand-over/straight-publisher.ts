import { withDeadline } from '@watchword/batching';
import type { Topic } from '@watchword/contracts';
import type { OutgoingMessage } from '../bus.port.js';

export interface StraightOptions {
  topics: readonly Topic[];
  /** Milliseconds that the publisher waits. Slower messages go into the log as well. */
  timeoutMs: number;
  /** All readers of the topic, if every one is in this process; otherwise empty. */
  readersOf: (topic: Topic) => readonly StraightReader[];
}

export interface StraightReader {
  /** Resolves with whether the messages were handled. */
  handleStraight(messages: readonly OutgoingMessage[]): Promise<boolean>;
}

/**
 * Publishes without a row in the log. The topic's one reader makes a message durable by handling
 * it. A message that it does not handle, or not in time, goes into the log, where the reader finds
 * it again.
 *
 * Only for topics whose readers accept messages in any order, more than once and several batches at
 * a time, such as delivery reports. Later messages overtake those in the log.
 */
export class StraightPublisher {
  constructor(private readonly options: StraightOptions) {}

  /** Returns the messages that must go into the log. */
  async publish(
    topic: Topic,
    messages: readonly OutgoingMessage[],
  ): Promise<readonly OutgoingMessage[]> {
    if (!this.options.topics.includes(topic)) return messages;
    const [reader, ...others] = this.options.readersOf(topic);
    if (!reader || others.length > 0) return messages;
    const late = () => new Error('not handled in time');
    const handled = reader.handleStraight(messages);
    const handling = withDeadline(handled, this.options.timeoutMs, late);
    const isHandled = await handling.catch(() => false);
    return isHandled ? [] : messages;
  }
}
