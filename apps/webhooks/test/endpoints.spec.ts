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
});
