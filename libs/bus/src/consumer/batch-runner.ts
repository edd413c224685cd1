import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@watchword/observability';
import { describeDatabaseError } from '@watchword/postgres';
import type { IncomingMessage } from '../bus.port.js';
import { causesOf } from './causes.js';
import { countDeadLetter } from './measurements.js';
import { isTransient } from './transient-errors.js';

/**
 * Handles a batch to its end; the same for every adapter of the bus.
 *
 * - All at once. When that fails, in parts of about the square root of its size, and the parts that
 *   fail one by one: at most two failed calls point at the poison, and its neighbours are done.
 * - A message that fails alone is set aside, with all later ones of its key, so that their order
 *   holds. What is aside is tried again with growing delay; a message that has failed `attemptsMax`
 *   times is buried, and its key goes on. All delays of a batch together are well under a second,
 *   however many fail: those that come to their turn later are tried without any. Neighbours that
 *   arrive meanwhile wait no longer than that.
 * - A message that cannot be read is buried while its neighbours are handled.
 * - While an error says that the world is away, the same call is repeated for ever: no message is to
 *   blame, and nothing is counted.
 *
 * When `run` resolves, every message is handled or buried. It rejects only with `Stopped`; then the
 * batch must not be acknowledged.
 */
export interface Delivery {
  readonly message: IncomingMessage;
  /** Failed calls of the handler that this message was part of. */
  attempts: number;
}

export interface BatchRunnerOptions<Held extends Delivery> {
  /** For the log and the count of dead letters. */
  about: { readonly topic: string; readonly group: string };
  logger: Logger;
  attemptsMax: number;
  handle: (batch: IncomingMessage[]) => Promise<void>;
  /** Writes the dead letter; repeated until it succeeds. */
  bury: (delivery: Held, reason: string) => Promise<void>;
  /** Aborted to stop the waiting between tries; a call of the handler is always waited for. */
  signal: AbortSignal;
}

/** A message that cannot even be given to the handler. */
export interface Unreadable<Held extends Delivery> {
  delivery: Held;
  problem: string;
}

/** The subscription was closed while the batch waited for its next try. */
export class Stopped extends Error {
  constructor() {
    super('stopped before the batch was handled');
    this.name = 'Stopped';
  }
}

/** Letters cost a write each, and a poisoned batch may be all of them. */
const buriedAtOnce = 16;
/** Of one batch. */
const retryDelaysMs = [50, 100, 150, 250];
/** Handlers are not called more often than that for nothing; connections are looked for sooner. */
const handlerDelayMaxMs = 1_000;
const awayDelayMaxMs = 250;
const reasonLengthMax = 500;

type Outcome = { ok: true } | { ok: false; error: unknown };

export class BatchRunner<Held extends Delivery> {
  constructor(private readonly options: BatchRunnerOptions<Held>) {}

  async run(batch: readonly Held[], unreadable: readonly Unreadable<Held>[] = []): Promise<void> {
    await allEnded([this.handleAll(batch), this.buryAll(unreadable)]);
  }

  private async handleAll(batch: readonly Held[]): Promise<void> {
    if (batch.length === 0) return;
    const first = await this.attempt(batch);
    if (first.ok) return;
    const aside = new Lanes<Held>();
    if (batch.length === 1) aside.add(batch[0] as Held, first.error);
    else await this.split(batch, aside);
    await this.finish(aside);
  }

  /** Handles all that can be handled at once, and leaves the rest aside. */
  private async split(batch: readonly Held[], aside: Lanes<Held>): Promise<void> {
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

  /** Round after round, until nothing is left aside. */
  private async finish(aside: Lanes<Held>): Promise<void> {
    for (let round = 0; aside.size > 0; round += 1) {
      await this.buryExhausted(aside);
      if (aside.size === 0) return;
      const delayMs = retryDelaysMs[round];
      if (delayMs !== undefined) await this.pause(delayMs);
      for (const lane of aside.all()) await this.advance(lane, aside);
    }
  }

  /** Handles a lane from its head until a message fails. */
  private async advance(lane: Lane<Held>, aside: Lanes<Held>): Promise<void> {
    for (const head of lane.waiting.slice()) {
      const outcome = await this.attempt([head]);
      if (!outcome.ok) {
        lane.error = outcome.error;
        return;
      }
      aside.removeHead(lane);
    }
  }

  private async buryExhausted(aside: Lanes<Held>): Promise<void> {
    const exhausted = aside
      .all()
      .filter((lane) => headOf(lane).attempts >= this.options.attemptsMax);
    await this.buryAll(
      exhausted.map((lane) => ({ delivery: headOf(lane), problem: reasonOf(lane.error) })),
    );
    for (const lane of exhausted) {
      aside.removeHead(lane);
      if (lane.waiting.length > 0) await this.advance(lane, aside);
    }
  }

  /** One call of the handler that says something about the messages: not that the world is away. */
  private async attempt(deliveries: readonly Held[]): Promise<Outcome> {
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
        await this.pause(awayDelayMs(tries, handlerDelayMaxMs));
      }
    }
  }

  /** Those of one key in their order; no write is left under way. */
  private async buryAll(lost: readonly Unreadable<Held>[]): Promise<void> {
    const lanes = [...Map.groupBy(lost, ({ delivery }) => delivery.message.key).values()];
    for (let from = 0; from < lanes.length; from += buriedAtOnce) {
      const some = lanes.slice(from, from + buriedAtOnce);
      await allEnded(some.map((lane) => this.buryInOrder(lane)));
    }
  }

  private async buryInOrder(lane: readonly Unreadable<Held>[]): Promise<void> {
    for (const { delivery, problem } of lane) await this.bury(delivery, problem);
  }

  private async bury(delivery: Held, reason: string): Promise<void> {
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
        await this.pause(awayDelayMs(tries));
      }
    }
  }

  private async pause(delayMs: number): Promise<void> {
    await pause(delayMs, this.options.signal);
  }
}

interface Lane<Held> {
  readonly key: string;
  /** Never empty; the head is the one that failed with `error`. */
  readonly waiting: Held[];
  error: unknown;
}

/** Rejects as the first that does, when nothing is under way any more. */
async function allEnded(works: Promise<void>[]): Promise<void> {
  const ends = await Promise.allSettled(works);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

function headOf<Held>(lane: Lane<Held>): Held {
  return lane.waiting[0] as Held;
}

/** Messages that wait, by key, each key in its order. */
class Lanes<Held extends Delivery> {
  private readonly byKey = new Map<string, Lane<Held>>();

  get size(): number {
    return this.byKey.size;
  }

  all(): Lane<Held>[] {
    return [...this.byKey.values()];
  }

  add(failed: Held, error: unknown): void {
    const { key } = failed.message;
    this.byKey.set(key, { key, waiting: [failed], error });
  }

  /** Lines up behind an earlier message of the same key; false when there is none. */
  addBehind(later: Held): boolean {
    const lane = this.byKey.get(later.message.key);
    lane?.waiting.push(later);
    return lane !== undefined;
  }

  removeHead(lane: Lane<Held>): void {
    lane.waiting.shift();
    if (lane.waiting.length === 0) this.byKey.delete(lane.key);
  }
}

/** Sleeps; rejects with `Stopped` as soon as the signal is aborted. */
export async function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  await sleep(delayMs, undefined, { signal }).catch(() => {
    throw new Stopped();
  });
}

export function awayDelayMs(tries: number, maxMs = awayDelayMaxMs): number {
  return Math.min(maxMs, 25 * 2 ** Math.min(tries, 10));
}

/**
 * Name and message only: stacks and fields may quote the message that failed. So do the texts of
 * PostgreSQL, and those of a parser: of these only what they are, which is also what lets the letters
 * of one cause be counted together.
 */
export function reasonOf(error: unknown): string {
  const ofDatabase = causesOf(error).map(describeDatabaseError).find(Boolean);
  if (ofDatabase !== undefined) return `database: ${ofDatabase}`;
  if (error instanceof SyntaxError) return error.name;
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.slice(0, reasonLengthMax);
}
