/**
 * Months of traffic in minutes: copies of rows that the product wrote, with different ids and
 * times, in every table that grows with messages.
 */
import pg from 'pg';

/** Time that the copies are spread over, evenly, up to now: what is kept of deliveries. */
const SPAN_SECONDS = 28 * 86_400;
/** Months for which messages are kept (400 days). */
const MONTHS = 13;
export const ROWS_PER_STATEMENT = 250_000;

export async function connect(serverUrl: string, database: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: serverUrl.replace(/\/postgres$/, `/${database}`),
  });
  // The server may be stopped first, when a bench ends early.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Tables by schema; each column that is named gets this expression, and all others what the template has. */
interface Copied {
  table: string;
  template: string;
  columns: Record<string, string>;
}

export const TIME = 'uuid_extract_timestamp(grown.id)';

function copiesOf(messageId: string, eventId: string): Copied[] {
  const ofMessage = `message_id = '${messageId}'`;
  return [
    {
      table: 'dispatch.messages',
      template: `id = '${messageId}'`,
      columns: {
        id: 'grown.id',
        created_at: TIME,
        updated_at: TIME,
        destination: `'+234803' || (2000000 + grown.n % 7000000)`,
        state: `'delivered'`,
        send_at: 'NULL',
      },
    },
    {
      table: 'billing.acceptances',
      template: ofMessage,
      columns: { message_id: 'grown.id', created_at: TIME },
    },
    {
      table: 'billing.entries',
      template: `${ofMessage} AND kind = 'charge'`,
      // An unused workspace, so that ordinals and balances of the real one stay.
      columns: {
        id: 'grown.id',
        message_id: 'grown.id',
        workspace_id: `'00000000-0000-7000-8000-000000000000'`,
        ordinal: 'grown.n',
        created_at: TIME,
      },
    },
    {
      table: 'dispatch.attempts',
      template: `message_id = (SELECT message_id FROM dispatch.attempts LIMIT 1)`,
      columns: {
        message_id: 'grown.id',
        provider_message_id: `'grown-' || grown.n`,
        started_at: TIME,
      },
    },
    {
      table: 'webhooks.events',
      template: `id = '${eventId}'`,
      columns: {
        id: `'evt_' || replace(grown.id::text, '-', '')`,
        sequence: 'grown.n',
        workspace_id: `'00000000-0000-7000-8000-000000000000'`,
        occurred_at: TIME,
      },
    },
    {
      table: 'webhooks.deliveries',
      template: `event_id = '${eventId}'`,
      columns: {
        id: 'grown.id',
        event_id: `'evt_' || replace(grown.id::text, '-', '')`,
        status: `'delivered'`,
        due_at: 'NULL',
        next_attempt_at: 'NULL',
        created_at: TIME,
      },
    },
    {
      table: 'webhooks.delivery_attempts',
      template: `delivery_id = (SELECT delivery_id FROM webhooks.delivery_attempts LIMIT 1)`,
      columns: { delivery_id: 'grown.id', attempted_at: TIME },
    },
  ];
}

/** Milliseconds of a week. Weeks are whole weeks since 1970, months those of the calendar in UTC. */
const WEEK_MS = 7 * 24 * 3_600_000;

/** Partitions the past by week and month, as if it had been written so. */
export async function partitionThePast(client: pg.Client): Promise<void> {
  const week = Math.floor(Date.now() / WEEK_MS);
  const weeks = Math.ceil((SPAN_SECONDS * 1_000) / WEEK_MS) + 2;
  const starts = Array.from({ length: weeks }, (_, n) => (week - weeks + 1 + n) * WEEK_MS);
  for (const table of ['webhooks.deliveries', 'webhooks.delivery_attempts']) {
    await partitionUpTo(client, table, starts, (week + 2) * WEEK_MS);
  }
  const now = new Date();
  const monthAt = (months: number) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months);
  const months = Array.from({ length: MONTHS + 1 }, (_, n) => monthAt(n - MONTHS));
  const nextWeek = new Date(Date.now() + WEEK_MS);
  const end = Date.UTC(nextWeek.getUTCFullYear(), nextWeek.getUTCMonth() + 1);
  for (const table of ['dispatch.messages', 'dispatch.attempts']) {
    await partitionUpTo(client, table, months, end);
  }
}

/**
 * Creates one partition from each start to the next. Later rows stay in the first partition, up to
 * its end.
 */
async function partitionUpTo(client: pg.Client, name: string, starts: number[], end: number) {
  const bounds = (from: number, to: number) => `FROM ('${floorOf(from)}') TO ('${floorOf(to)}')`;
  await client.query(`ALTER TABLE ${name} DETACH PARTITION ${name}_first`);
  for (const [n, from] of starts.slice(0, -1).entries()) {
    const day = new Date(from).toISOString().slice(0, 10).replaceAll('-', '');
    await client.query(
      `CREATE TABLE ${name}_${day} PARTITION OF ${name} FOR VALUES ${bounds(from, starts[n + 1]!)}`,
    );
  }
  await client.query(
    `ALTER TABLE ${name} ATTACH PARTITION ${name}_first FOR VALUES ${bounds(starts.at(-1)!, end)}`,
  );
}

function floorOf(ms: number): string {
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}

/** Adds this many messages: copies of one message, of one of its events and of their deliveries. */
export async function grow(
  client: pg.Client,
  { messageId, eventId, count }: { messageId: string; eventId: string; count: number },
): Promise<void> {
  // Copies are no changes of the ledger: its trigger looks the other way.
  await client.query('SET session_replication_role = replica; SET synchronous_commit = off');
  for (let from = 1; from <= count; from += ROWS_PER_STATEMENT) {
    const to = Math.min(from + ROWS_PER_STATEMENT - 1, count);
    await makeIds(client, [from, to], SPAN_SECONDS / count);
    for (const copied of copiesOf(messageId, eventId)) await copy(client, copied);
  }
  await client.query('VACUUM (ANALYZE)');
  await client.query('CHECKPOINT');
}

/** Fills a table `grown` with numbers n and ids that were drawn n steps ago; `step` is in seconds. */
export async function makeIds(
  client: pg.Client,
  [from, to]: readonly [number, number],
  step: number,
): Promise<void> {
  await client.query('DROP TABLE IF EXISTS grown');
  await client.query(
    `CREATE TEMP TABLE grown AS SELECT n, uuidv7(make_interval(secs => -n * ${step})) AS id
     FROM generate_series(${from}, ${to}) AS n ORDER BY n DESC`,
  );
}

export async function copy(client: pg.Client, { table, template, columns }: Copied): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
    [table],
  );
  const names = rows.map(({ name }) => name);
  const values = names.map((name) => columns[name] ?? `template.${name}`);
  const { rowCount } = await client.query(
    `INSERT INTO ${table} (${names.join(', ')})
     SELECT ${values.join(', ')} FROM (SELECT * FROM ${table} WHERE ${template} LIMIT 1) AS template, grown`,
  );
  if (!rowCount) throw new Error(`${table} has no row to copy`);
}
