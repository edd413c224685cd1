import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type ClonedDatabase, cloneDatabase, eventually, timed, Way } from '@watchword/testing';
import { isReadOnly } from './database-errors.js';
import { createPool, type DatabasePool } from './pool.js';

/**
 * Milliseconds. The watch stops waiting after half a second, later on a busy machine. Without a
 * watch it takes three seconds.
 */
const refusedWithinMs = 2_000;
/** Milliseconds. Sooner than the watch can find out: a new caller gets what is known. */
const atOnceMs = 400;
/** Milliseconds. The watch tries ten times a second, less on a busy machine. */
const backWithinMs = 3_000;

let database: ClonedDatabase;
let way: Way;
let pool: DatabasePool;

beforeAll(async () => {
  database = await cloneDatabase([]);
}, 60_000);

beforeEach(async () => {
  way = await Way.to(database.adminUrl);
  const url = way.url(database.adminUrl);
  pool = createPool({ url, max: 2, applicationName: 'watch-spec', refusesWhileAway: true });
  await pool.query('SELECT 1');
});

afterEach(async () => {
  way.goOn();
  await pool.end();
  await way.cut();
});

afterAll(() => database?.drop());

/** Returns the failure of the work, and after how long. */
async function failureOf(work: Promise<unknown>) {
  const { answer: failure, tookMs } = await timed(() =>
    work.then(
      () => undefined,
      (error: unknown) => error,
    ),
  );
  return { failure, tookMs };
}

const unavailable = (outcomeUnknown: boolean) =>
  expect.objectContaining({ name: 'DatabaseUnavailable', outcomeUnknown });

async function expectBack(pool: DatabasePool): Promise<void> {
  const startedAt = performance.now();
  const isBack = () =>
    pool.query('SELECT 1').then(
      () => true,
      () => false,
    );
  while (!(await isBack())) {
    expect(performance.now() - startedAt).toBeLessThan(backWithinMs);
    await sleep(20);
  }
}

describe('while a server hangs', () => {
  it('open statements are given up with an unknown outcome, and new ones are refused at once', async () => {
    way.hang();
    const asked = await Promise.all(
      // Two have a connection, and one waits for it.
      [1, 2, 3].map(() => failureOf(pool.query('SELECT 1'))),
    );
    const failures = asked.map(({ failure }) => failure);
    expect(failures).toEqual([unavailable(true), unavailable(false), unavailable(false)]);
    for (const { tookMs } of asked) expect(tookMs).toBeLessThan(refusedWithinMs);
    const next = await failureOf(pool.query('SELECT 1'));
    expect(next.failure).toEqual(unavailable(false));
    expect(next.tookMs).toBeLessThan(atOnceMs);
  });

  it('a transaction is given up before its COMMIT, outcome known', async () => {
    const begun = pool.transaction(async (transaction) => {
      await transaction.query('SELECT 1');
      way.hang();
      await transaction.query('SELECT 2');
    });
    const { failure, tookMs } = await failureOf(begun);
    expect(failure).toEqual(unavailable(false));
    expect(tookMs).toBeLessThan(refusedWithinMs);
  });

  it('statements of jobs are not given up: they are answered when the server continues', async () => {
    const written = await pool.patient.transaction(async (transaction) => {
      await transaction.query('CREATE TABLE patient (id integer)');
      way.hang();
      const waitedFor = failureOf(pool.query('SELECT 1'));
      const inFlight = transaction.query('INSERT INTO patient VALUES (1) RETURNING id');
      expect((await waitedFor).failure).toEqual(unavailable(false));
      const next = await failureOf(pool.patient.query('SELECT 1'));
      expect(next.failure).toEqual(unavailable(false));
      expect(next.tookMs).toBeLessThan(atOnceMs);
      way.goOn();
      return (await inFlight).rows;
    });
    expect(written).toEqual([{ id: 1 }]);
    await expectBack(pool);
    expect((await pool.query('SELECT id FROM patient')).rows).toEqual(written);
  });

  it('longer than the statement time-out, statements of jobs are given up too', async () => {
    const url = way.url(database.adminUrl);
    const soon = createPool({ url, max: 1, applicationName: 'watch-spec', statementTimeoutMs: 1 });
    await soon.patient.query('SELECT 1');
    way.hang();
    const { failure } = await failureOf(soon.patient.query('SELECT 1'));
    expect(failure).toEqual(unavailable(true));
    way.goOn();
    await soon.end();
  });

  it('whose host vanished, a pool without a watch gives up once and connects anew', async () => {
    const url = way.url(database.adminUrl);
    const options = { url, max: 2, applicationName: 'watch-spec', statementTimeoutMs: 100 };
    const unwatched = createPool(options);
    await Promise.all([1, 2].map(() => unwatched.query('SELECT 1')));
    way.strand();
    const { failure } = await failureOf(
      unwatched.transaction((transaction) => transaction.query('SELECT 1')),
    );
    expect(failure).toEqual(unavailable(false));
    const next = await timed(() => unwatched.query('SELECT 1'));
    expect(next.tookMs).toBeLessThan(refusedWithinMs);
    await unwatched.end();
  }, 15_000);

  it('and goes on, callers are served again', async () => {
    way.hang();
    await failureOf(pool.query('SELECT 1'));
    await sleep(500);
    way.goOn();
    await expectBack(pool);
  });
});

describe('while a server takes no connections', () => {
  it('new statements are refused at once, and answered when it is back', async () => {
    await way.cut();
    expect((await failureOf(pool.query('SELECT 1'))).failure).toEqual(
      expect.objectContaining({ name: 'DatabaseUnavailable' }),
    );
    await failureOf(pool.query('SELECT 1'));
    const refused = await failureOf(Promise.all(Array.from({ length: 50 }, () => pool.query(''))));
    expect(refused.failure).toEqual(unavailable(false));
    expect(refused.tookMs).toBeLessThan(atOnceMs);
    await way.open();
    await expectBack(pool);
  });
});

describe('while a server is read-only', () => {
  /** Makes the server read-only, as a demotion does: clients are cut and reconnect. */
  async function readOnly(
    setting: 'SET default_transaction_read_only = on' | 'RESET ALL',
    { cuts = setting !== 'RESET ALL' } = {},
  ) {
    const name = new URL(database.adminUrl).pathname.slice(1);
    const server = new URL(database.adminUrl);
    server.pathname = '/postgres';
    const elsewhere = createPool({ url: server.href, max: 1, applicationName: 'demoter' });
    await elsewhere.query(`ALTER DATABASE ${name} ${setting}`);
    if (cuts) {
      await elsewhere.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1',
        [name],
      );
    }
    await elsewhere.end();
  }

  afterEach(() => readOnly('RESET ALL'));

  it('it does not count as there, writers and readers are refused, and served afterwards', async () => {
    await pool.query('CREATE TABLE IF NOT EXISTS demoted (id integer)');
    await pool.look();
    await readOnly('SET default_transaction_read_only = on');
    const write = () => failureOf(pool.query('INSERT INTO demoted VALUES (1)'));
    // The cut connections are found one after the other.
    for (let cut = 0; cut < 3; cut += 1) await write();
    expect((await write()).failure).toEqual(unavailable(false));
    expect((await failureOf(pool.look())).failure).toEqual(unavailable(false));
    const refused = await failureOf(pool.query('SELECT 1'));
    expect(refused.failure).toEqual(unavailable(false));
    expect(refused.tookMs).toBeLessThan(atOnceMs);
    const patient = await failureOf(pool.patient.query('INSERT INTO demoted VALUES (1)'));
    expect(patient.failure).toEqual(unavailable(false));
    await readOnly('RESET ALL');
    await expectBack(pool);
    await pool.look();
    // Also on connections opened while it lasted.
    await Promise.all(
      [1, 2, 3, 4].map((id) => pool.query('INSERT INTO demoted VALUES ($1)', [id])),
    );
  });

  it('what was asked on an older connection comes to its end', async () => {
    const asked = pool.query(`SELECT 'done' AS word FROM pg_sleep(1.5)`);
    await readOnly('SET default_transaction_read_only = on', { cuts: false });
    // On a new connection, because the other one is busy.
    const { failure } = await failureOf(pool.query('CREATE TABLE refused (id integer)'));
    expect(isReadOnly((failure as Error).cause)).toBe(true);
    expect((await asked).rows).toEqual([{ word: 'done' }]);
    expect((await failureOf(pool.query('SELECT 1'))).failure).toEqual(unavailable(false));
    await readOnly('RESET ALL');
    await expectBack(pool);
  });

  it('a look notices it, also in a process that never writes', async () => {
    await readOnly('SET default_transaction_read_only = on');
    const looks = async () => (await failureOf(pool.look())).failure;
    while (!isReadOnly(((await looks()) as Error).cause)) await sleep(20);
    expect((await failureOf(pool.query('SELECT 1'))).failure).toEqual(unavailable(false));
    await readOnly('RESET ALL');
    await expectBack(pool);
    expect(await looks()).toBeUndefined();
  });

  it('a pool without a watch reports it, and replaces its connections', async () => {
    const unwatched = createPool({ url: database.adminUrl, max: 2, applicationName: 'watch-spec' });
    await readOnly('SET default_transaction_read_only = on');
    const both = () =>
      Promise.allSettled([1, 2].map(() => unwatched.query('CREATE TABLE x (id integer)')));
    for (const outcome of await both()) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: unavailable(false) });
    }
    await readOnly('RESET ALL');
    const { rows } = await unwatched.query('SHOW transaction_read_only');
    expect(rows).toEqual([{ transaction_read_only: 'off' }]);
    await unwatched.end();
  });
});

describe('a server that is there', () => {
  it('may take long for a statement', async () => {
    const { rows } = await pool.query(`SELECT 'done' AS word FROM pg_sleep(1.5)`);
    expect(rows).toEqual([{ word: 'done' }]);
  });

  it('may have no connection left for a waiting query', async () => {
    const all = [1, 2].map(() => pool.query('SELECT pg_sleep(1)'));
    const third = pool.query('SELECT 3 AS three');
    expect((await third).rows).toEqual([{ three: 3 }]);
    await Promise.all(all);
  });

  it('may have none left for the watch, also when it has hung', async () => {
    const role = `watch_spec_${randomUUID().replaceAll('-', '')}`;
    await pool.query(`CREATE ROLE ${role} LOGIN PASSWORD 'secret' CONNECTION LIMIT 2`);
    const url = new URL(way.url(database.adminUrl));
    [url.username, url.password] = [role, 'secret'];
    const options = { url: url.href, max: 2, applicationName: 'watch-spec' };
    // Both connections belong to the pool before the watch opens its own, which it does after 50 ms.
    const full = await eventually(async () => {
      const opened = createPool({ ...options, refusesWhileAway: true });
      const both = await Promise.allSettled([opened.query('SELECT 1'), opened.query('SELECT 2')]);
      if (both.every(({ status }) => status === 'fulfilled')) return opened;
      await opened.end();
      throw new Error('the watch has one of the connections');
    });
    const { rows } = await full.query(`SELECT 'done' AS word FROM pg_sleep(1.5)`);
    expect(rows).toEqual([{ word: 'done' }]);
    // A lost connection is not replaced. The other one still works.
    await pool.query(`ALTER ROLE ${role} CONNECTION LIMIT 0`);
    way.hang();
    expect((await failureOf(full.query('SELECT 1'))).failure).toEqual(unavailable(true));
    way.goOn();
    await expectBack(full);
    await full.end();
    await pool.query(`DROP ROLE ${role}`);
  });
});
