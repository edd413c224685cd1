/** The database that a first start copies (ADR 70). */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { busPlan, provisionBus } from '@watchword/bus';
import { findPreparedCluster, prepareCluster } from '@watchword/host';
import { schemaPlanOf } from '@watchword/platform';
import { createClient, type EmbeddedPostgres, startEmbeddedPostgres } from '@watchword/postgres';
import { type ClonedDatabase, cloneDatabase, dumpSchema } from '@watchword/testing';
import { installation } from '../src/services.js';

const plans = [...installation.definitions.map(schemaPlanOf), busPlan];
const services = installation.definitions.map(({ name }) => name);

let directory: string;
let copy: EmbeddedPostgres;
let fresh: ClonedDatabase;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'watchword prepared '));
  await prepareCluster(async () => installation.definitions);
  expect(await findPreparedCluster()).toMatch(/clusters\/[0-9a-f]{16}\.tar$/);
  const onUnusable = (error: Error) => {
    throw error;
  };
  const prepared = { find: findPreparedCluster, onUnusable };
  copy = await startEmbeddedPostgres({ directory, prepared });
  fresh = await cloneDatabase(plans);
  await provisionBus(fresh.adminUrl);
});

afterAll(async () => {
  await copy?.destroy();
  await fresh?.drop();
  await rm(directory, { recursive: true, force: true });
});

async function query(text: string): Promise<Record<string, unknown>[]> {
  const client = createClient({ url: copy.url, applicationName: 'spec' });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

describe('the prepared database', () => {
  it.each(plans)('is as migrations leave a new one: $schema', async ({ schema }) => {
    const dumped = await dumpSchema(copy.url, schema);
    expect(dumped.length).toBeGreaterThan(10);
    expect(dumped).toEqual(await dumpSchema(fresh.adminUrl, schema));
  });

  it('has no secret', async () => {
    const roles = await query(
      `SELECT rolname, rolpassword, shobj_description(oid, 'pg_authid') AS comment
         FROM pg_authid WHERE rolname LIKE 'watchword\\_%' ORDER BY rolname`,
    );
    expect(roles).toEqual(
      ['billing', 'bus', 'dispatch', 'gateway', 'webhooks'].map((name) => ({
        rolname: `watchword_${name}`,
        rolpassword: null,
        comment: null,
      })),
    );
    for (const service of services) {
      expect(await query(`SELECT FROM ${service}.secret_fingerprints`)).toEqual([]);
    }
  });
});
