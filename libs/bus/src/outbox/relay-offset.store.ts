import type { ServiceName, Topic } from '@watchword/contracts';
import { crashPoint } from '@watchword/observability';
import { type Queryable, statement, type Statement } from '@watchword/postgres';
import { holdsAhead, isAhead, type LoadedPosition, refuseAhead } from './ahead-of-server.js';
import { COUNTED_MAX, isBehind } from './log-position.js';
import type { LogPosition } from './outbox-reader.js';

/** Messages that the relay has not published yet. */
export interface OutboxBacklog {
  service: ServiceName;
  /** Number of messages. Counting stops at `countedMax` per topic. */
  waiting: number;
  /** Age of the oldest of them, in seconds. */
  oldestSeconds: number;
}

/** The relay's offset of each topic, in the service's own schema. */
export class RelayOffsetStore {
  private readonly beginStatement: Statement;
  private readonly loadStatement: Statement;
  private readonly advanceStatement: Statement;
  private readonly pruneStatement: Statement;
  private readonly backlogStatement: Statement;

  constructor(
    private readonly database: Queryable,
    private readonly service: ServiceName,
  ) {
    this.beginStatement = statement(
      `relay-offset-begin-${service}`,
      `INSERT INTO ${service}.outbox_offsets (topic) VALUES ($1) ON CONFLICT (topic) DO NOTHING`,
    );
    this.loadStatement = statement(
      `relay-offset-load-${service}`,
      `SELECT xid, position, ${isAhead()} OR ${holdsAhead(`${service}.outbox`, '$1')} AS "isAhead"
         FROM ${service}.outbox_offsets WHERE topic = $1`,
    );
    // Moves the offset only from where its reader found it, even if another process also assumes
    // it is the relay. It does not wait for the commit: an offset lost in a crash causes a
    // repetition.
    this.advanceStatement = statement(
      `relay-offset-advance-${service}`,
      `UPDATE ${service}.outbox_offsets SET xid = $2::xid8, position = $3::bigint
        WHERE topic = $1 AND (xid, position) = ($4::xid8, $5::bigint)
       RETURNING set_config('synchronous_commit', 'off', true)`,
    );
    this.pruneStatement = statement(
      `relay-prune-${service}`,
      `DELETE FROM ${service}.outbox AS gone USING (
         SELECT b.topic, b.xid, b.position FROM ${service}.outbox_offsets AS o
           JOIN ${service}.outbox AS b
             ON b.topic = o.topic AND (b.xid, b.position) <= (o.xid, o.position)
            AND b.position <= o.position AND NOT ${isAhead('o.xid')}
          WHERE o.topic = $1 AND b.occurred_at < now() - make_interval(secs => $3)
          ORDER BY b.xid, b.position LIMIT $2
       ) AS old
       WHERE gone.topic = old.topic AND gone.xid = old.xid AND gone.position = old.position`,
    );
    this.backlogStatement = statement(
      `relay-backlog-${service}`,
      `SELECT count(behind.occurred_at)::integer AS waiting,
              greatest(coalesce(extract(epoch FROM now() - min(behind.occurred_at)), 0), 0)::float8
                AS "oldestSeconds"
         FROM unnest($1::text[]) AS wanted (topic)
         LEFT JOIN ${service}.outbox_offsets AS o ON o.topic = wanted.topic
         LEFT JOIN LATERAL (
           SELECT occurred_at FROM ${service}.outbox AS b
            WHERE b.topic = wanted.topic AND ${isBehind}
            ORDER BY b.xid, b.position LIMIT ${COUNTED_MAX}
         ) AS behind ON true`,
    );
  }

  /** Returns the relay's position. A new topic starts at the beginning of the log. */
  async load(topic: Topic): Promise<LogPosition> {
    await this.database.query(this.beginStatement, [topic.name]);
    const { rows } = await this.database.query<LoadedPosition>(this.loadStatement, [topic.name]);
    const [row] = rows;
    if (!row) throw new Error(`no relay offset of ${topic.name}`);
    return refuseAhead(row);
  }

  /** Returns false when another relay has moved the position. */
  async advance(topic: Topic, from: LogPosition, to: LogPosition): Promise<boolean> {
    crashPoint('relay.offset.before-commit');
    const values = [topic.name, to.xid, to.position, from.xid, from.position];
    const { rowCount } = await this.database.query(this.advanceStatement, values);
    crashPoint('relay.offset.after-commit');
    return rowCount === 1;
  }

  /** Returns the backlog of all these topics together. */
  async backlog(topics: readonly Topic[]): Promise<OutboxBacklog> {
    const names = topics.map(({ name }) => name);
    const { rows } = await this.database.query<Omit<OutboxBacklog, 'service'>>(
      this.backlogStatement,
      [names],
    );
    const [row] = rows;
    if (!row) throw new Error(`no backlog of ${this.service}`);
    return { service: this.service, ...row };
  }

  /**
   * Deletes up to `limit` of the oldest rows that are published and old enough. Returns the count.
   * The offset must have passed a row by its position, too: see `isBehind`.
   */
  async prune(topic: Topic, limit: number, olderThanSeconds: number): Promise<number> {
    const values = [topic.name, limit, olderThanSeconds];
    const { rowCount } = await this.database.query(this.pruneStatement, values);
    return rowCount;
  }
}
