/**
 * What partitions of an outbox would cost its writers and readers, and what retention costs without
 * them (ADR 59): the table as it is, and two partitioned ones with the rows of a week, in turns. It
 * prints CPU time of one session in the server, which other programs on the machine change little.
 */
import { readFileSync } from 'node:fs';
import { createClient } from '@watchword/postgres';
import { benchNumber } from './support/bench-number.ts';
import { median, printTable } from './support/figures.ts';
import { Ground } from './support/ground.ts';

const ROUNDS = benchNumber('BENCH_ROUNDS', 9);
const STATEMENTS = benchNumber('BENCH_STATEMENTS', 8_000);
/** Partitions: a week of days, today, and the default one. */
const DAYS = 9;
const ROWS_A_DAY = 40_000;
const PAYLOAD = 900;

type Shape = 'plain' | 'position' | 'time';
type Client = ReturnType<typeof createClient>;

const startOf = (day: number) => `date_trunc('day', now()) + interval '${day - DAYS + 2} days'`;

function tableOf(shape: Shape): string {
  const more = shape === 'time' ? ', occurred_at' : '';
  const by =
    shape === 'plain'
      ? ' WITH (fillfactor = 100)'
      : ` PARTITION BY RANGE (${shape === 'time' ? 'occurred_at' : 'position'})`;
  return `CREATE TABLE ${shape} (
    position bigint GENERATED ALWAYS AS IDENTITY, xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    topic text NOT NULL, key text NOT NULL, message_id text NOT NULL, type text NOT NULL,
    traceparent text, occurred_at timestamptz NOT NULL DEFAULT now(), payload text NOT NULL,
    PRIMARY KEY (topic, xid, position${more}))${by}`;
}

const boundsOf = (shape: Shape, day: number): string =>
  shape === 'time'
    ? `(%L) TO (%L)', ${startOf(day)}, ${startOf(day + 1)}`
    : `(%L) TO (%L)', ${day * ROWS_A_DAY + 1}, ${day === DAYS - 2 ? 100_000_000 : (day + 1) * ROWS_A_DAY + 1}`;

async function make(client: Client, shape: Shape): Promise<void> {
  await client.query(tableOf(shape));
  if (shape !== 'plain') {
    for (let day = 0; day < DAYS - 1; day += 1) {
      await client.query(`DO $$ BEGIN EXECUTE format('CREATE TABLE ${shape}_${day}
        PARTITION OF ${shape} FOR VALUES FROM ${boundsOf(shape, day)}); END $$`);
    }
    await client.query(`CREATE TABLE ${shape}_default PARTITION OF ${shape} DEFAULT`);
  }
  for (let day = 0; day < DAYS - 2; day += 1) {
    await client.query(
      `INSERT INTO ${shape} (topic, key, message_id, type, occurred_at, payload)
       SELECT 'svc.message-events.v1', gen_random_uuid(), gen_random_uuid(), 'sms.sent',
         ${startOf(day)}, repeat('x', ${PAYLOAD}) FROM generate_series(1, ${ROWS_A_DAY})`,
    );
  }
  // As add_messages and accept_messages write: from JSON and lines of text.
  await client.query(`
    CREATE FUNCTION write_${shape}(outgoing json, payloads text) RETURNS void LANGUAGE plpgsql
    SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET jit = off AS $$
    BEGIN
      INSERT INTO ${shape} (topic, key, message_id, type, occurred_at, payload)
      SELECT o.topic, o.key, o.id, o.type, now(), o.payload FROM ROWS FROM (
        json_to_recordset(outgoing) AS (topic text, key text, id text, type text),
        string_to_table(payloads, E'\\n')) AS o (topic, key, id, type, payload);
    END $$`);
}

interface Cost {
  us: number;
  walBytes: number;
}

class Session {
  private readonly client: Client;
  private readonly pid: number;

  private constructor(client: Client, pid: number) {
    this.client = client;
    this.pid = pid;
  }

  static async open(url: string): Promise<Session> {
    const client = createClient({ url, applicationName: 'bench', statementTimeoutMs: 0 });
    await client.connect();
    await client.query('SET synchronous_commit = off; SET plan_cache_mode = force_generic_plan');
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return new Session(client, rows[0]!.pid);
  }

  get connection(): Client {
    return this.client;
  }

  /** Runs a statement this often, each time in a separate transaction. */
  async cost(text: string, times: number): Promise<Cost> {
    const loop = (count: number) =>
      this.client.query(`DO $do$ DECLARE
        sent json := current_setting('bench.outgoing', true); lines text := current_setting('bench.payloads', true);
        BEGIN FOR i IN 1..${count} LOOP ${text}; COMMIT; END LOOP; END $do$`);
    await loop(Math.ceil(times / 10));
    const [before, walBefore] = [this.ms(), await this.wal()];
    await loop(times);
    return {
      us: ((this.ms() - before) * 1_000) / times,
      walBytes: ((await this.wal()) - walBefore) / times,
    };
  }

  async close(): Promise<void> {
    await this.client.end();
  }

  private ms(): number {
    return Number(readFileSync(`/proc/${this.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  }

  private async wal(): Promise<number> {
    const text = `SELECT (pg_current_wal_insert_lsn() - '0/0')::float8 AS at`;
    return (await this.client.query<{ at: number }>(text)).rows[0]!.at;
  }
}

async function writes(session: Session, shape: Shape, rows: number): Promise<Cost> {
  const one = {
    topic: 'svc.message-events.v1',
    key: 'k'.repeat(36),
    id: 'i'.repeat(36),
    type: 'sms.sent',
  };
  await session.connection.query(
    `SELECT set_config('bench.outgoing', $1, false), set_config('bench.payloads', $2, false)`,
    [JSON.stringify(Array(rows).fill(one)), Array(rows).fill('x'.repeat(PAYLOAD)).join('\n')],
  );
  const times = rows === 1 ? STATEMENTS : STATEMENTS / 8;
  return session.cost(`PERFORM write_${shape}(sent, lines)`, times);
}

/** A reader that has read all but the last `behind` rows, as OutboxReader asks. */
async function reads(session: Session, shape: Shape, behind: number): Promise<Cost> {
  const { rows } = await session.connection.query<{ xid: string; position: string }>(
    `SELECT xid, position FROM ${shape} WHERE topic = 'svc.message-events.v1'
     ORDER BY xid DESC, position DESC OFFSET ${behind} LIMIT 1`,
  );
  const { xid, position } = rows[0]!;
  return session.cost(
    `PERFORM xid, position, key, message_id, type, traceparent, occurred_at, payload
       FROM ${shape} WHERE topic = 'svc.message-events.v1'
        AND (xid, position) > ('${xid}'::xid8, ${position}) ORDER BY xid, position LIMIT 500`,
    behind === 0 ? STATEMENTS : STATEMENTS / 10,
  );
}

/** What retention costs without partitions, but for the vacuum: 2,000 rows by the primary key. */
async function prune(session: Session): Promise<Cost> {
  const text = `DELETE FROM plain AS gone USING (
      SELECT topic, xid, position FROM plain WHERE topic = 'svc.message-events.v1'
      ORDER BY xid, position LIMIT 2000) AS old
    WHERE gone.topic = old.topic AND gone.xid = old.xid AND gone.position = old.position`;
  const { us, walBytes } = await session.cost(text, 40);
  return { us: us / 2_000, walBytes: walBytes / 2_000 };
}

export async function partitionsBench(): Promise<void> {
  const ground = await Ground.open({
    autovacuum: 'off',
    max_wal_size: '8GB',
    checkpoint_timeout: '1h',
  });
  try {
    const admin = await Session.open(ground.postgres.url);
    const shapes: Shape[] = ['plain', 'position', 'time'];
    for (const shape of shapes) await make(admin.connection, shape);
    await admin.connection.query('VACUUM ANALYZE');
    const kinds: [string, (session: Session, shape: Shape) => Promise<Cost>][] = [
      ['1 row written', (session, shape) => writes(session, shape, 1)],
      ['32 rows written', (session, shape) => writes(session, shape, 32)],
      ['nothing to read', (session, shape) => reads(session, shape, 0)],
      ['500 rows read', (session, shape) => reads(session, shape, 500)],
    ];
    const found = new Map<string, Cost[]>();
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [kind, cost] of kinds) {
        for (const shape of shapes) {
          const session = await Session.open(ground.postgres.url);
          const key = `${kind} ${shape}`;
          found.set(key, [...(found.get(key) ?? []), await cost(session, shape)]);
          await session.close();
        }
      }
    }
    const of = (kind: string, shape: Shape, part: keyof Cost) =>
      median(found.get(`${kind} ${shape}`)!.map((one) => one[part]));
    printTable(
      ['', ...shapes.flatMap((shape) => [`${shape}, µs`, 'ratio', 'WAL bytes'])],
      kinds.map(([kind]) => [
        kind,
        ...shapes.flatMap((shape) => [
          of(kind, shape, 'us').toFixed(1),
          (of(kind, shape, 'us') / of(kind, 'plain', 'us')).toFixed(2),
          Math.round(of(kind, shape, 'walBytes')),
        ]),
      ]),
    );
    const { us, walBytes } = await prune(admin);
    console.log(
      `pruning of a row as today: ${us.toFixed(2)} µs, ${Math.round(walBytes)} bytes of WAL`,
    );
    await admin.close();
  } finally {
    await ground.close();
  }
}
