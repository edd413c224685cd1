import { MicroBatcher } from '@watchword/batching';
import type { Clock, EndpointId } from '@watchword/contracts';
import { crashPoint, type Logger } from '@watchword/observability';
import { DatabaseUnavailable } from '@watchword/postgres';
import type { Receiver } from '../endpoints/receiver.cache.js';
import { isSample } from '../payloads/envelope.policy.js';
import { signedHeaders } from '../payloads/signature.policy.js';
import { type Answer, answerOf } from './bounds.js';
import type { AttemptOutcome, AttemptResult, PendingDelivery } from './delivery.js';
import type { DeliveryStore } from './delivery.store.js';
import { messageOf, noteAttempt, traceHeaders } from './measurements.js';
import { decide, leaseSuffices } from './retry-schedule.policy.js';

export interface WebhookPoster {
  post(url: URL, headers: string[], body: Buffer): Promise<AttemptOutcome>;
}

export interface Task {
  readonly delivery: PendingDelivery;
  readonly receiver: Receiver;
}

/** Effects of results, once they are written. */
export interface AttemptEffects {
  /** A row of the endpoint is due then. */
  due(endpointId: EndpointId, atMs: number): void;
  /** Untested endpoints answered a test event with 2xx. */
  passedTest(endpointIds: readonly EndpointId[]): Promise<void>;
  /** Recorded attempts disabled these endpoints. */
  disabled(endpointIds: readonly EndpointId[]): void;
}

const BATCH_SIZE_MAX = 500;
const BATCH_QUEUE_MAX = 16_384;

/**
 * Milliseconds that a result waits for others, to be one statement with them. The lease covers a
 * crash meanwhile: the delivery is attempted again, as after any crash between POST and record.
 */
const RECORD_LINGER_MS = 200;

/** Beyond this many unrecorded results, attempts wait for theirs to be recorded. */
const UNRECORDED_MAX = 2_048;

/** A result is worth this many tries; then the lease ends and the delivery is attempted again. */
const RECORD_TRIES_MAX = 5;
const RECORD_PAUSE_MS = 500;

const FIXED_HEADERS = ['content-type', 'application/json', 'user-agent', 'Watchword-Webhooks/1.0'];

/** Makes one attempt: signs, posts, decides, records. The scheduler says when. */
export class AttemptHandler {
  private readonly recorder: MicroBatcher<AttemptResult, void>;
  private readonly releaser: MicroBatcher<PendingDelivery, void>;
  private isStopping = false;

  constructor(
    private readonly store: Pick<DeliveryStore, 'record' | 'release'>,
    private readonly poster: WebhookPoster,
    private readonly effects: AttemptEffects,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {
    this.recorder = new MicroBatcher<AttemptResult, void>({
      name: 'webhooks.results',
      flush: (results) => this.recordBatch(results),
      sizeMax: BATCH_SIZE_MAX,
      queueMax: BATCH_QUEUE_MAX,
      lingerMs: RECORD_LINGER_MS,
      isolate: (error) => !(error instanceof DatabaseUnavailable),
    });
    this.releaser = new MicroBatcher<PendingDelivery, void>({
      name: 'webhooks.releases',
      flush: (deliveries) => this.releaseBatch(deliveries),
      sizeMax: BATCH_SIZE_MAX,
      queueMax: BATCH_QUEUE_MAX,
    });
  }

  /** From now on, this process itself may have cut off an attempt without an answer. */
  stopping(): void {
    this.isStopping = true;
  }

  async drained(): Promise<void> {
    await Promise.all([this.recorder.drain(), this.releaser.drain()]);
  }

  /** Returns null when there was no POST. */
  async attempt({ delivery, receiver }: Task): Promise<Answer | null> {
    const attemptedAtMs = this.clock.now();
    if (!leaseSuffices(delivery.leasedUntilMs, attemptedAtMs)) {
      this.release([delivery]);
      return null;
    }
    crashPoint('webhooks.deliver.before-post');
    const outcome = await this.poster.post(...request(delivery, receiver, attemptedAtMs));
    crashPoint('webhooks.deliver.after-post');
    if (this.isStopping && outcome.statusCode === null) {
      this.release([delivery]);
      return null;
    }
    const { attemptCount, event } = delivery;
    const decision = decide(attemptCount + 1, outcome, this.clock.now(), !isSample(event.body));
    const passedTest = receiver.isUntested && decision.status === 'delivered';
    noteAttempt(delivery, decision.status, outcome, attemptedAtMs);
    this.log(delivery, decision.status, outcome);
    this.logDetails(delivery, receiver, outcome);
    const recorded = this.recorder
      .submit({ delivery, attemptedAtMs, outcome, passedTest, ...decision })
      .catch((error: unknown) => this.unrecorded(delivery, error));
    if (this.recorder.depth > UNRECORDED_MAX) await recorded;
    return answerOf(outcome);
  }

  /** The last step of a message, by its id; an event of a workspace has none. */
  private log(delivery: PendingDelivery, status: string, { statusCode }: AttemptOutcome): void {
    if (!this.logger.isLevelEnabled('info')) return;
    const { workspaceId, deliveryId, endpointId, attemptCount, event } = delivery;
    const messageId = messageOf(event.body);
    const about = { messageId, workspaceId, deliveryId, endpointId, event: event.type };
    const said = status === 'pending' ? 'webhook to be retried' : `webhook ${status}`;
    this.logger.info({ ...about, attempt: attemptCount + 1, statusCode }, said);
  }

  /** The path and the query of a URL may hold a secret. */
  private logDetails(
    { deliveryId, endpointId }: PendingDelivery,
    { url, pace }: Receiver,
    { statusCode, error, latencyMs }: AttemptOutcome,
  ): void {
    if (!this.logger.isLevelEnabled('debug')) return;
    const about = { deliveryId, endpointId, origin: url.origin, pace };
    this.logger.debug({ ...about, statusCode, error, ms: latencyMs }, 'webhook attempt');
  }

  /** Makes deliveries due again that this process will not attempt. */
  release(deliveries: readonly PendingDelivery[]): void {
    for (const delivery of deliveries) {
      this.releaser.submit(delivery).catch((error: unknown) => {
        this.logger.warn({ err: error }, 'releasing a webhook delivery failed, its lease will end');
      });
    }
  }

  private async recordBatch(results: AttemptResult[]): Promise<void[]> {
    const passed = results.filter(({ passedTest }) => passedTest);
    await this.persistently(async () => {
      if (passed.length > 0) {
        await this.effects.passedTest(passed.map(({ delivery }) => delivery.endpointId));
      }
      const disabled = await this.store.record(results, new Date(this.clock.now()));
      if (disabled.length > 0) this.effects.disabled(disabled);
    });
    for (const { delivery, nextAttemptAtMs } of results) {
      if (nextAttemptAtMs !== null) this.effects.due(delivery.endpointId, nextAttemptAtMs);
    }
    return results.map(() => undefined);
  }

  /** Recording twice changes nothing, so an unknown outcome is tried again like a known failure. */
  private async persistently(work: () => Promise<void>): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable) || tries === RECORD_TRIES_MAX) throw error;
        await new Promise((resolve) => setTimeout(resolve, RECORD_PAUSE_MS));
      }
    }
  }

  private unrecorded({ deliveryId }: PendingDelivery, error: unknown): void {
    this.logger.error({ err: error, deliveryId }, 'a webhook attempt could not be recorded');
  }

  private async releaseBatch(deliveries: PendingDelivery[]): Promise<void[]> {
    await this.store.release(deliveries);
    const nowMs = this.clock.now();
    for (const { endpointId } of deliveries) this.effects.due(endpointId, nowMs);
    return deliveries.map(() => undefined);
  }
}

/** Returns URL, headers as name and value, and body of the POST. */
export function request(
  delivery: PendingDelivery,
  { url, keys }: Pick<Receiver, 'url' | 'keys'>,
  atMs: number,
): [URL, string[], Buffer] {
  const headers = [
    ...FIXED_HEADERS,
    ...signedHeaders(keys, delivery.event, atMs),
    ...traceHeaders(delivery),
  ];
  return [url, headers, delivery.event.body];
}
