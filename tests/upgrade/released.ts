import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installation } from '@watchword/all-in-one';
import { busPlan } from '@watchword/bus';
import { schemaPlanOf } from '@watchword/platform';
import type { MigrationClass, SchemaPlan } from '@watchword/postgres';
import type { QueryRunner } from 'typeorm';
import { type ApiFacts, apiFacts, type OpenApi } from './api-facts.ts';
import type { SchemaFacts } from './schema-facts.ts';

/** Hashes of what each migration asks the database to do, by schema and migration. */
export type Migrations = Record<string, Record<string, string>>;

/** Contents of `deploy/last-release`, which `record-release.ts` writes. */
export interface ReleaseRecord {
  commit: string;
  migrations: Migrations;
  /** Functions and columns that only older programs used. The facts lack them. */
  unused: readonly string[];
  facts: SchemaFacts;
  /** What clients of `/v1` could rely on. */
  api: ApiFacts;
}

export const recordFile = join(import.meta.dirname, 'last-release.json');

function read<Content>(file: string): Content {
  return JSON.parse(readFileSync(join(import.meta.dirname, file), 'utf8')) as Content;
}

export const lastRecord = (): ReleaseRecord => read('last-release.json');
/** Migrations of 0.1.0, which had no `.sql` files: its functions came with them. */
export const firstMigrations = (): Migrations => read('first-release.json');

/** What clients of `/v1` may rely on now. */
export function currentApi(): ApiFacts {
  const file = join(import.meta.dirname, '../../docs/reference/openapi.json');
  return apiFacts(JSON.parse(readFileSync(file, 'utf8')) as OpenApi);
}

export const plans: readonly SchemaPlan[] = [
  ...installation.definitions.map(schemaPlanOf),
  busPlan,
];

/** The plans of a release without its functions. */
export function plansOf(migrationsOfRelease: Migrations): SchemaPlan[] {
  return plans.map(({ schema, migrations, services }) => ({
    schema,
    services,
    migrations: migrations.filter(({ name }) => migrationsOfRelease[schema]?.[name] !== undefined),
  }));
}

/** Returns the migrations that a release lacks, by schema. */
export function migrationsSince(release: Migrations): string[] {
  return plans.flatMap(({ schema, migrations }) =>
    migrations
      .filter(({ name }) => release[schema]?.[name] === undefined)
      .map(({ name }) => `${schema}: ${name}`),
  );
}

export async function hashOf(migration: MigrationClass): Promise<string> {
  const hash = createHash('sha256');
  const query = (text: string, values: unknown[] = []) => {
    hash.update(JSON.stringify([text, values]));
    return Promise.resolve([]);
  };
  await new migration().up({ query } as unknown as QueryRunner);
  return hash.digest('hex').slice(0, 16);
}

export async function hashesOf(migrations: readonly MigrationClass[]) {
  const hashes: Record<string, string> = {};
  for (const migration of migrations) hashes[migration.name] = await hashOf(migration);
  return hashes;
}

export const passwords = Object.fromEntries(plans.map(({ schema }) => [schema, 'test']));
