import { MicroBatcher } from '@watchword/batching';
import type { ServiceName, Topic } from '@watchword/contracts';
import { crashPoint } from '@watchword/observability';
import type { Queryable } from '@watchword/postgres';
import type { DeadLetter, DeadLetterCount, LagReading, OutgoingMessage } from '../bus.port.js';
import { statementsOf } from './queue-statements.js';

const DELETIONS_MAX = 64;
const INSERTIONS_MAX = 256;
const WAITING_MAX = 10_000;

interface Row {
  message_id: string;
  key: string;
  type: string;
  traceparent: string | null;
  occurred_at: Date;
  payload: string;
}

/** A row of a batch. An empty batch is one row whose other columns are null. */
type Taken = Row & { is_free: boolean };

interface LetterRow {
  message_id: string;
  type: string;
  reader: string;
  position: string;
  reason: string;
  attempts: number;
  failed_at: Date;
}

interface Insertion {
  topic: Topic;
  messages: readonly OutgoingMessage[];
}

interface Deletion {
  topic: string;
  reader: string;
  ids: readonly string[];
}

/** The queue of one service, as its readers use it. */
export class QueueTable {
  private readonly statements: ReturnType<typeof statementsOf>;
  private readonly insertions: MicroBatcher<Insertion, void>;
  private readonly deletions: MicroBatcher<Deletion, void>;

  constructor(
    private readonly database: Queryable,
    private readonly owner: ServiceName,
  ) {
    this.statements = statementsOf(owner);
    this.insertions = new MicroBatcher({
      name: `the queue of ${owner}`,
      flush: (insertions) => this.insertAll(insertions),
      sizeMax: INSERTIONS_MAX,
      queueMax: WAITING_MAX,
    });
    this.deletions = new MicroBatcher({
      name: `handled messages of ${owner}`,
      flush: (deletions) => this.deleteAll(deletions),
      sizeMax: DELETIONS_MAX,
      queueMax: WAITING_MAX,
    });
  }

  /** Makes these the readers of the topics. What waits for others is left to them. */
  async setReaders(
    topics: readonly Topic[],
    groupsOf: (topic: Topic) => readonly string[],
  ): Promise<void> {
    const wanted = topics.flatMap((topic) => groupsOf(topic).map((group) => [topic.name, group]));
    const columns = [wanted.map(([name]) => name), wanted.map(([, group]) => group)];
    await this.database.query(this.statements.setReaders, [...columns, topics.map(nameOf)]);
    await this.database.query(this.statements.moveToReaders, [topics.map(nameOf)]);
  }

  /** Inserts messages. Insertions of the same time share a statement; one runs at a time. */
  async insert(topic: Topic, messages: readonly OutgoingMessage[]): Promise<void> {
    if (messages.length > 0) await this.insertions.submit({ topic, messages });
  }

  /** Claims messages that are due, in order. Another process may claim them after the lease. */
  async claim(topic: Topic, reader: string, limit: number, leaseMs: number) {
    const values = [topic.name, reader, limit, leaseMs];
    const { rows } = await this.database.query<Row>(this.statements.claim, values);
    return rows.map(messageOf);
  }

  /**
   * Deletes the oldest messages of the topic and returns them, in order. They stay if the
   * transaction does not commit. One transaction at a time takes messages of a topic and
   * reader; the others find it busy.
   */
  async take(transaction: Queryable, topic: Topic, reader: string, limit: number) {
    const values = [topic.name, reader, limit];
    const { rows } = await transaction.query<Taken>(this.statements.take, values);
    if (rows[0]?.is_free !== true) return 'busy';
    return rows.filter((row) => row.message_id !== null).map(messageOf);
  }

  /** Returns the names of the topics of which something is due for the reader at the same place. */
  async due(topics: readonly string[], readers: readonly string[]) {
    const { rows } = await this.database.query<{ topic: string; reader: string }>(
      this.statements.due,
      [topics, readers],
    );
    return rows;
  }

  /** Deletes handled messages. Deletions of the same time share a statement. */
  async delete(topic: Topic, reader: string, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.deletions.submit({ topic: topic.name, reader, ids });
  }

  /** Lets the messages be claimed at once. */
  async release(topic: Topic, reader: string, ids: readonly string[]): Promise<void> {
    if (ids.length > 0)
      await this.database.query(this.statements.release, [topic.name, reader, ids]);
  }

  /** Lets all others be claimed at once. */
  async releaseOthers(topic: Topic, reader: string, ids: readonly string[]): Promise<void> {
    await this.database.query(this.statements.releaseOthers, [topic.name, reader, ids]);
  }

  /** Makes the message a dead letter. */
  async fail(topic: Topic, reader: string, id: string, reason: string, attempts: number) {
    crashPoint('bus.bury.before-commit');
    await this.database.query(this.statements.fail, [topic.name, reader, id, reason, attempts]);
    crashPoint('bus.bury.after-commit');
  }

  async deadLetters(topic: Topic, reader: string | null, limit: number): Promise<DeadLetter[]> {
    const values = [topic.name, reader, limit];
    const { rows } = await this.database.query<LetterRow>(this.statements.deadLetters, values);
    return rows.map((row) => ({
      id: row.message_id,
      type: row.type,
      group: row.reader,
      reason: row.reason,
      attempts: row.attempts,
      diedAt: row.failed_at.toISOString(),
      origin: { topic: topic.name, partition: 0, offset: String(row.position) },
    }));
  }

  async countDeadLetters(topics: readonly Topic[]): Promise<DeadLetterCount[]> {
    const { count } = this.statements;
    return (await this.database.query<DeadLetterCount>(count, [topics.map(nameOf)])).rows;
  }

  async replay(topic: Topic, reader: string): Promise<number> {
    const { rowCount } = await this.database.query(this.statements.replay, [topic.name, reader]);
    return rowCount;
  }

  async discard(topic: Topic, reader: string): Promise<number> {
    const { rowCount } = await this.database.query(this.statements.discard, [topic.name, reader]);
    return rowCount;
  }

  /** Returns what waits, of each topic and reader. */
  async lag(topics: readonly Topic[]): Promise<LagReading[]> {
    const { lag } = this.statements;
    return (await this.database.query<LagReading>(lag, [topics.map(nameOf)])).rows;
  }

  /** Ends the insertions and deletions that were begun. */
  async close(): Promise<void> {
    await this.insertions.drain();
    await this.deletions.drain();
  }

  private async insertAll(insertions: readonly Insertion[]): Promise<void[]> {
    const columns: (string | null)[][] = [[], [], [], [], [], [], []];
    for (const { topic, messages } of insertions) {
      for (const message of messages) {
        const { key, id, type, traceparent, time, payload } = message;
        const row = [topic.name, key, id, type, traceparent ?? null, time, payload];
        row.forEach((value, column) => columns[column]!.push(value));
      }
    }
    crashPoint('bus.publish.before-commit');
    await this.database.query(this.statements.insert, columns);
    crashPoint('bus.publish.after-commit');
    return insertions.map(() => undefined);
  }

  private async deleteAll(deletions: readonly Deletion[]): Promise<void[]> {
    const columns: string[][] = [[], [], []];
    for (const { topic, reader, ids } of deletions) {
      for (const id of ids)
        [topic, reader, id].forEach((one, column) => columns[column]!.push(one));
    }
    crashPoint('bus.delete.before-commit');
    await this.database.query(this.statements.delete, columns);
    crashPoint('bus.delete.after-commit');
    return deletions.map(() => undefined);
  }
}

function nameOf({ name }: Topic): string {
  return name;
}

function messageOf(row: Row): OutgoingMessage {
  const { message_id: id, key, type, traceparent, occurred_at, payload } = row;
  return {
    id,
    key,
    type,
    traceparent: traceparent ?? undefined,
    time: occurred_at.toISOString(),
    payload,
  };
}
