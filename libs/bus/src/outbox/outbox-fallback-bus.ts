import type { Topic } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import {
  type Bus,
  type IncomingMessage,
  type OutgoingMessage,
  type Subscription,
  type SubscriptionOptions,
  TransientError,
} from '../bus.port.js';
import type { OutboxRelay } from './outbox-relay.js';
import { isTransient } from '../consumer/transient-errors.js';

/** The outbox of a service whose topics it takes messages of. */
export type Outbox = Pick<OutboxRelay, 'service' | 'write'>;

/** Many times what Kafka accepts; publishers wait in turn, and not for long. */
const patienceMs = 1_000;

/**
 * A bus whose publishing outlives an outage of Kafka: what Kafka has not taken within a second goes
 * into the outbox of the topic's owner, from where the relay carries it on when Kafka is back.
 *
 * States: straight; around, while Kafka owes an answer that is overdue: then everything goes into
 * the outbox at once, and the next message after that answer is the probe.
 *
 * What was overdue may come twice, and what went around may be overtaken by what came after it:
 * this is for messages whose readers take them in any order, as delivery reports. What has to keep its order
 * is written into the outbox in the first place.
 */
export class OutboxFallbackBus implements Bus {
  private overdue = 0;
  private isAround = false;

  constructor(
    private readonly bus: Bus,
    private readonly outboxes: readonly Outbox[],
    private readonly logger: Logger,
  ) {}

  async publish(topic: Topic, messages: readonly OutgoingMessage[]): Promise<void> {
    const outbox = this.outboxes.find(({ service }) => service === topic.owner);
    if (outbox && this.overdue > 0) return outbox.write(topic, messages);
    const publishing = this.bus.publish(topic, messages);
    if (!outbox) return publishing;
    const error = await this.failureOf(publishing);
    this.tell(error);
    if (error === undefined) return;
    if (!isTransient(error)) throw error;
    await outbox.write(topic, messages);
  }

  subscribe<Payload>(
    topic: Topic,
    options: SubscriptionOptions,
    handle: (batch: IncomingMessage<Payload>[]) => Promise<void>,
  ): Promise<Subscription> {
    return this.bus.subscribe(topic, options, handle);
  }

  close(): Promise<void> {
    return this.bus.close();
  }

  /** Undefined once it is published. Being late is a failure, too. */
  private failureOf(publishing: Promise<void>): Promise<unknown> {
    return new Promise((resolve) => {
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        this.overdue += 1;
        resolve(new TransientError(`not published within ${patienceMs} ms`));
      }, patienceMs);
      const settled = (error?: unknown) => {
        clearTimeout(timer);
        if (isLate) this.overdue -= 1;
        resolve(error);
      };
      publishing.then(() => settled(), settled);
    });
  }

  /** One line when it begins, and one when it is over. */
  private tell(error: unknown): void {
    const isAround = error !== undefined && isTransient(error);
    if (isAround === this.isAround) return;
    this.isAround = isAround;
    if (isAround)
      this.logger.warn({ err: error }, 'Kafka unavailable, publishing through the outbox');
    else this.logger.info('publishing to Kafka directly again');
  }
}
