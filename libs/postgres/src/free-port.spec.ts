import { once } from 'node:events';
import { execFile } from 'node:child_process';
import { type AddressInfo, createServer } from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { freePort } from './free-port.js';

function oneByOne(...ports: number[]): () => number {
  return () => {
    const port = ports.shift();
    if (port === undefined) throw new Error('all of them are taken');
    return port;
  };
}

/** Several, because one may be taken. All are above the ports that `freePort` chooses from. */
const OTHERS = Array.from({ length: 20 }, (_, index) => 30_000 + index);

describe('free ports', () => {
  it('are outside the range of ephemeral ports, and all different', async () => {
    const ports = await Promise.all(Array.from({ length: 300 }, () => freePort()));
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
    expect(OTHERS).toContain(await freePort(oneByOne(given, next, ...OTHERS)));
    const script = `import { freePort } from ${JSON.stringify(import.meta.resolve('./free-port.ts'))};
      const ports = ${JSON.stringify([given, ...OTHERS])};
      console.log(await freePort(() => ports.shift()));`;
    const child = await promisify(execFile)(process.execPath, [
      '--input-type=module',
      '-e',
      script,
    ]);
    expect(OTHERS).toContain(Number(child.stdout));
  });

  it('are not looked for on and on where something else is the matter', async () => {
    // No port number, and one that no other run of this spec claims meanwhile.
    const port = 70_000 + process.pid;
    await expect(freePort(() => port)).rejects.toThrow(String(port));
  });
});
