import { MicroBatcher } from '@watchword/batching';
import type { Clock } from '@watchword/contracts';
import { crashPoint, type Logger } from '@watchword/observability';
import { DatabaseUnavailable } from '@watchword/postgres';
import type { Receiver, ReceiverCache } from '../endpoints/receiver.cache.js';
import { signedHeaders } from '../payloads/signature.policy.js';
import type { AttemptOutcome, AttemptResult, PendingDelivery } from './delivery.js';
import type { DeliveryStore } from './delivery.store.js';
import { Lanes } from './lanes.js';
import { noteAttempt, traceHeaders } from './measurements.js';
import { decide, leaseSuffices } from './retry-schedule.policy.js';

export interface WebhookPoster {
  post(url: URL, headers: string[], body: Buffer): Promise<AttemptOutcome>;
}

/** Whom to tell that rows of an endpoint are due, and that there is room for them. */
export interface DueRows {
  due(endpointId: string, atMs: number): void;
  hungry(endpointId: string): void;
}

interface Task {
  readonly delivery: PendingDelivery;
  readonly receiver: Receiver;
}

/** The bounds of one process; `lanes.ts` says what they mean. */
const LANES = {
  fastPlaces: 256,
  slowPlaces: 128,
  placesMax: 1_024,
  laneMax: 32,
  waitingMax: 4_096,
  laneWaitingMax: 256,
  slowAfterMs: 1_000,
};

const BATCH_SIZE_MAX = 500;
const BATCH_QUEUE_MAX = 16_384;

/** Beyond this many unrecorded results, attempts wait for theirs to be recorded. */
const UNRECORDED_MAX = 2_048;

/** A result is worth this many tries; then the lease ends and the delivery is attempted again. */
const RECORD_TRIES_MAX = 5;
const RECORD_PAUSE_MS = 500;

const FIXED_HEADERS = ['content-type', 'application/json', 'user-agent', 'Watchword-Webhooks/1.0'];

/**
 * Signs, posts, decides, records. Whatever it holds is leased rows: all of it may be lost at any moment, and
 * is attempted again when the lease ends.
 */
export class DeliverHandler {
  private readonly lanes: Lanes<Task>;
  private readonly recorder: MicroBatcher<AttemptResult, void>;
  private readonly releaser: MicroBatcher<PendingDelivery, void>;
  private rows: DueRows | undefined;
  private stopped = false;

  constructor(
    private readonly store: Pick<DeliveryStore, 'record' | 'release'>,
    private readonly receivers: ReceiverCache,
    private readonly poster: WebhookPoster,
    private readonly clock: Clock,
    private readonly logger: Logger,
    bounds: Partial<typeof LANES> = {},
  ) {
    this.lanes = new Lanes<Task>({
      ...LANES,
      ...bounds,
      attempt: (task) => this.attempt(task),
      giveBack: (tasks) => this.release(tasks.map(({ delivery }) => delivery)),
      hungry: (endpointId) => this.rows?.hungry(endpointId),
    });
    this.recorder = new MicroBatcher<AttemptResult, void>({
      name: 'webhooks.results',
      flush: (results) => this.recordBatch(results),
      sizeMax: BATCH_SIZE_MAX,
      queueMax: BATCH_QUEUE_MAX,
      isolate: (error) => !(error instanceof DatabaseUnavailable),
    });
    this.releaser = new MicroBatcher<PendingDelivery, void>({
      name: 'webhooks.releases',
      flush: (deliveries) => this.releaseBatch(deliveries),
      sizeMax: BATCH_SIZE_MAX,
      queueMax: BATCH_QUEUE_MAX,
    });
  }

  /** The job and the handler know each other; the handler comes first. */
  attach(rows: DueRows): void {
    this.rows = rows;
  }

  due(endpointId: string, atMs: number): void {
    this.rows?.due(endpointId, atMs);
  }

  restingEndpoints(): string[] {
    return this.lanes.resting();
  }

  appetiteOf(endpointId: string): number {
    return this.stopped ? 0 : this.lanes.appetiteOf(endpointId);
  }

  forgetIdle(idleMs: number): void {
    this.lanes.forgetIdle(idleMs);
  }

  /** Takes leased deliveries; what there is no room for goes back. */
  async take(deliveries: readonly PendingDelivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    try {
      await this.receivers.prepare(
        new Map(deliveries.map((each) => [each.endpointId, each.endpointVersion])),
      );
    } catch (error) {
      this.logger.warn({ err: error }, 'webhook endpoints could not be read');
      return this.release(deliveries);
    }
    for (const [endpointId, ofEndpoint] of byEndpoint(deliveries)) {
      const receiver = this.receivers.get(endpointId);
      if (!receiver || this.stopped) {
        this.release(ofEndpoint);
        continue;
      }
      const tasks = ofEndpoint.map((delivery) => ({ delivery, receiver }));
      const refused = this.lanes.offer(endpointId, tasks);
      this.release(refused.map(({ delivery }) => delivery));
    }
  }

  /** What waits goes back to being rows; what runs ends, and is recorded. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.lanes.stop();
    await Promise.all([this.recorder.drain(), this.releaser.drain()]);
  }

  private async attempt({ delivery, receiver }: Task): Promise<void> {
    const attemptedAtMs = this.clock.now();
    if (!leaseSuffices(delivery.leasedUntilMs, attemptedAtMs)) return this.release([delivery]);
    const { event } = delivery;
    const headers = signedHeaders(receiver.keys, event, attemptedAtMs);
    crashPoint('webhooks.deliver.before-post');
    const outcome = await this.poster.post(
      receiver.url,
      [...FIXED_HEADERS, ...headers, ...traceHeaders(delivery)],
      event.body,
    );
    crashPoint('webhooks.deliver.after-post');
    // Cut off by our own stopping: that says nothing about the receiver.
    if (this.stopped && outcome.statusCode === null) return this.release([delivery]);
    const decision = decide(delivery.attemptCount + 1, outcome, this.clock.now());
    noteAttempt(delivery, decision.status, outcome);
    const recorded = this.recorder
      .submit({ delivery, attemptedAtMs, outcome, ...decision })
      .catch((error: unknown) => this.unrecorded(delivery, error));
    if (this.recorder.depth > UNRECORDED_MAX) await recorded;
  }

  private async recordBatch(results: AttemptResult[]): Promise<void[]> {
    await this.persistently(() => this.store.record(results, new Date(this.clock.now())));
    for (const { delivery, nextAttemptAtMs } of results) {
      if (nextAttemptAtMs !== null) this.due(delivery.endpointId, nextAttemptAtMs);
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

  private release(deliveries: readonly PendingDelivery[]): void {
    for (const delivery of deliveries) {
      this.releaser.submit(delivery).catch((error: unknown) => {
        this.logger.warn({ err: error }, 'a webhook delivery rests until its lease ends');
      });
    }
  }

  private async releaseBatch(deliveries: PendingDelivery[]): Promise<void[]> {
    await this.store.release(deliveries);
    const nowMs = this.clock.now();
    for (const { endpointId } of deliveries) this.due(endpointId, nowMs);
    return deliveries.map(() => undefined);
  }
}

function byEndpoint(deliveries: readonly PendingDelivery[]): Map<string, PendingDelivery[]> {
  const groups = new Map<string, PendingDelivery[]>();
  for (const delivery of deliveries) {
    const group = groups.get(delivery.endpointId);
    if (group) group.push(delivery);
    else groups.set(delivery.endpointId, [delivery]);
  }
  return groups;
}
