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

/** The outbox of the service that owns the topics. */
export type Outbox = Pick<OutboxRelay, 'service' | 'write'>;

/** Milliseconds to wait. Publishers wait in turn. */
const PATIENCE_MS = 10_000;

/**
 * A bus that can publish during an outage of Kafka. A message that Kafka does not take within
 * ten seconds goes into the outbox of the topic's owner. The relay carries it to Kafka later.
 *
 * States: direct; around, while Kafka owes an overdue answer: then every message goes into the
 * outbox at once, and the first one after that answer is the probe.
 *
 * An overdue message may come twice, and later ones may overtake one in the outbox. So this is for
 * messages whose readers accept any order, such as delivery reports. Messages that need their order
 * are written into the outbox in the first place.
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

  /** Returns undefined once it is published. A late answer is a failure, too. */
  private failureOf(publishing: Promise<void>): Promise<unknown> {
    return new Promise((resolve) => {
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        this.overdue += 1;
        resolve(new TransientError(`not published within ${PATIENCE_MS} ms`));
      }, PATIENCE_MS);
      const settled = (error?: unknown) => {
        clearTimeout(timer);
        if (isLate) this.overdue -= 1;
        resolve(error);
      };
      publishing.then(() => settled(), settled);
    });
  }

  /** Logs one line at the start of an outage and one at its end. */
  private tell(error: unknown): void {
    const isAround = error !== undefined && isTransient(error);
    if (isAround === this.isAround) return;
    this.isAround = isAround;
    if (isAround)
      this.logger.warn({ err: error }, 'Kafka unavailable, publishing through the outbox');
    else this.logger.info('publishing to Kafka directly again');
  }
}
