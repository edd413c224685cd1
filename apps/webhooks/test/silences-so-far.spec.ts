import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newId, type WorkspaceId } from '@watchword/contracts';
import { migrate } from '@watchword/postgres';
import { testDatabase, type TestDatabase } from '@watchword/testing';
import { webhooksService } from '../src/index.js';
import { Silences1796520000000 } from '../src/migrations/silences.migration.js';

const { functions } = webhooksService;
const upTo = webhooksService.migrations.indexOf(Silences1796520000000);
const BUSY = newId();
const QUIET = newId();

let database: TestDatabase;

beforeAll(async () => {
  const migrations = webhooksService.migrations.slice(0, upTo);
  database = await testDatabase({ service: 'webhooks', migrations });
  await database.pool.query(
    'INSERT INTO webhooks.sequences (workspace_id, last_sequence) VALUES ($1, 7)',
    [BUSY],
  );
});

afterAll(() => database?.drop());

interface Given {
  workspaceId: WorkspaceId;
  status: 'enabled' | 'disabled';
  version?: number;
  variant?: 'a' | 'b';
  isDeleted?: boolean;
}

async function endpoint(given: Given): Promise<string> {
  const { workspaceId, status, version = 2, variant = 'b', isDeleted = false } = given;
  const id = newId();
  await database.pool.query(
    `INSERT INTO webhooks.endpoints (id, workspace_id, variant, url, events, status, secret, version,
       created_at, updated_at, deleted_at)
     VALUES ($1, $2, $3, 'https://acme.example/', '{sms.sent}', $4, '\\x00', $5, now(), now(),
       CASE WHEN $6 THEN now() END)`,
    [id, workspaceId, variant, status, version, isDeleted],
  );
  return id;
}

it('an upgrade gives each endpoint the silence that it may have had', async () => {
  const isDisabled = await endpoint({ workspaceId: BUSY, status: 'disabled' });
  const isWithoutEvents = await endpoint({ workspaceId: QUIET, status: 'disabled', version: 1 });
  const wasChanged = await endpoint({ workspaceId: BUSY, status: 'enabled' });
  await endpoint({ workspaceId: BUSY, status: 'enabled', version: 1 });
  await endpoint({ workspaceId: BUSY, status: 'disabled', variant: 'a' });
  await endpoint({ workspaceId: BUSY, status: 'disabled', isDeleted: true });
  const plan = { schema: 'webhooks', migrations: webhooksService.migrations, functions };
  await migrate({
    adminUrl: database.adminUrl,
    passwords: { webhooks: 'test' },
    plans: [plan],
  });
  const silencesOf = async (id: string) => {
    const { rows } = await database.pool.query<{ first: number; last: number | null }>(
      `SELECT after_sequence::int AS first, last_sequence::int AS last, events,
         ended_at IS NOT NULL AS ended FROM webhooks.silences WHERE endpoint_id = $1`,
      [id],
    );
    return rows;
  };
  const events = ['sms.sent'];
  expect(await silencesOf(isDisabled)).toEqual([{ first: 0, last: null, events, ended: false }]);
  expect(await silencesOf(isWithoutEvents)).toEqual([
    { first: 0, last: null, events, ended: false },
  ]);
  expect(await silencesOf(wasChanged)).toEqual([{ first: 0, last: 7, events, ended: true }]);
  const { rows } = await database.pool.query('SELECT FROM webhooks.silences');
  expect(rows).toHaveLength(3);
  await database.pool.query(
    `UPDATE webhooks.endpoints SET status = 'enabled', updated_at = now() WHERE id = $1`,
    [isWithoutEvents],
  );
  expect(await silencesOf(isWithoutEvents)).toEqual([{ first: 0, last: 0, events, ended: true }]);
});
