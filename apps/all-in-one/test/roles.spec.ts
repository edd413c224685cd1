import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { schemaPlanOf } from '@watchword/platform';
import { createClient } from '@watchword/postgres';
import { type ClonedDatabase, cloneDatabase } from '@watchword/testing';
import { installation } from '../src/services.js';

const services = installation.definitions.map(({ name }) => name);
let database: ClonedDatabase;
let tables: { schema: string; name: string }[];

beforeAll(async () => {
  database = await cloneDatabase(installation.definitions.map(schemaPlanOf));
  tables = await asked(
    database.adminUrl,
    `SELECT schemaname AS schema, tablename AS name FROM pg_tables
     WHERE schemaname IN ('gateway', 'billing', 'dispatch', 'webhooks')`,
  );
});

afterAll(() => database.drop());

async function asked<Row>(url: string, query: string): Promise<Row[]> {
  const client = createClient({ url, applicationName: 'spec' });
  await client.connect();
  try {
    return (await client.query(query)).rows as Row[];
  } finally {
    await client.end();
  }
}

const state = (error: unknown) => (error as { code?: string }).code;
const permissionDenied = '42501';

describe.each(services)('the role of %s', (service) => {
  it('reads its own tables', async () => {
    const own = tables.filter(({ schema }) => schema === service);
    expect(own.length).toBeGreaterThan(1);
    const queue = `SELECT count(*)::int AS count FROM ${service}.message_queue`;
    expect(await asked(database.urlOf(service), queue)).toEqual([{ count: 0 }]);
  });

  it('reaches nothing of the other services', async () => {
    const others = tables.filter(({ schema }) => schema !== service);
    expect(new Set(others.map(({ schema }) => schema)).size).toBe(services.length - 1);
    const client = createClient({ url: database.urlOf(service), applicationName: 'spec' });
    await client.connect();
    for (const { schema, name } of others) {
      for (const attempt of [
        `SELECT FROM ${schema}.${name}`,
        `DELETE FROM ${schema}.${name}`,
        `TRUNCATE ${schema}.${name}`,
      ]) {
        const outcome = await client.query(attempt).catch(state);
        expect({ attempt, outcome }).toEqual({ attempt, outcome: permissionDenied });
      }
    }
    await client.end();
  });

  it('cannot change its own tables, nor make itself more', async () => {
    const client = createClient({ url: database.urlOf(service), applicationName: 'spec' });
    await client.connect();
    for (const attempt of [
      `DROP TABLE ${service}.message_queue`,
      `CREATE TABLE ${service}.more (id int)`,
      'CREATE SCHEMA more',
      `SET ROLE "${new URL(database.adminUrl).username}"`,
    ]) {
      const outcome = await client.query(attempt).catch(state);
      expect({ attempt, outcome }).toEqual({ attempt, outcome: permissionDenied });
    }
    await client.end();
  });
});
