import { beforeAll, describe, expect, it } from '@jest/globals';
import { UNLIMITED, type WorkspaceKeys } from './gateway.kit.js';
import { gateway, liftAddressLimits, useGateway } from './one-gateway.kit.js';

let workspace: WorkspaceKeys;

const NIL = '00000000-0000-0000-0000-000000000000';

useGateway();

beforeAll(async () => {
  await liftAddressLimits();
  workspace = await gateway.newWorkspace(UNLIMITED);
});

async function newKey(permission: string, mode = 'live'): Promise<{ key: string; key_id: string }> {
  const path = `/workspaces/${workspace.workspace_id}/keys`;
  return (await gateway.operator('POST', path, { mode, permission })).body;
}

describe('keys', () => {
  it('a revocation wins against lookups that are under way', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { key, key_id: id } = await newKey('full');
      const early = [1, 2, 3].map(() => gateway.get(`/v1/otp/${NIL}`, key));
      expect((await gateway.operator('DELETE', `/keys/${id}`)).status).toBe(204);
      expect((await gateway.get(`/v1/otp/${NIL}`, key)).status).toBe(401);
      await Promise.all(early);
      expect((await gateway.get(`/v1/otp/${NIL}`, key)).status).toBe(401);
    }
  });

  it('are stored as a hash only', async () => {
    const { rows } = await gateway.database.pool.query('SELECT * FROM api_keys');
    const stored = JSON.stringify(rows);
    expect(stored).not.toContain(workspace.live_key);
    expect(stored).not.toContain(workspace.live_key.slice(13, 28));
  });
});
