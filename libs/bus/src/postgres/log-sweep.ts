import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceName, Topic } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import type { Queryable } from '@watchword/postgres';
import type { OffsetStore } from './offset.store.js';
import type { LogPosition } from '../outbox/outbox-reader.js';

export interface SweptRow {
  readonly at: LogPosition;
  readonly id: string;
}

/** A consumer as the sweep sees it. */
export interface Swept {
  readonly sweptFrom: LogPosition | undefined;
  readonly isSuspicious: boolean;
  /** Whether it handles or has handled messages that no sweep has passed. */
  readonly isUnswept: boolean;
  sweep(rows: readonly SweptRow[]): LogPosition | undefined;
  moveTo(position: LogPosition, stored: Promise<boolean>): void;
}

export interface SweepOptions {
  database: Queryable;
  offsets: OffsetStore;
  logger: Logger;
  /** Milliseconds between two sweeps. */
  everyMs: number;
  consumers: () => Iterable<readonly [Swept, { topic: Topic; group: string }]>;
  /**
   * Called with the number of buses on this database, this one included, and one topic per group
   * that has ever read.
   */
  onNeighbours: (buses: number, topicOfGroups: readonly string[]) => void;
}

/** Milliseconds. A row may be found before its write has returned, so it is read again soon. */
const SUSPICIOUS_MS = 200;
/** Milliseconds between the last looks, at a stop. */
const LAST_LOOKS_EVERY_MS = 20;
const LAST_LOOKS_MAX = 10;
/** Most rows of one consumer in a sweep. The next sweep follows at once. */
const ROWS_MAX = 2_000;

interface Row {
  consumer: number;
  xid: string;
  position: number;
  id: string | null;
}

/**
 * Reads the logs of all consumers of a process every `everyMs`, with one statement. It passes the
 * rows that they have handled, and stores their positions with one more statement. Rows that were
 * not handed over are then read by their consumer.
 *
 * Only rows that no running transaction can precede are read, without their payloads.
 */
export class LogSweep {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private isClosed = false;

  constructor(private readonly options: SweepOptions) {}

  start(): void {
    this.plan(0);
  }

  /**
   * Looks until all handled rows are passed, so that a clean stop leaves nothing to repeat. A
   * running batch or an older transaction can delay that; the wait is short.
   */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    await this.running;
    for (let looks = 1; looks <= LAST_LOOKS_MAX; looks += 1) {
      await this.sweep().catch(() => undefined);
      if (![...this.options.consumers()].some(([consumer]) => consumer.isUnswept)) return;
      await sleep(LAST_LOOKS_EVERY_MS);
    }
  }

  private plan(delayMs: number): void {
    this.timer = setTimeout(() => {
      this.running = this.sweepQuietly().then((nextMs) => {
        if (!this.isClosed) this.plan(nextMs);
      });
    }, delayMs);
    this.timer.unref();
  }

  private async sweepQuietly(): Promise<number> {
    try {
      return await this.sweep();
    } catch (error) {
      this.options.logger.debug({ err: error }, 'reading the logs failed, retrying');
      return this.options.everyMs;
    }
  }

  /** Returns the milliseconds until the next look. */
  private async sweep(): Promise<number> {
    const { consumers, database, onNeighbours } = this.options;
    const swept = [...consumers()].flatMap(([consumer, { topic, group }]) => {
      const from = consumer.sweptFrom;
      return from ? [{ consumer, topic, group, from }] : [];
    });
    const { rows } = await database.query<Row>(
      textOf([...new Set(swept.map(({ topic }) => topic.owner))].toSorted()),
      swept.length === 0
        ? []
        : [
            swept.map(({ topic }) => topic.name),
            swept.map(({ from }) => from.xid),
            swept.map(({ from }) => from.position),
            ROWS_MAX,
          ],
    );
    const rowsOf = Map.groupBy(rows, ({ consumer }) => consumer);
    const neighbours = rowsOf.get(0)?.[0];
    onNeighbours(neighbours?.position ?? 0, neighbours?.id?.split(',') ?? []);
    let isFull = false;
    const moves = swept.flatMap((one, index) => {
      const found = rowsOf.get(index + 1) ?? [];
      isFull ||= found.length === ROWS_MAX;
      // The consumer may have read on meanwhile.
      if (one.consumer.sweptFrom !== one.from) return [];
      const to = one.consumer.sweep(
        found.map(({ xid, position, id }) => ({ at: { xid, position }, id: id ?? '' })),
      );
      return to ? [{ ...one, to }] : [];
    });
    await this.store(moves);
    if (swept.some(({ consumer }) => consumer.isSuspicious)) return SUSPICIOUS_MS;
    return isFull ? 0 : this.options.everyMs;
  }

  private async store(
    moves: readonly {
      consumer: Swept;
      topic: Topic;
      group: string;
      from: LogPosition;
      to: LogPosition;
    }[],
  ): Promise<void> {
    if (moves.length === 0) return;
    const storing = this.options.offsets.advanceAll(
      moves.map(({ topic, group, from, to }) => ({ topic: topic.name, group, from, to })),
    );
    for (const { consumer, topic, group, to } of moves) {
      consumer.moveTo(
        to,
        storing.then((names) => names.has(`${topic.name} ${group}`)),
      );
    }
    await storing;
  }
}

/** Returns the statement. Row 0 describes the neighbours. */
function textOf(owners: readonly ServiceName[]): string {
  const buses = `SELECT 0 AS consumer, '0'::xid8 AS xid, count(*) AS position,
            (SELECT string_agg(topic, ',') FROM bus.offsets) AS id
       FROM pg_stat_activity
      WHERE application_name = 'watchword-bus-control' AND datname = current_database()`;
  const logs = owners.map(
    (owner) => `
     SELECT c.ordinal::integer, l.xid, l.position, l.message_id
       FROM unnest($1::text[], $2::xid8[], $3::bigint[])
         WITH ORDINALITY AS c (topic, xid, position, ordinal)
      CROSS JOIN LATERAL (
        SELECT xid, position, message_id FROM ${owner}.outbox AS o
         WHERE o.topic = c.topic AND (o.xid, o.position) > (c.xid, c.position)
           AND o.xid < pg_snapshot_xmin(pg_current_snapshot())
         ORDER BY o.xid, o.position LIMIT $4
      ) AS l`,
  );
  return [buses, ...logs].join('\n UNION ALL') + ' ORDER BY consumer, xid, position';
}
