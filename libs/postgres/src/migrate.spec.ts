import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { cloneDatabase } from '@watchword/testing';
import type { ClonedDatabase } from '@watchword/testing';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { DatabaseError } from 'pg';
import {
  DatabaseOfAnotherVersion,
  DatabaseUnusable,
  explainNotReached,
} from './database-errors.js';
import { migrate } from './migrate.js';
import type { MigrateOptions } from './migrate.js';
import type { MigrationClass } from './schema-plan.js';
import { createClient } from './pool.js';

class First1763680000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE TABLE first (id int)');
  }
  async down(): Promise<void> {}
}

class Second1763680000002 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE first ADD COLUMN second int');
  }
  async down(): Promise<void> {}
}

class Broken1763680000003 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE TABLE half (id int)');
    await queryRunner.query('CREATE TABLE first (id int)');
  }
  async down(): Promise<void> {}
}

let database: ClonedDatabase;

beforeEach(async () => {
  database = await cloneDatabase([]);
});

afterEach(async () => {
  await database.drop();
});

function optionsFor(...migrations: MigrationClass[]): MigrateOptions {
  return {
    adminUrl: database.adminUrl,
    passwords: { billing: 'test' },
    plans: [{ schema: 'billing', migrations }],
  };
}

async function columnsOf(table: string): Promise<string[]> {
  const admin = createClient({ url: database.adminUrl, applicationName: 'spec' });
  await admin.connect();
  const found = await admin.query(
    `SELECT column_name FROM information_schema.columns
     WHERE table_schema = 'billing' AND table_name = $1 ORDER BY ordinal_position`,
    [table],
  );
  await admin.end();
  return found.rows.map((row: { column_name: string }) => row.column_name);
}

describe('migrate', () => {
  it('runs what is pending, once', async () => {
    const ran: string[] = [];
    const onMigration = (_: string, name: string) => ran.push(name);
    const both = optionsFor(First1763680000001, Second1763680000002);
    const states = [
      ...(await migrate({ ...optionsFor(First1763680000001), onMigration })),
      ...(await migrate({ ...both, onMigration })),
      ...(await migrate({ ...both, onMigration })),
    ];
    expect(states).toEqual([
      { schema: 'billing', at: 'First1763680000001', ran: 1 },
      { schema: 'billing', at: 'Second1763680000002', ran: 1 },
      { schema: 'billing', at: 'Second1763680000002', ran: 0 },
    ]);
    expect(ran).toEqual(['First1763680000001', 'Second1763680000002']);
    expect(await columnsOf('first')).toEqual(['id', 'second']);
  });

  it('lets several processes start at once', async () => {
    const options = optionsFor(First1763680000001, Second1763680000002);
    await Promise.all([migrate(options), migrate(options), migrate(options)]);
    expect(await columnsOf('first')).toEqual(['id', 'second']);
  });

  it('leaves nothing of a migration that fails', async () => {
    await expect(migrate(optionsFor(First1763680000001, Broken1763680000003))).rejects.toThrow();
    expect(await columnsOf('half')).toEqual([]);
    await migrate(optionsFor(First1763680000001, Second1763680000002));
    expect(await columnsOf('first')).toEqual(['id', 'second']);
  });

  it('leaves a schema as it is while all of it is recorded, and gives a new role its rights', async () => {
    const options = optionsFor(First1763680000001);
    await migrate(options);
    const admin = createClient({ url: database.adminUrl, applicationName: 'spec' });
    await admin.connect();
    const rights = async () => {
      const { rows } = await admin.query(
        `SELECT nspacl::text AS rights FROM pg_namespace WHERE nspname = 'billing'`,
      );
      return (rows[0] as { rights: string }).rights;
    };
    const before = await rights();
    await admin.query('REVOKE USAGE ON SCHEMA billing FROM watchword_billing');
    const without = await rights();
    await migrate(options);
    expect(await rights()).toBe(without);
    const other = `spec_${Date.now()}`;
    await migrate({ ...options, passwords: { ...options.passwords, [other]: 'one' } });
    expect(await rights()).toBe(before);
    await admin.query(`DROP ROLE watchword_${other}`);
    await admin.end();
  });

  it('refuses a database with a migration that it does not know, with one line', async () => {
    await migrate(optionsFor(First1763680000001, Second1763680000002));
    const failure = await migrate(optionsFor(First1763680000001)).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(DatabaseOfAnotherVersion);
    expect((failure as Error).message).toMatch(
      /^The database was written by another version[^\n]+$/,
    );
    expect((failure as Error).message).toContain('Second1763680000002');
  });
});

describe('a DATABASE_URL that cannot log in', () => {
  const changed = (change: (url: URL) => void): MigrateOptions => {
    const url = new URL(database.adminUrl);
    change(url);
    return { ...optionsFor(First1763680000001), adminUrl: url.href };
  };

  it.each<[string, (url: URL) => void, RegExp]>([
    [
      'no server',
      (url) => (url.port = '1'),
      /^No PostgreSQL answers at .*:1 \(ECONNREFUSED\): start it, /,
    ],
    [
      'no such database',
      (url) => (url.pathname = '/nowhere'),
      /has no database of the name in DATABASE_URL: create it, /,
    ],
    [
      'no such password',
      (url) => (url.password = 'wrong'),
      /refuses the user of DATABASE_URL: correct /,
    ],
  ])('is explained in a sentence without a secret: %s', async (_, change, sentence) => {
    const error: unknown = await migrate(changed(change)).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DatabaseUnusable);
    expect((error as Error).message).toMatch(sentence);
    expect((error as Error).message).not.toContain('wrong');
  });

  it.each([
    ['08P01', 'unsupported startup parameter in options: statement_timeout', 'refuses settings'],
    ['08P01', 'no more connections allowed (max_client_conn)', 'refuses the connection'],
    [undefined, 'timeout expired', 'without a free connection'],
  ])('names the pooler behind it (PgBouncer 1.26.1): %s %s', (code, message, words) => {
    const error = code
      ? Object.assign(new DatabaseError(message, 0, 'error'), { code })
      : new Error(message);
    const explained = explainNotReached(error, 'postgres://a:secret@pooler:6432/b') as Error;
    expect(explained).toBeInstanceOf(DatabaseUnusable);
    expect(explained.message).toContain('connection pooler');
    expect(explained.message).toContain(words);
    expect(explained.message).not.toContain('secret');
  });
});
