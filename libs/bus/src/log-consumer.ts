import type { Topic } from '@watchword/contracts';
import { crashPoint, type Logger } from '@watchword/observability';
import { awayDelayMs, BatchRunner, type Delivery, pause, Stopped } from './batch-runner.js';
import type { IncomingMessage, SubscriptionOptions } from './bus.port.js';
import type { DeadLetterStore } from './dead-letter.store.js';
import type { Lease, Leases } from './leases.js';
import { parsePayload } from './message-parser.js';
import type { OffsetStore } from './offset.store.js';
import type { LogEntry, LogPosition, LogRead, OutboxReader } from './outbox-reader.js';
import { WakeUp } from './wake-up.js';

export interface LogConsumerOptions extends Required<SubscriptionOptions> {
  topic: Topic;
  handle: (batch: IncomingMessage[]) => Promise<void>;
  logger: Logger;
  reader: OutboxReader;
  offsets: OffsetStore;
  deadLetters: DeadLetterStore;
  leases: Leases;
  /** How long to sleep when nobody rings: short while notifications cannot reach us. */
  sleepMs: () => number;
}

interface LoggedDelivery extends Delivery {
  readonly entry: LogEntry;
}

/** Between readings of messages that an older transaction holds back. */
const heldDelaysMs = [1, 2, 5, 10, 25, 50, 100, 250];

/**
 * One group's way through one topic's log.
 *
 * States: standing by (no lease), reading, handling, sleeping, closed.
 * - The offset is stored after the batch is handled: a crash in between is a redelivery.
 * - While a full batch is handled, the next one is read; never more than that.
 * - Losing the lease while handling changes nothing for the batch in hand; then we stand by again
 *   and later go on from the stored offset, wherever others have taken it.
 */
export class LogConsumer {
  private readonly stopping = new AbortController();
  private readonly wakeUp = new WakeUp();
  private readonly runner: BatchRunner<LoggedDelivery>;
  private readonly finished: Promise<void>;
  private replayAsked = false;
  private held = 0;

  constructor(private readonly options: LogConsumerOptions) {
    const { topic, group, attemptsMax, logger, deadLetters } = options;
    this.runner = new BatchRunner({
      about: { topic: topic.name, group },
      logger,
      attemptsMax,
      handle: options.handle,
      bury: ({ entry, attempts }, reason) =>
        deadLetters.bury(topic, group, { entry, attempts, reason }),
      signal: this.stopping.signal,
    });
    this.finished = this.live();
  }

  /** There may be something to read. */
  wake(): void {
    this.wakeUp.ring();
  }

  /** There may be dead letters to handle again. */
  wakeForReplay(): void {
    this.replayAsked = true;
    this.wakeUp.ring();
  }

  async close(): Promise<void> {
    this.stopping.abort();
    this.wakeUp.ring();
    await this.finished;
  }

  private get stopped(): boolean {
    return this.stopping.signal.aborted;
  }

  private async live(): Promise<void> {
    const { topic, group, leases, logger } = this.options;
    for (let failures = 0; !this.stopped;) {
      let lease: Lease | undefined;
      try {
        lease = await leases.acquire(`${topic.name} ${group}`, this.stopping.signal);
        await this.consume(lease, () => (failures = 0));
      } catch (error) {
        if (error instanceof Stopped) break;
        if (failures === 0) logger.warn({ topic: topic.name, group, err: error }, 'cannot consume');
        await pause(awayDelayMs(failures++), this.stopping.signal).catch(() => undefined);
      } finally {
        if (lease) await leases.release(lease);
      }
    }
  }

  private async consume(lease: Lease, onProgress: () => void): Promise<void> {
    const { topic, group, offsets } = this.options;
    let position = await offsets.load(topic, group);
    this.replayAsked = true;
    let ahead: Promise<LogRead> | undefined;
    while (!this.stopped && !lease.lost) {
      if (this.replayAsked) await this.replay();
      const { entries, held } = await (ahead ?? this.read(position));
      ahead = undefined;
      onProgress();
      const last = entries.at(-1);
      if (!last) {
        await this.rest(held);
        continue;
      }
      this.held = 0;
      position = last.at;
      if (entries.length === this.options.batchSizeMax) ahead = this.read(position);
      // Looked at when its turn comes; until then a failure is not an unhandled one.
      ahead?.catch(() => undefined);
      await this.process(entries);
      crashPoint('bus-before-offset');
      await offsets.advance(topic, group, position);
      crashPoint('bus-after-offset');
    }
  }

  private read(after: LogPosition): Promise<LogRead> {
    return this.options.reader.read(after, this.options.batchSizeMax);
  }

  /**
   * Nothing to do: until rung; when messages are held back, nobody will ring, so ask again soon.
   */
  private async rest(held: boolean): Promise<void> {
    if (held) {
      const step = Math.min(this.held, heldDelaysMs.length - 1);
      this.held += 1;
      await this.wakeUp.sleep(heldDelaysMs[step] as number);
    } else {
      this.held = 0;
      await this.wakeUp.sleep(this.options.sleepMs());
    }
  }

  private async process(entries: readonly LogEntry[]): Promise<void> {
    const deliveries: LoggedDelivery[] = [];
    for (const entry of entries) {
      const parsed = parsePayload(this.options.topic, entry.payload);
      const { id, key, type, time, traceparent } = entry;
      const payload = 'payload' in parsed ? parsed.payload : undefined;
      const message = { id, key, type, time, traceparent, payload };
      const delivery = { entry, message, attempts: 0 };
      if (parsed.problem === undefined) deliveries.push(delivery);
      else await this.runner.bury(delivery, parsed.problem);
    }
    await this.runner.run(deliveries);
  }

  private async replay(): Promise<void> {
    const { topic, group, deadLetters, batchSizeMax } = this.options;
    this.replayAsked = false;
    for (;;) {
      const entries = await deadLetters.takeReplays(topic, group, batchSizeMax);
      if (entries.length === 0) return;
      await this.process(entries);
      await deadLetters.settle(topic, group, entries);
    }
  }
}
