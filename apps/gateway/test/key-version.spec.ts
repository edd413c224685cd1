/** The version under which gateways keep keys in memory: which transactions raise it. */
import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import type { Queryable } from '@watchword/postgres';
import { gateway, useGateway } from './one-gateway.kit.js';

useGateway();

async function version(): Promise<number> {
  const { rows } = await gateway.database.pool.query<{ key_version: number }>(
    'SELECT key_version FROM settings_version',
  );
  return rows[0]!.key_version;
}

const rename = (database: Queryable, id: string) =>
  database.query('UPDATE workspaces SET name = $2 WHERE id = $1', [id, randomUUID()]);

it('a transaction raises the version of keys once, and not when it is rolled back', async () => {
  const [one, other] = [await gateway.newWorkspace(), await gateway.newWorkspace()];
  const before = await version();
  await gateway.database.pool.transaction(async (database) => {
    await rename(database, one.workspace_id);
    await rename(database, other.workspace_id);
    await database.query('UPDATE api_keys SET revoked_at = now() WHERE workspace_id = $1', [
      one.workspace_id,
    ]);
  });
  expect(await version()).toBe(before + 1);
  const failed = gateway.database.pool.transaction(async (database) => {
    await rename(database, one.workspace_id);
    throw new Error('rolled back');
  });
  await expect(failed).rejects.toThrow('rolled back');
  expect(await version()).toBe(before + 1);
});

it('transactions that change keys of several workspaces at once all end, and each raises the version', async () => {
  const workspaces = [await gateway.newWorkspace(), await gateway.newWorkspace()];
  const before = await version();
  const changes = Array.from({ length: 20 }, (_, turn) =>
    gateway.database.pool.transaction(async (database) => {
      await rename(database, workspaces[turn % 2]!.workspace_id);
      await database.query('SELECT key_version FROM settings_version');
      await database.query('UPDATE api_keys SET name = $2 WHERE workspace_id = $1', [
        workspaces[turn % 2]!.workspace_id,
        randomUUID(),
      ]);
    }),
  );
  await Promise.all(changes);
  expect(await version()).toBe(before + 20);
});
