import { describe, expect, it } from '@jest/globals';
import { openScene, service, workspaceId } from './scene.kit.js';

openScene({ allowLoopback: false });

const url = 'https://hooks.example.com/watchword?token=1';

describe('the endpoint of a workspace', () => {
  it('is one, also when it is made many times at once', async () => {
    const made = await Promise.all(
      Array.from({ length: 20 }, () => service.putEndpoint(workspaceId, url)),
    );
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(new Set(made.map(({ secret }) => secret)).size).toBe(1);
  });

  it('is deleted once, and a new one is another', async () => {
    const { calls } = service.webhooks;
    const first = await service.putEndpoint(workspaceId, url);
    expect(await calls.deleteWorkspaceEndpoint({ workspace_id: workspaceId })).toEqual({
      deleted: true,
    });
    expect(await calls.deleteWorkspaceEndpoint({ workspace_id: workspaceId })).toEqual({
      deleted: false,
    });
    expect(await calls.rotateWorkspaceSecret({ workspace_id: workspaceId })).toEqual({
      verdict: 'not_found',
    });
    const second = await service.putEndpoint(workspaceId, url);
    expect(second.id).not.toBe(first.id);
    expect(second.secret).not.toBe(first.secret);
  });
});
