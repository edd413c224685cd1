/** The schemas of this version beside those of earlier ones. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrate } from '@watchword/postgres';
import { type ClonedDatabase, cloneDatabase, dumpSchema } from '@watchword/testing';
import { lastRelease } from './release-checkout.ts';
import { firstMigrations, hashesOf, lastRecord, passwords, plans, plansOf } from './released.ts';
import { contractions, readFacts, type SchemaFacts, withoutUnused } from './schema-facts.ts';

const releases = { '0.1.0': firstMigrations(), 'the last release': lastRecord().migrations };

let fresh: ClonedDatabase;

beforeAll(async () => {
  fresh = await cloneDatabase(plans);
});

afterAll(() => fresh?.drop());

describe.each(Object.entries(releases))('a database of %s', (_, released) => {
  let upgraded: ClonedDatabase;

  beforeAll(async () => {
    upgraded = await cloneDatabase(plansOf(released));
    await migrate({ adminUrl: upgraded.adminUrl, passwords, plans });
  });

  afterAll(() => upgraded?.drop());

  it.each(plans)('becomes the same as a new one: $schema', async ({ schema }) => {
    const [ofFresh, ofUpgraded] = [
      await dumpSchema(fresh.adminUrl, schema),
      await dumpSchema(upgraded.adminUrl, schema),
    ];
    expect(ofFresh.length).toBeGreaterThan(10);
    expect(ofUpgraded).toEqual(ofFresh);
  });

  it.each(plansOf(released))(
    'comes from migrations that stay as they were released: $schema',
    async ({ schema, migrations }) => {
      expect(await hashesOf(migrations)).toEqual(released[schema]);
    },
  );
});

describe('the schemas', () => {
  it.each(plans)('have no two functions of one name: $schema', async ({ schema }) => {
    const names = (await dumpSchema(fresh.adminUrl, schema)).flatMap(
      (line) => /^(?:CREATE OR REPLACE FUNCTION|aggregate) ([\w.]+)\(/.exec(line)?.[1] ?? [],
    );
    expect(names).toEqual([...new Set(names)]);
  });

  it('only expand those of the last release: its programs go on working', async () => {
    const { commit, facts } = lastRecord();
    expect(commit).toBe(lastRelease());
    expect(Object.keys(facts.functions).length).toBeGreaterThan(20);
    expect(contractions(facts, await readFacts(fresh.adminUrl))).toEqual([]);
  });

  it('name the oldest program that works on them, which the last release is not older than', () => {
    const { migrations } = lastRecord();
    for (const { schema, oldestProgram } of plans) {
      expect(Object.keys(migrations[schema]!)).toContain(oldestProgram?.name);
    }
  });
});

describe('what is no expansion', () => {
  const older: SchemaFacts = {
    functions: { 'a.take(text)': 'integer', 'a.give(text)': 'void' },
    tables: { 'a.one': { id: 'uuid not null', note: 'text' }, 'a.two': { id: 'uuid not null' } },
  };

  it('is named', () => {
    const one = { id: 'bigint not null', note: 'text not null', more: 'text not null' };
    const newer = { functions: { 'a.take(text)': 'bigint' }, tables: { 'a.one': one } };
    expect(contractions(older, newer)).toEqual([
      'the function a.take(text) answers bigint, not integer',
      'the function a.give(text) is gone',
      'the column a.one.id is bigint, not uuid',
      'the column a.one.note must be given now',
      'the new column a.one.more must be given, which the older program does not do',
      'the table a.two is gone',
    ]);
  });

  it('is not what the older program does not use', () => {
    const newer = {
      functions: { 'a.give(text)': 'void' },
      tables: { 'a.one': { id: 'uuid not null' }, 'a.two': older.tables['a.two']! },
    };
    expect(contractions(withoutUnused(older, ['a.take', 'a.one.note']), newer)).toEqual([]);
  });

  it('is not what an older program does not see', () => {
    const newer = structuredClone(older);
    newer.functions['a.more(text)'] = 'void';
    newer.tables['a.three'] = { id: 'uuid not null' };
    newer.tables['a.one'] = {
      id: 'uuid not null, given by default',
      note: 'text',
      more: 'text not null, given by default',
    };
    expect(contractions(older, newer)).toEqual([]);
  });
});
