import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cloneDatabase, eventually } from '@watchword/testing';
import type { ClonedDatabase } from '@watchword/testing';
import { DatabaseUnavailable, describeDatabaseError, sqlState } from './database-errors.js';
import { createClient, createPool } from './pool.js';
import type { DatabasePool } from './pool.js';
import { statement } from './statement.js';

let database: ClonedDatabase;
let pool: DatabasePool;
const reported: unknown[] = [];

beforeAll(async () => {
  database = await cloneDatabase([]);
  const url = database.adminUrl;
  pool = createPool({
    url,
    max: 2,
    applicationName: 'pool-spec',
    statementTimeoutMs: 500,
    onUnavailable: (cause) => reported.push(sqlState(cause)),
  });
  await pool.query('CREATE TABLE things (id int PRIMARY KEY)');
});

afterAll(async () => {
  await pool?.end();
  await database?.drop();
});

/** Ends every other connection, as a restart of the server would. */
async function cutConnections(): Promise<void> {
  const admin = createClient({ url: database.adminUrl, applicationName: 'cutter' });
  await admin.connect();
  await admin.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'pool-spec'`,
  );
  await admin.end();
}

describe('values', () => {
  it('reads bigint as a number, also in arrays, and refuses to round', async () => {
    const { rows } = await pool.query(
      'SELECT 9007199254740991::bigint AS credits, ARRAY[1, NULL, -3]::bigint[] AS many',
    );
    expect(rows).toEqual([{ credits: 9007199254740991, many: [1, null, -3] }]);
    await expect(pool.query('SELECT 9007199254740993::bigint')).rejects.toThrow(RangeError);
    expect((await pool.query("SELECT '{}'::bigint[] AS none")).rows).toEqual([{ none: [] }]);
  });

  it('does not depend on what the database sets', async () => {
    const name = new URL(database.adminUrl).pathname.slice(1);
    const others = {
      datestyle: 'German, DMY',
      timezone: 'Asia/Tokyo',
      intervalstyle: 'iso_8601',
      bytea_output: 'escape',
      extra_float_digits: '-10',
      array_nulls: 'off',
      transform_null_equals: 'on',
    };
    for (const [setting, value] of Object.entries(others)) {
      await pool.query(`ALTER DATABASE ${name} SET ${setting} = '${value}'`);
    }
    const anew = createPool({ url: database.adminUrl, max: 1, applicationName: 'anew' });
    const text = `SELECT '2026-01-05 10:00+01'::timestamptz AS moment, now()::text AS now,
      '1 day 2 hours'::interval::text AS span, '\\x00ff'::bytea::text AS bytes, 0.1::float8 + 0.2 AS sum,
      '{NULL}'::text[] AS list, (1 = NULL) IS NULL AS unknown`;
    const { rows } = await anew.query(text).finally(() => anew.end());
    await pool.query(`ALTER DATABASE ${name} RESET ALL`);
    expect(rows).toEqual([
      {
        moment: new Date('2026-01-05T09:00:00Z'),
        now: expect.stringMatching(/^\d{4}-\d\d-\d\d .*\+00$/),
        span: '1 day 02:00:00',
        bytes: '\\x00ff',
        sum: 0.1 + 0.2,
        list: [null],
        unknown: true,
      },
    ]);
  });

  it('reads a timestamp as a Date', async () => {
    const { rows } = await pool.query("SELECT '2026-01-05 10:00+01'::timestamptz AS moment");
    expect(rows).toEqual([{ moment: new Date('2026-01-05T09:00:00Z') }]);
  });
});

describe('statements', () => {
  it('prepares a named statement once per connection', async () => {
    const double = statement('spec.double', 'SELECT $1::int * 2 AS double', 'once');
    const prepared = await pool.transaction(async (transaction) => {
      await transaction.query(double, [1]);
      expect((await transaction.query(double, [21])).rows).toEqual([{ double: 42 }]);
      return transaction.query('SELECT name FROM pg_prepared_statements');
    });
    expect(prepared.rows).toEqual([{ name: 'spec.double' }]);
  });

  it('refuses one name for two texts', () => {
    statement('spec.twice', 'SELECT 1');
    expect(() => statement('spec.twice', 'SELECT 2')).toThrow(
      'two statements are named spec.twice',
    );
  });
});

describe('plans', () => {
  const sum = 'SELECT sum(n) AS sum FROM unnest($1::int[]) AS n';
  const once = statement('spec.once', sum, 'once');
  const eachTime = statement('spec.each', sum);
  const kept = 'SELECT name, generic_plans FROM pg_prepared_statements';

  it('are kept for statements that are planned once, also in a transaction', async () => {
    const one = createPool({ url: database.adminUrl, max: 1, applicationName: 'plan-spec' });
    try {
      for (let round = 0; round < 6; round += 1) {
        await one.transaction(async (transaction) => {
          expect((await transaction.query(once, [[1, 2]])).rows).toEqual([{ sum: 3 }]);
          expect((await transaction.query(eachTime, [[4]])).rows).toEqual([{ sum: 4 }]);
        });
      }
      await one.query(once, [[1]]);
      expect((await one.query(kept)).rows).toEqual([{ name: 'spec.once', generic_plans: 2 }]);
    } finally {
      await one.end();
    }
  });
});

describe('connections', () => {
  const pid = 'SELECT pg_backend_pid() AS pid';
  const open = (onUnavailable?: (cause: Error) => void) =>
    createPool({ url: database.adminUrl, max: 2, applicationName: 'pool-spec', onUnavailable });

  it('are used again, the one used last first', async () => {
    const several = open();
    try {
      const both = await Promise.all([several.query(pid), several.query(pid)]);
      expect(new Set(both.map(({ rows }) => rows[0]!['pid'])).size).toBe(2);
      const last = (await several.query(pid)).rows;
      for (let turn = 0; turn < 3; turn += 1) expect((await several.query(pid)).rows).toEqual(last);
    } finally {
      await several.end();
    }
  });

  it('go to callers that wait, in their order', async () => {
    const several = open();
    try {
      await several.query(pid);
      const callers = Array.from({ length: 20 }, (_, n) =>
        several.query('SELECT $1::int AS n', [n]),
      );
      const answers = await Promise.all(callers);
      expect(answers.map(({ rows }) => rows[0]!['n'])).toEqual(answers.map((_, n) => n));
    } finally {
      await several.end();
    }
  });

  it('are replaced when they break between two statements', async () => {
    const reported: unknown[] = [];
    const several = open((cause) => reported.push(sqlState(cause)));
    try {
      await Promise.all([several.query(pid), several.query(pid)]);
      await cutConnections();
      await eventually(() => expect(reported).toContain('57P01'));
      const asked = () => several.query('SELECT 1 AS one');
      await eventually(async () => expect((await asked()).rows).toEqual([{ one: 1 }]));
    } finally {
      await several.end();
    }
  });
});

describe('transactions', () => {
  it('commit when the work resolves and roll back when it throws', async () => {
    await pool.transaction((transaction) => transaction.query('INSERT INTO things VALUES (1)'));
    const failure = new Error('on second thought');
    const failing = pool.transaction(async (transaction) => {
      await transaction.query('INSERT INTO things VALUES (2)');
      throw failure;
    });
    await expect(failing).rejects.toBe(failure);
    expect((await pool.query('SELECT id FROM things')).rows).toEqual([{ id: 1 }]);
  });

  it('lets PostgreSQL’s own answers through', async () => {
    const twice = pool.transaction((transaction) =>
      transaction.query('INSERT INTO things VALUES (1)'),
    );
    expect(sqlState(await twice.catch((error: unknown) => error))).toBe('23505');
    expect((await pool.query('SELECT count(*) AS count FROM things')).rows).toEqual([{ count: 1 }]);
  });
});

describe('failures', () => {
  it('ends a statement that takes too long, with nothing done', async () => {
    const slow = await pool.query('SELECT pg_sleep(5)').catch((error: unknown) => error);
    expect(slow).toMatchObject({ name: 'DatabaseUnavailable', outcomeUnknown: false });
    expect(sqlState((slow as Error).cause)).toBe('57014');
    expect(reported).toContain('57014');
  });

  it.each(['25006', '40001', '40P01', '53100', '53200', '55006', '55P03', '57014', '58030'])(
    'calls a server that refuses because of itself (%s) unavailable, in a transaction, too',
    async (state) => {
      const refuse = `DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '${state}'; END $$`;
      const nothingDone = { name: 'DatabaseUnavailable', outcomeUnknown: false };
      await expect(pool.query(refuse)).rejects.toMatchObject(nothingDone);
      const begun = pool.transaction((transaction) => transaction.query(refuse));
      await expect(begun).rejects.toMatchObject(nothingDone);
      expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    },
  );

  it.each(['22P02', '23505', '25001', '25P01', '42501', '42P01', '55000', 'P0001', 'XX000'])(
    'lets through what is said of a statement (%s)',
    async (state) => {
      const refuse = `DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '${state}'; END $$`;
      expect(sqlState(await pool.query(refuse).catch((error: unknown) => error))).toBe(state);
    },
  );

  it('are described without the values that PostgreSQL quotes', async () => {
    const failureOf = (text: string, values: unknown[]) =>
      pool.query(text, values).catch((error: unknown) => error);
    const said = async (text: string, ...values: unknown[]) =>
      describeDatabaseError(await failureOf(text, values));
    expect(await said('SELECT $1::uuid', '+2348031234599')).toBe(
      '22P02 invalid_text_representation',
    );
    expect(await said('INSERT INTO things VALUES ($1)', 1)).toBe(
      '23505 unique_violation (things, things_pkey)',
    );
    expect(await said(`SELECT 1 / $1::int`, 0)).toBe('22012 division_by_zero');
    expect(describeDatabaseError(new Error('of ours'))).toBeUndefined();
  });

  it('calls a connection that is lost under a statement an unknown outcome', async () => {
    const cut = pool.query('SELECT pg_sleep(0.4)').catch((error: unknown) => error);
    await cutConnections();
    expect(await cut).toBeInstanceOf(DatabaseUnavailable);
    expect(await cut).toMatchObject({ outcomeUnknown: true });
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  it('calls one that is lost before COMMIT a known one', async () => {
    const cut = pool.transaction(async (transaction) => {
      await transaction.query('INSERT INTO things VALUES (3)');
      await cutConnections();
      await transaction.query('INSERT INTO things VALUES (4)');
    });
    await expect(cut).rejects.toMatchObject({ name: 'DatabaseUnavailable', outcomeUnknown: false });
    expect((await pool.query('SELECT id FROM things WHERE id > 2')).rows).toEqual([]);
  });

  it('calls a server that is not there unavailable, outcome known', async () => {
    const url = 'postgres://nobody:secret@127.0.0.1:1/none';
    const nowhere = createPool({ url, max: 1, applicationName: 'spec' });
    const failure = await nowhere.query('SELECT 1').catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'DatabaseUnavailable', outcomeUnknown: false });
    expect(String(failure)).not.toContain('secret');
    await nowhere.end();
  });
});
