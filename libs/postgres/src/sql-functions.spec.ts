import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type ClonedDatabase, cloneDatabase } from '@watchword/testing';
import type { QueryRunner } from 'typeorm';
import { migrate } from './migrate.js';
import { createClient } from './pool.js';

class Tables1763680000001 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE first (id int)');
  }
  async down(): Promise<void> {}
}

class Later1763680000002 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION billing.a()');
  }
  async down(): Promise<void> {}
}

const answering = (name: string, answer: number) =>
  `-- A comment; with $$ in it.
   CREATE OR REPLACE FUNCTION billing.${name}() RETURNS int LANGUAGE sql AS $$ SELECT ${answer} $$;`;

let database: ClonedDatabase;
let folder: string;
let applied: (readonly string[])[];

beforeEach(async () => {
  database = await cloneDatabase([]);
  folder = await mkdtemp(join(tmpdir(), 'functions-'));
  applied = [];
});

afterEach(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

function start(migrations: (new () => Tables1763680000001)[] = [Tables1763680000001]) {
  return migrate({
    adminUrl: database.adminUrl,
    passwords: { billing: 'test' },
    plans: [{ schema: 'billing', migrations, functions: pathToFileURL(`${folder}/`) }],
    onFunctions: (_, files) => applied.push(files),
  });
}

const write = (name: string, text: string) => writeFile(join(folder, name), text);

async function ask(query: string, url = database.adminUrl): Promise<unknown> {
  const client = createClient({ url, applicationName: 'spec' });
  await client.connect();
  try {
    return Object.values((await client.query(query)).rows[0] ?? {})[0];
  } finally {
    await client.end();
  }
}

describe('SQL functions', () => {
  it('are applied when they are new or changed, and only then', async () => {
    await write('a.sql', answering('a', 1));
    await write('b.sql', answering('b', 2));
    await start();
    await start();
    await write('b.sql', answering('b', 3));
    await start();
    expect(applied).toEqual([['a.sql', 'b.sql'], ['b.sql']]);
    expect(await ask('SELECT billing.a() * 10 + billing.b()')).toBe(13);
  });

  it('all stay as they were when one of them is wrong, and the error names it', async () => {
    await write('a.sql', answering('a', 1));
    await start();
    await write('a.sql', answering('a', 5));
    await write('b.sql', 'CREATE OR REPLACE FUNCTION nonsense');
    await expect(start()).rejects.toThrow(/^billing: b\.sql cannot be applied: syntax error/);
    expect(await ask('SELECT billing.a()')).toBe(1);
  });

  it('are all applied again after a migration, which may have dropped one', async () => {
    await write('a.sql', answering('a', 1));
    await start();
    await start([Tables1763680000001, Later1763680000002]);
    expect(applied).toEqual([['a.sql'], ['a.sql']]);
    expect(await ask('SELECT billing.a()')).toBe(1);
  });

  it('are applied once by several processes that start at once', async () => {
    await write('a.sql', answering('a', 1));
    await Promise.all([start(), start(), start()]);
    expect(applied).toEqual([['a.sql']]);
  });
});
