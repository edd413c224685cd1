import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '@watchword/config';
import { reserveAddress } from './listening-address.js';
import { UserError } from './user-error.js';

describe('the listening address', () => {
  it('is known before anything is started, also when any port will do', async () => {
    const { config } = loadConfig({ PORT: '0', HOST: '0.0.0.0' });
    const { host, port, baseUrl } = await reserveAddress(config);
    expect(port).toBeGreaterThan(0);
    expect({ host, baseUrl }).toEqual({ host: '0.0.0.0', baseUrl: `http://127.0.0.1:${port}` });
  });

  it('is refused in one line when another process listens there', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { config } = loadConfig({ PORT: String(port) });
    const refused = await reserveAddress(config).catch((error: unknown) => error);
    other.close();
    expect(refused).toBeInstanceOf(UserError);
    expect((refused as Error).message).toMatch(
      new RegExp(`^PORT ${port} is taken: stop what listens there, or choose another one[^\n]+$`),
    );
  });
});
