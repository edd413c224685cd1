import type { Topic } from '@watchword/contracts';
import { createLogger } from '@watchword/observability';
import { createClient } from '@watchword/postgres';
import { type ClonedDatabase, cloneDatabase } from '@watchword/testing';
import { busPlan, provisionBus } from '../postgres/bus.migration.js';
import type { OutgoingMessage } from '../bus.port.js';
import { createMessageQueue } from '../queue/queue.migration.js';
import { type BusTimes, PostgresBus } from '../postgres/postgres-bus.adapter.js';
import type { BusSystem, OpenTransaction } from './environment.kit.js';
import { newTopic } from './messages.kit.js';

export class BillingQueue1763500000000 {
  async up(runner: { query(text: string): Promise<unknown> }): Promise<void> {
    await runner.query(createMessageQueue('billing'));
  }
  async down(): Promise<void> {}
}

class GatewayQueue1763500000000 {
  async up(runner: { query(text: string): Promise<unknown> }): Promise<void> {
    await runner.query(createMessageQueue('gateway'));
  }
  async down(): Promise<void> {}
}

export const logger = createLogger({ service: 'test', level: 'silent' });

/** The embedded bus on its own copy of the test database, on the server that all tests share. */
export class PostgresSystem implements BusSystem {
  private readonly tools: PostgresBus[] = [];

  private constructor(readonly database: ClonedDatabase) {}

  static async start(): Promise<PostgresSystem> {
    const database = await cloneDatabase([
      { schema: 'billing', migrations: [BillingQueue1763500000000] },
      { schema: 'gateway', migrations: [GatewayQueue1763500000000] },
      busPlan,
    ]);
    await provisionBus(database.adminUrl, [newTopic('billing'), newTopic('gateway')]);
    return new PostgresSystem(database);
  }

  open(topics: readonly Topic[], times: Partial<BusTimes> = {}): Promise<PostgresBus> {
    return PostgresBus.open({
      url: this.database.urlOf('bus'),
      logger,
      topics,
      times: { pollEvery: 200, lease: 2_000, ...times },
    });
  }

  /** Publishes as a service does: in its own transaction, under its own role. */
  async begin(topic: Topic, messages: readonly OutgoingMessage[]): Promise<OpenTransaction> {
    const url = this.database.urlOf(topic.owner);
    const client = createClient({ url, applicationName: 'service', schema: topic.owner });
    await client.connect();
    await client.query('BEGIN');
    for (const { key, id, type, time, payload } of messages) {
      await client.query(
        `INSERT INTO message_queue (topic, reader, key, message_id, type, occurred_at, payload)
         SELECT topic, reader, $2, $3, $4, $5, $6 FROM message_queue_readers WHERE topic = $1`,
        [topic.name, key, id, type, time, payload],
      );
    }
    const end = async (how: string) => {
      await client.query(how);
      await client.end();
    };
    return { commit: () => end('COMMIT'), rollBack: () => end('ROLLBACK') };
  }

  /** Cuts the connections of all buses in this database, because they look the same. */
  async cutOff(): Promise<void> {
    await this.admin(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name LIKE 'watchword-bus%' AND datname = current_database()`,
    );
  }

  async deadLetters(topic: Topic, group: string) {
    const letters = await (await this.tool(topic)).listDeadLetters(topic, group, 100);
    return letters.map(({ id, reason, attempts }) => ({ id, reason, attempts }));
  }

  async replayDeadLetters(topic: Topic, group: string): Promise<number> {
    return (await this.tool(topic)).replayDeadLetters(topic, group);
  }

  async discardDeadLetters(topic: Topic, group: string): Promise<number> {
    return (await this.tool(topic)).discardDeadLetters(topic, group);
  }

  async stop(): Promise<void> {
    await Promise.all(this.tools.map((bus) => bus.close()));
    await this.database.drop();
  }

  async admin(text: string, values: unknown[] = []) {
    const client = createClient({ url: this.database.adminUrl, applicationName: 'admin' });
    await client.connect();
    try {
      return (await client.query(text, values)).rows;
    } finally {
      await client.end();
    }
  }

  private toolByTopic = new Map<string, PostgresBus>();

  private async tool(topic: Topic): Promise<PostgresBus> {
    const bus = this.toolByTopic.get(topic.name) ?? (await this.open([topic]));
    if (!this.toolByTopic.has(topic.name)) this.tools.push(bus);
    this.toolByTopic.set(topic.name, bus);
    return bus;
  }
}
