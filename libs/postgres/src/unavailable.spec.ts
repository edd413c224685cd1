import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type ClonedDatabase, cloneDatabase, eventually, BreakableProxy } from '@watchword/testing';
import { startEmbeddedPostgres } from './embedded/embedded-postgres.js';
import { createPool, type DatabasePool, type PoolOptions } from './pool.js';

let database: ClonedDatabase;
let proxy: BreakableProxy;
const pools: DatabasePool[] = [];

beforeAll(async () => {
  database = await cloneDatabase([]);
  proxy = await BreakableProxy.to(database.adminUrl);
});

afterEach(async () => {
  proxy.goOn();
  await Promise.all(pools.splice(0).map((pool) => pool.end()));
});

afterAll(async () => {
  await proxy?.cut();
  await database?.drop();
});

/** An unanswered statement is abandoned five seconds after this time-out. */
const SHORT = { statementTimeoutMs: 100, connectTimeoutMs: 500 };

function open(options: Partial<PoolOptions> = {}): DatabasePool {
  const url = proxy.url(database.adminUrl);
  const pool = createPool({ url, max: 2, applicationName: 'unavailable-spec', ...options });
  pools.push(pool);
  return pool;
}

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

const unavailable = (outcomeUnknown: boolean) =>
  expect.objectContaining({ name: 'DatabaseUnavailable', outcomeUnknown });

/** Keeps the event loop of this process busy, as a process without CPU time is. */
function blockFor(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

const one = async (pool: DatabasePool) => (await pool.query('SELECT 1 AS one')).rows;

describe('a server that takes no connections', () => {
  it('is unavailable with a known outcome, and the next statement after its return succeeds', async () => {
    const pool = open();
    await one(pool);
    await proxy.cut();
    await eventually(async () => {
      const failure = await failureOf(pool.query('SELECT 1'));
      expect(failure).toEqual(unavailable(false));
      expect(failure).toMatchObject({ cause: { code: 'ECONNREFUSED' } });
    });
    await proxy.open();
    expect(await one(pool)).toEqual([{ one: 1 }]);
  });
});

describe('a server that hangs', () => {
  it('fails a transaction before its COMMIT with a known outcome', async () => {
    const pool = open(SHORT);
    const begun = pool.transaction(async (transaction) => {
      await transaction.query('SELECT 1');
      proxy.hang();
      await transaction.query('SELECT 2');
    });
    expect(await failureOf(begun)).toEqual(unavailable(false));
  });
});

describe('a server whose processes are stopped', () => {
  it('is unavailable after the time-out, and works when they continue', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'watchword-stopped-'));
    const server = await startEmbeddedPostgres({ directory });
    const stopped: number[] = [];
    try {
      const pool = open({ ...SHORT, url: server.url });
      await one(pool);
      // The first before its children: it then starts no more of them.
      process.kill(server.pid, 'SIGSTOP');
      stopped.push(server.pid, ...(await childrenOf(server.pid)));
      for (const pid of stopped.slice(1)) process.kill(pid, 'SIGSTOP');
      expect(await failureOf(pool.query('SELECT 1'))).toEqual(unavailable(true));
      expect(await failureOf(pool.query('SELECT 1'))).toEqual(unavailable(false));
      for (const pid of stopped.splice(0).toReversed()) process.kill(pid, 'SIGCONT');
      expect(await one(pool)).toEqual([{ one: 1 }]);
      await pools.pop()?.end();
    } finally {
      for (const pid of stopped.toReversed()) process.kill(pid, 'SIGCONT');
      await server.destroy();
    }
  });
});

async function childrenOf(pid: number): Promise<number[]> {
  const list = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return list.trim().split(' ').map(Number);
}

describe('a process that gets no CPU time for six seconds', () => {
  it('refuses nothing: neither open nor waiting statements, nor a transaction', async () => {
    const pool = open();
    const asked = [
      ...[1, 2, 3, 4].map(() => one(pool)),
      pool.transaction(async (transaction) => {
        blockFor(1_000);
        return (await transaction.query('SELECT 1 AS one')).rows;
      }),
    ];
    blockFor(6_000);
    for (const rows of await Promise.all(asked)) expect(rows).toEqual([{ one: 1 }]);
  });
});

describe('a server that takes no writes', () => {
  /** Makes the server read-only, as a demotion does. It cuts clients. */
  async function demote(): Promise<void> {
    const name = new URL(database.adminUrl).pathname.slice(1);
    await elsewhere(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    await elsewhere(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
    );
  }

  async function elsewhere(text: string): Promise<void> {
    const server = new URL(database.adminUrl);
    server.pathname = '/postgres';
    const pool = createPool({ url: server.href, max: 1, applicationName: 'demoter' });
    await pool.query(text).finally(() => pool.end());
  }

  const promote = () =>
    elsewhere(`ALTER DATABASE ${new URL(database.adminUrl).pathname.slice(1)} RESET ALL`);

  afterEach(promote);

  it('is unavailable to writers, and no connection to it is kept', async () => {
    const pool = open();
    await pool.query('CREATE TABLE demoted (id integer)');
    await demote();
    const write = () => pool.query('INSERT INTO demoted VALUES (1)');
    await eventually(async () => {
      const failure = await failureOf(write());
      expect(failure).toEqual(unavailable(false));
      expect(failure).toMatchObject({ cause: { code: '25006' } });
    });
    await promote();
    await write();
  });
});
