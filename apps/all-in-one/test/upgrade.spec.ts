import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { busPlan } from '@watchword/bus';
import { schemaPlanOf } from '@watchword/platform';
import { migrate, type MigrationClass, type SchemaPlan } from '@watchword/postgres';
import { type ClonedDatabase, cloneDatabase, dumpSchema } from '@watchword/testing';
import type { QueryRunner } from 'typeorm';
import { installation } from '../src/services.js';

/**
 * The migrations of the last release and a hash of the statements of each. A release adds its own; `node
 * tools/test.mjs apps/all-in-one/test/upgrade` prints the line of a migration that is not listed.
 */
const released = JSON.parse(
  readFileSync(join(import.meta.dirname, 'released-migrations.json'), 'utf8'),
) as Record<string, Record<string, string>>;

const plans: SchemaPlan[] = [...installation.definitions.map(schemaPlanOf), busPlan];
const isReleased = (schema: string) => (migration: MigrationClass) =>
  released[schema]?.[migration.name] !== undefined;

/** The release had no `.sql` files: its functions came with its migrations. */
const plansOfRelease = plans.map(({ schema, migrations, services }) => ({
  schema,
  services,
  migrations: migrations.filter(isReleased(schema)),
}));

/** Hash of what a migration asks the database to do. */
async function hashOf(migration: MigrationClass): Promise<string> {
  const hash = createHash('sha256');
  const query = (text: string, values: unknown[] = []) => {
    hash.update(JSON.stringify([text, values]));
    return Promise.resolve([]);
  };
  await new migration().up({ query } as unknown as QueryRunner);
  return hash.digest('hex').slice(0, 16);
}

let fresh: ClonedDatabase;
let upgraded: ClonedDatabase;

beforeAll(async () => {
  [fresh, upgraded] = [await cloneDatabase(plans), await cloneDatabase(plansOfRelease)];
  const passwords = Object.fromEntries(plans.map(({ schema }) => [schema, 'test']));
  await migrate({ adminUrl: upgraded.adminUrl, passwords, plans });
}, 120_000);

afterAll(() => Promise.all([fresh?.drop(), upgraded?.drop()]));

describe.each(plans)('the schema of $schema', ({ schema, migrations }) => {
  it('is the same in a new database and in one upgraded from the last release', async () => {
    const [ofFresh, ofUpgraded] = [
      await dumpSchema(fresh.adminUrl, schema),
      await dumpSchema(upgraded.adminUrl, schema),
    ];
    expect(ofFresh.length).toBeGreaterThan(10);
    expect(ofUpgraded).toEqual(ofFresh);
  });

  it('has no two functions of one name: a changed signature gets a new name', async () => {
    const names = (await dumpSchema(fresh.adminUrl, schema)).flatMap(
      (line) => /^(?:CREATE OR REPLACE FUNCTION|aggregate) ([\w.]+)\(/.exec(line)?.[1] ?? [],
    );
    expect(names).toEqual([...new Set(names)]);
  });

  it('keeps every released migration as it was released', async () => {
    const hashes: Record<string, string> = {};
    for (const migration of migrations.filter(isReleased(schema))) {
      hashes[migration.name] = await hashOf(migration);
    }
    expect(hashes).toEqual(released[schema]);
  });
});
