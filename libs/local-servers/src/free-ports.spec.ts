import { once } from 'node:events';
import { execFile } from 'node:child_process';
import { type AddressInfo, createServer } from 'node:net';
import { promisify } from 'node:util';
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
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port: taken } = server.address() as AddressInfo;
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port: free } = other.address() as AddressInfo;
    await new Promise((resolve) => other.close(resolve));
    expect(await freePort(oneByOne(taken, free))).toBe(free);
    await new Promise((resolve) => server.close(resolve));
  });

  it('are given once, though nothing listens on them yet', async () => {
    const given = await freePort();
    const next = await freePort();
    expect(await freePort(oneByOne(given, next, given + 10_000))).toBe(given + 10_000);
    const script = `import { freePort } from ${JSON.stringify(import.meta.resolve('./free-ports.ts'))};
      const ports = [${given}, ${given + 10_001}];
      console.log(await freePort(() => ports.shift()));`;
    const child = await promisify(execFile)(process.execPath, [
      '--input-type=module',
      '-e',
      script,
    ]);
    expect(child.stdout.trim()).toBe(String(given + 10_001));
  });

  it('are not looked for on and on where something else is the matter', async () => {
    await expect(freePort(() => 70_000)).rejects.toThrow('70000');
  });
});
