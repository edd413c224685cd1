import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { freePort, freePorts } from './free-ports.js';

function oneByOne(...ports: number[]): () => number {
  return () => {
    const port = ports.shift();
    if (port === undefined) throw new Error('all of them are taken');
    return port;
  };
}

describe('free ports', () => {
  it('are outside the range of ephemeral ports, and all different', async () => {
    const ports = await freePorts(300);
    expect(new Set(ports).size).toBe(300);
    expect(Math.min(...ports)).toBeGreaterThanOrEqual(20_000);
    expect(Math.max(...ports)).toBeLessThan(30_000);
  });

  it('exclude a port while a server listens on it', async () => {
    const [taken, free] = (await freePorts(2)) as [number, number];
    const server = createServer().listen(taken, '127.0.0.1');
    await once(server, 'listening');
    expect(await freePort(oneByOne(taken, free))).toBe(free);
    await new Promise((resolve) => server.close(resolve));
    expect(await freePort(oneByOne(taken))).toBe(taken);
  });

  it('are not looked for on and on where something else is the matter', async () => {
    await expect(freePort(() => 70_000)).rejects.toThrow('70000');
  });
});
