import type { Topic } from '@watchword/contracts';
import { createLogger } from '@watchword/observability';
import { createClient } from '@watchword/postgres';
import { type ClonedDatabase, cloneDatabase } from '@watchword/testing';
import { message, newTopic, range } from '../contract/messages.kit.js';
import { createOutbox } from '../outbox/outbox.migration.js';
import { busPlan, provisionBus } from '../postgres/bus.migration.js';
import { repairOutboxes } from './repair-outboxes.js';

class BillingOutbox1763500000003 {
  async up(runner: { query(text: string): Promise<unknown> }): Promise<void> {
    await runner.query(createOutbox('billing'));
  }
  async down(): Promise<void> {}
}

/** The outbox of billing on a separate server, which can be made younger than its rows. */
export class RestoredServer {
  /** What was logged at `warn`. */
  readonly warnings: Record<string, unknown>[] = [];
  readonly logger = createLogger(
    { service: 'test', level: 'warn' },
    { write: (line: string) => void this.warnings.push(JSON.parse(line)) },
  );
  readonly topic: Topic = newTopic('billing');

  private constructor(readonly database: ClonedDatabase) {}

  static async open(): Promise<RestoredServer> {
    const migrations = [BillingOutbox1763500000003];
    const server = new RestoredServer(
      await cloneDatabase([{ schema: 'billing', migrations }, busPlan]),
    );
    await provisionBus(server.database.adminUrl, [server.topic]);
    return server;
  }

  async admin(text: string) {
    const client = createClient({ url: this.database.adminUrl, applicationName: 'admin' });
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  }

  /** Lowers all ids, as if this server were a million transactions behind. */
  async becomeYounger(): Promise<void> {
    for (const table of ['billing.outbox', 'billing.outbox_offsets', 'bus.offsets']) {
      await this.admin(`UPDATE ${table} SET xid = (xid::text::bigint + 1000000)::text::xid8`);
    }
  }

  repair(topics: readonly Topic[] = [this.topic]) {
    return repairOutboxes(this.database.adminUrl, topics);
  }
}

export const messages = (from: number, to: number) =>
  range(from, to).map((n) => message(n, `key-${n % 3}`));
