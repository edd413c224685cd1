import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, sqlState } from '@watchword/postgres';
import { SCHEMAS } from './schema-facts.ts';

const LOCK_MS_MAX = 200;
const PAUSE_MS = 5;
const REFUSED = '55P03';

/** Writes into every table all the time, and waits for none longer than 200 ms. */
export class TableCustomer {
  looks = 0;
  longestMs = 0;
  readonly refused = new Set<string>();
  private going = true;
  private readonly client: ReturnType<typeof createClient>;
  private readonly tables: readonly string[];
  private readonly living: Promise<void>;

  private constructor(client: ReturnType<typeof createClient>, tables: readonly string[]) {
    this.client = client;
    this.tables = tables;
    this.living = this.live();
  }

  static async start(adminUrl: string): Promise<TableCustomer> {
    const client = createClient({ url: adminUrl, applicationName: 'customer' });
    await client.connect();
    await client.query(`SET lock_timeout = ${LOCK_MS_MAX}`);
    const { rows } = await client.query<{ name: string }>(
      `SELECT schemaname || '.' || tablename AS name FROM pg_tables
       WHERE schemaname = ANY ($1) AND tablename NOT IN ('migrations', 'sql_functions', 'oldest_program')`,
      [SCHEMAS],
    );
    return new TableCustomer(
      client,
      rows.map(({ name }) => name),
    );
  }

  async stop(): Promise<void> {
    this.going = false;
    await this.living;
    await this.client.end();
  }

  private async live(): Promise<void> {
    for (; this.going; await sleep(PAUSE_MS)) {
      for (const table of this.tables) await this.look(table);
    }
  }

  /** Locks as writers of the table do, and a row that a migration may change. */
  private async look(table: string): Promise<void> {
    const startedAt = performance.now();
    try {
      await this.client.query('BEGIN');
      await this.client.query(`LOCK TABLE ${table} IN ROW EXCLUSIVE MODE`);
      await this.client.query(`SELECT FROM ${table} LIMIT 1 FOR NO KEY UPDATE`);
    } catch (error) {
      if (sqlState(error) !== REFUSED) throw error;
      this.refused.add(table);
    } finally {
      await this.client.query('ROLLBACK');
    }
    this.looks += 1;
    this.longestMs = Math.max(this.longestMs, performance.now() - startedAt);
  }
}
