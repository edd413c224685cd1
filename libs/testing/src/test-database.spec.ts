import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { sqlState } from '@watchword/postgres';
import { testDatabase } from './test-database.js';
import type { TestDatabase } from './test-database.js';

class Ledger1763680000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE TABLE entries (id bigint PRIMARY KEY, credits bigint)');
    await queryRunner.query('REVOKE UPDATE, DELETE ON entries FROM watchword_billing');
  }
  async down(): Promise<void> {}
}

let first: TestDatabase;
let second: TestDatabase;

beforeAll(async () => {
  const options = { service: 'billing', migrations: [Ledger1763680000000] };
  [first, second] = await Promise.all([testDatabase(options), testDatabase(options)]);
});

afterAll(async () => {
  await Promise.all([first?.drop(), second?.drop()]);
});

describe('a test database', () => {
  it('is migrated and apart from every other', async () => {
    await first.pool.query('INSERT INTO entries VALUES (1, 10)');
    expect((await first.pool.query('SELECT * FROM entries')).rows).toEqual([
      { id: 1, credits: 10 },
    ]);
    expect((await second.pool.query('SELECT * FROM entries')).rows).toEqual([]);
  });

  it('gives the service the rights that migrations left it, and no more', async () => {
    for (const forbidden of [
      'UPDATE entries SET credits = 0',
      'DELETE FROM entries',
      'TRUNCATE entries',
      'DROP TABLE entries',
      'CREATE TABLE more ()',
      'CREATE TABLE public.more ()',
    ]) {
      const error = await first.pool.query(forbidden).catch((caught: unknown) => caught);
      expect([forbidden, sqlState(error)]).toEqual([forbidden, '42501']);
    }
  });
});
