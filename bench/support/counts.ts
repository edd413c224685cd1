/** What a database did, as the server counts it. Correct on a busy machine, too. */
/** The administrator's connection to the product's database. */
export interface CountedDatabase {
  query(text: string): Promise<object[]>;
}

export interface Counts {
  statements: number;
  /** Transactions that ended well, those that only read included. */
  commits: number;
  /** Fsyncs of the write-ahead log. */
  fsyncs: number;
  walBytes: number;
}

/** Settings for `Environment.open` that make the server count statements. */
export const COUNTING = { shared_preload_libraries: 'pg_stat_statements' };

/** Milliseconds of idleness after which backends have reported their statistics. */
const TOLD_AFTER_MS = 10_500;

export const toldByAll = () => new Promise((resolve) => setTimeout(resolve, TOLD_AFTER_MS));

const OURS = "application_name LIKE 'watchword%'";

export async function startCounting(database: CountedDatabase): Promise<void> {
  await database.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  await database.query(`SELECT count(*) FROM pg_stat_activity WHERE ${OURS}`);
}

/** Returns the counts since the server's start, without the counting statements. */
export async function countsOf(database: CountedDatabase): Promise<Counts> {
  const [row] = await database.query(`
    SELECT (SELECT coalesce(sum(s.calls), 0) FROM pg_stat_statements AS s
              JOIN pg_roles AS r ON r.oid = s.userid
             WHERE s.dbid = d.oid AND NOT r.rolsuper) AS statements,
           (SELECT xact_commit FROM pg_stat_database WHERE datid = d.oid) AS commits,
           (SELECT sum(fsyncs) FROM pg_stat_io WHERE object = 'wal') AS fsyncs,
           pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS "walBytes"
      FROM pg_database AS d WHERE datname = current_database()`);
  const { statements, commits, fsyncs, walBytes } = row as Record<keyof Counts, string>;
  return {
    statements: Number(statements),
    commits: Number(commits),
    fsyncs: Number(fsyncs),
    walBytes: Number(walBytes),
  };
}

export function countedBetween(before: Counts, after: Counts): Counts {
  return {
    statements: after.statements - before.statements,
    commits: after.commits - before.commits,
    fsyncs: after.fsyncs - before.fsyncs,
    walBytes: after.walBytes - before.walBytes,
  };
}

/** Milliseconds: longer than the embedded server's `autovacuum_naptime`. */
const VACUUMED_AFTER_MS = 17_000;
const VACUUM_ROUNDS_MAX = 20;

/** Resolves when the server has vacuumed what was written before, and has left it at that for a round. */
export async function vacuumed(database: CountedDatabase): Promise<void> {
  const written = async () => {
    const [row] = await database.query(
      `SELECT sum(fsyncs) FROM pg_stat_io WHERE object = 'wal' AND backend_type = 'autovacuum worker'`,
    );
    return JSON.stringify(row);
  };
  let known = '';
  for (let round = 0; round < VACUUM_ROUNDS_MAX; round += 1) {
    const now = await written();
    if (now === known) return;
    known = now;
    await new Promise((resolve) => setTimeout(resolve, VACUUMED_AFTER_MS));
  }
  throw new Error('the server vacuums again and again');
}

export interface StatementCount {
  text: string;
  calls: number;
  ms: number;
}

/** Returns the services' statements by text. */
export async function statementsOf(database: CountedDatabase): Promise<StatementCount[]> {
  const rows = (await database.query(`
    SELECT regexp_replace(left(s.query, 110), '\\s+', ' ', 'g') AS text, sum(s.calls) AS calls,
           sum(s.total_exec_time) AS ms
      FROM pg_stat_statements AS s JOIN pg_roles AS r ON r.oid = s.userid
      JOIN pg_database AS d ON d.oid = s.dbid
     WHERE d.datname = current_database() AND NOT r.rolsuper
     GROUP BY 1`)) as { text: string; calls: string; ms: string }[];
  return rows.map(({ text, calls, ms }) => ({ text, calls: Number(calls), ms: Number(ms) }));
}

/** Returns what was executed in between, most frequent first. */
export function executedBetween(
  before: readonly StatementCount[],
  after: readonly StatementCount[],
): StatementCount[] {
  const known = new Map(before.map((one) => [one.text, one]));
  return after
    .map(({ text, calls, ms }) => ({
      text,
      calls: calls - (known.get(text)?.calls ?? 0),
      ms: ms - (known.get(text)?.ms ?? 0),
    }))
    .filter(({ calls }) => calls > 0)
    .toSorted((one, other) => other.calls - one.calls);
}
