import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@watchword/observability';
import { describeDatabaseError } from '@watchword/postgres';
import type { IncomingMessage } from '../bus.port.js';
import { causesOf } from './causes.js';
import { countDeadLetter } from './measurements.js';
import { isTransient } from './transient-errors.js';

/**
 * Handles a batch completely. Every adapter of the bus uses it.
 *
 * - First, all messages at once. If that fails, parts of about the square root of the size, then
 *   the messages of failing parts one by one. So at most two failed calls isolate a bad message,
 *   and its neighbours are done.
 * - A message that fails alone is set aside with all later messages of its key, which keeps their
 *   order. It is retried with growing delay, buried after `attemptsMax` failures, and its key
 *   continues. The delays of a batch add up to less than a second, however many messages fail:
 *   messages retried later have no delay. Neighbours that arrive meanwhile wait no longer than
 *   that.
 * - A message that cannot be parsed is buried while its neighbours are handled.
 * - While an error means that the environment is unavailable, the same call is repeated without
 *   end. No failure is counted.
 *
 * When `run` resolves, every message is handled or buried. It rejects only with `Stopped`; then the
 * batch must not be acknowledged.
 */
export interface Delivery {
  readonly message: IncomingMessage;
  /** Failed calls of the handler that included this message. */
  attempts: number;
}

export interface BatchRunnerOptions<Item extends Delivery> {
  /** Topic and group, for the log and the count of dead letters. */
  about: { readonly topic: string; readonly group: string };
  logger: Logger;
  attemptsMax: number;
  handle: (batch: IncomingMessage[]) => Promise<void>;
  /** Writes the dead letter. It is repeated until it succeeds. */
  bury: (delivery: Item, reason: string) => Promise<void>;
  /** Ends the pauses between tries. A running call of the handler is always awaited. */
  signal: AbortSignal;
  /** Sleeps between tries. Specs give their own. */
  pause?: typeof pause;
}

/** A message that cannot be parsed. */
export interface Unreadable<Item extends Delivery> {
  delivery: Item;
  problem: string;
}

/** The subscription was closed during a pause between tries. */
export class Stopped extends Error {
  constructor() {
    super('stopped before the batch was handled');
    this.name = 'Stopped';
  }
}

/** Dead letters written at the same time. Each costs a write, and a whole batch may be bad. */
const BURIED_AT_ONCE = 16;
/** Milliseconds between the tries of one batch. */
const RETRY_DELAYS_MS = [50, 100, 150, 250];
/**
 * Longest pause in milliseconds while the environment is unavailable. Connections are tried sooner.
 */
const HANDLER_DELAY_MAX_MS = 1_000;
const UNAVAILABLE_DELAY_MAX_MS = 250;
const REASON_LENGTH_MAX = 500;

type Outcome = { ok: true } | { ok: false; error: unknown };

export class BatchRunner<Item extends Delivery> {
  constructor(private readonly options: BatchRunnerOptions<Item>) {}

  async run(batch: readonly Item[], unreadable: readonly Unreadable<Item>[] = []): Promise<void> {
    await allEnded([this.handleAll(batch), this.buryAll(unreadable)]);
  }

  private async handleAll(batch: readonly Item[]): Promise<void> {
    if (batch.length === 0) return;
    const first = await this.attempt(batch);
    if (first.ok) return;
    const aside = new KeyQueues<Item>();
    if (batch.length === 1) aside.add(batch[0] as Item, first.error);
    else await this.split(batch, aside);
    await this.finish(aside);
  }

  /** Handles every message it can and sets the others aside. */
  private async split(batch: readonly Item[], aside: KeyQueues<Item>): Promise<void> {
    const size = Math.ceil(Math.sqrt(batch.length));
    for (let start = 0; start < batch.length; start += size) {
      const part = batch.slice(start, start + size).filter((one) => !aside.addBehind(one));
      if (part.length === 0 || (await this.attempt(part)).ok) continue;
      for (const one of part) {
        if (aside.addBehind(one)) continue;
        const alone = await this.attempt([one]);
        if (!alone.ok) aside.add(one, alone.error);
      }
    }
  }

  /** Repeats rounds until no message is aside. */
  private async finish(aside: KeyQueues<Item>): Promise<void> {
    for (let round = 0; aside.size > 0; round += 1) {
      await this.buryExhausted(aside);
      if (aside.size === 0) return;
      const delayMs = RETRY_DELAYS_MS[round];
      if (delayMs !== undefined) await this.pause(delayMs);
      for (const queue of aside.all()) await this.advance(queue, aside);
    }
  }

  /** Handles a queue from its head until a message fails. */
  private async advance(queue: KeyQueue<Item>, aside: KeyQueues<Item>): Promise<void> {
    for (const head of queue.waiting.slice()) {
      const outcome = await this.attempt([head]);
      if (!outcome.ok) {
        queue.error = outcome.error;
        return;
      }
      aside.removeHead(queue);
    }
  }

  private async buryExhausted(aside: KeyQueues<Item>): Promise<void> {
    const exhausted = aside
      .all()
      .filter((queue) => headOf(queue).attempts >= this.options.attemptsMax);
    await this.buryAll(
      exhausted.map((queue) => ({ delivery: headOf(queue), problem: reasonOf(queue.error) })),
    );
    for (const queue of exhausted) {
      aside.removeHead(queue);
      if (queue.waiting.length > 0) await this.advance(queue, aside);
    }
  }

  /** Calls the handler until the answer is about the messages and not about the environment. */
  private async attempt(deliveries: readonly Item[]): Promise<Outcome> {
    const { logger, about, handle } = this.options;
    for (let tries = 0; ; tries += 1) {
      try {
        await handle(deliveries.map((delivery) => delivery.message));
        return { ok: true };
      } catch (error) {
        if (!isTransient(error)) {
          for (const delivery of deliveries) delivery.attempts += 1;
          const count = deliveries.length;
          logger.warn({ ...about, count, reason: reasonOf(error) }, 'a batch failed');
          return { ok: false, error };
        }
        if (tries === 0)
          logger.warn({ ...about, reason: reasonOf(error) }, 'dependency unavailable, retrying');
        await this.pause(unavailableDelayMs(tries, HANDLER_DELAY_MAX_MS));
      }
    }
  }

  /** Buries messages, those of one key in order. Waits for all writes, also when one fails. */
  private async buryAll(lost: readonly Unreadable<Item>[]): Promise<void> {
    const queues = [...Map.groupBy(lost, ({ delivery }) => delivery.message.key).values()];
    for (let from = 0; from < queues.length; from += BURIED_AT_ONCE) {
      const some = queues.slice(from, from + BURIED_AT_ONCE);
      await allEnded(some.map((queue) => this.buryInOrder(queue)));
    }
  }

  private async buryInOrder(queue: readonly Unreadable<Item>[]): Promise<void> {
    for (const { delivery, problem } of queue) await this.bury(delivery, problem);
  }

  private async bury(delivery: Item, reason: string): Promise<void> {
    const { logger, about } = this.options;
    const messageId = delivery.message.id;
    for (let tries = 0; ; tries += 1) {
      try {
        await this.options.bury(delivery, reason);
        countDeadLetter(about.topic, about.group);
        logger.error({ ...about, messageId, reason }, 'a message went to the dead letters');
        return;
      } catch (error) {
        if (tries === 0)
          logger.error(
            { ...about, messageId, err: error },
            'writing a dead letter failed, retrying',
          );
        await this.pause(unavailableDelayMs(tries));
      }
    }
  }

  private async pause(delayMs: number): Promise<void> {
    await (this.options.pause ?? pause)(delayMs, this.options.signal);
  }
}

interface KeyQueue<Item> {
  readonly key: string;
  /** Never empty. Its first message is the one that failed with `error`. */
  readonly waiting: Item[];
  error: unknown;
}

/** Waits for all works, then rejects with the first failure. */
async function allEnded(works: Promise<void>[]): Promise<void> {
  const ends = await Promise.allSettled(works);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

function headOf<Item>(queue: KeyQueue<Item>): Item {
  return queue.waiting[0] as Item;
}

/** Messages set aside: one ordered queue per key. */
class KeyQueues<Item extends Delivery> {
  private readonly byKey = new Map<string, KeyQueue<Item>>();

  get size(): number {
    return this.byKey.size;
  }

  all(): KeyQueue<Item>[] {
    return [...this.byKey.values()];
  }

  add(failed: Item, error: unknown): void {
    const { key } = failed.message;
    this.byKey.set(key, { key, waiting: [failed], error });
  }

  /** Appends to the queue of the same key. Returns false when the key has none. */
  addBehind(later: Item): boolean {
    const queue = this.byKey.get(later.message.key);
    queue?.waiting.push(later);
    return queue !== undefined;
  }

  removeHead(queue: KeyQueue<Item>): void {
    queue.waiting.shift();
    if (queue.waiting.length === 0) this.byKey.delete(queue.key);
  }
}

/** Sleeps. Rejects with `Stopped` as soon as the signal is aborted. */
export async function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  await sleep(delayMs, undefined, { signal }).catch(() => {
    throw new Stopped();
  });
}

export function unavailableDelayMs(tries: number, maxMs = UNAVAILABLE_DELAY_MAX_MS): number {
  return Math.min(maxMs, 25 * 2 ** Math.min(tries, 10));
}

/**
 * Returns an error's name and message. Stacks and fields may quote the failed message. Texts of
 * PostgreSQL and of parsers may, too: these are replaced by their kind, so that letters of one
 * cause can be counted together.
 */
export function reasonOf(error: unknown): string {
  const ofDatabase = causesOf(error).map(describeDatabaseError).find(Boolean);
  if (ofDatabase !== undefined) return `database: ${ofDatabase}`;
  if (error instanceof SyntaxError) return error.name;
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.slice(0, REASON_LENGTH_MAX);
}
