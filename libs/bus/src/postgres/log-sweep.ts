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

/** A consumer, as far as the sweep knows it. */
export interface Swept {
  readonly sweptFrom: LogPosition | undefined;
  readonly isSuspicious: boolean;
  /** It handles or has handled messages that no sweep has passed. */
  readonly isUnswept: boolean;
  sweep(rows: readonly SweptRow[]): LogPosition | undefined;
  moveTo(position: LogPosition, stored: Promise<boolean>): void;
}

export interface SweepOptions {
  database: Queryable;
  offsets: OffsetStore;
  logger: Logger;
  consumers: () => Iterable<readonly [Swept, { topic: Topic; group: string }]>;
  /** How many buses have this database, this one included, and of which topics groups have read: one for each. */
  onNeighbours: (buses: number, topicOfGroups: readonly string[]) => void;
}

const EVERY_MS = 1_000;
/** Rows may be found before the answer of their write; they are looked at again soon. */
const SUSPICIOUS_MS = 200;
/** At a stop. */
const LAST_LOOKS_EVERY_MS = 20;
const LAST_LOOKS_MAX = 10;
/** Of one consumer. More of them are left to the next sweep, which then comes at once. */
const ROWS_MAX = 2_000;

interface Row {
  consumer: number;
  xid: string;
  position: number;
  id: string | null;
}

/**
 * Looks at the logs of all consumers of a process at once, once a second, with one statement: what they have handled
 * is passed, and how far that is stored, with one statement more; what was not handed over they read then.
 *
 * Only rows are looked at that no running transaction can come before. Payloads are not read.
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
   * Looks until all that was handled is passed, so that a clean stop leaves nothing to be handled again. A batch that is
   * still handled, or another transaction that is older, can hold that up; it is not waited for long.
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
      return EVERY_MS;
    }
  }

  /** Answers when to look again. */
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
      // It may have read on meanwhile.
      if (one.consumer.sweptFrom !== one.from) return [];
      const to = one.consumer.sweep(
        found.map(({ xid, position, id }) => ({ at: { xid, position }, id: id ?? '' })),
      );
      return to ? [{ ...one, to }] : [];
    });
    await this.store(moves);
    if (swept.some(({ consumer }) => consumer.isSuspicious)) return SUSPICIOUS_MS;
    return isFull ? 0 : EVERY_MS;
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

/** Row 0 says which neighbours there are. */
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
