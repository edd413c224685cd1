import { newId, type WorkspaceId } from '@watchword/contracts';
import type { createClient } from '@watchword/postgres';
import type { History } from './history.js';
import type { Shop } from './shop.js';

type Client = ReturnType<typeof createClient>;

/** Rows of a statement. */
const BATCH = 500;

/** Only inserts, apart from the balances: the workspace is new, and nothing of it has happened yet. */
const TABLES = [
  ['dispatch', 'messages', 'messages', []],
  ['dispatch', 'attempts', 'attempts', []],
  ['billing', 'entries', 'entries', ['counter_account']],
  ['webhooks', 'events', 'events', []],
] as const;

/** Columns that rows may leave out although they cannot be null. */
const DEFAULTS = { granted_segments: 0 };

export async function insertHistory(
  client: Client,
  { workspaceId, user }: Pick<Shop, 'workspaceId' | 'user'>,
  history: History,
  progress: (line: string) => void,
): Promise<void> {
  await client.query('BEGIN');
  for (const [schema, table, name, generated] of TABLES) {
    const rows = history[name];
    const columns = await columnsOf(client, schema, table, generated);
    for (let from = 0; from < rows.length; from += BATCH) {
      const batch = rows.slice(from, from + BATCH).map((row) => ({ ...DEFAULTS, ...row }));
      await client.query(
        `INSERT INTO ${schema}.${table} (${columns}) SELECT ${columns}
         FROM json_populate_recordset(NULL::${schema}.${table}, $1)`,
        [JSON.stringify(batch)],
      );
    }
    progress(`  ${schema}.${table}: ${rows.length} rows`);
  }
  await settle(client, workspaceId, history);
  await client.query(
    `INSERT INTO gateway.memberships (id, workspace_id, user_id, role) VALUES ($1, $2, $3, 'owner')`,
    [newId(), workspaceId, user],
  );
  await client.query('COMMIT');
}

async function columnsOf(
  client: Client,
  schema: string,
  table: string,
  generated: readonly string[],
): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns
     WHERE table_schema = $1 AND table_name = $2 ORDER BY ordinal_position`,
    [schema, table],
  );
  const names = rows.map(({ name }) => name).filter((name) => !generated.includes(name));
  return names.map((name) => `"${name}"`).join(', ');
}

async function settle(client: Client, workspaceId: WorkspaceId, history: History): Promise<void> {
  const { balance, purchased, entries, events } = history;
  const { rowCount } = await client.query(
    `UPDATE billing.accounts SET balance = $2, purchased_credits = $3, entry_count = $4
     WHERE workspace_id = $1 AND entry_count = 0`,
    [workspaceId, balance, purchased, entries.length],
  );
  if (rowCount !== 1) throw new Error('The ledger of the demo workspace is not empty.');
  await client.query(
    `INSERT INTO webhooks.sequences (workspace_id, last_sequence) VALUES ($1, $2)
     ON CONFLICT (workspace_id) DO UPDATE SET last_sequence = excluded.last_sequence`,
    [workspaceId, events.length],
  );
  // The overview counts hours that stand here from their messages, until their roll-ups are made.
  await client.query(
    `INSERT INTO dispatch.changed_hours (workspace_id, hour)
     SELECT DISTINCT workspace_id, date_trunc('hour', created_at, 'UTC')
     FROM dispatch.messages WHERE workspace_id = $1`,
    [workspaceId],
  );
  await client.query(
    `UPDATE gateway.workspaces SET created_at = created_at - interval '8 days' WHERE id = $1`,
    [workspaceId],
  );
}
