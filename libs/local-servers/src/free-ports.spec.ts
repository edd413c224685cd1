import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { freePort, freePorts } from './free-ports.js';

/** Those that `freePort` would not try by itself. */
const belowOurs = 10_000;

const oneByOne = (...ports: number[]) => {
  const left = [...ports];
  return () => left.shift() as number;
};

describe('a free port', () => {
  it('is none that systems give to whoever asks for any, and each is another one', async () => {
    const ports = await freePorts(100);
    expect(new Set(ports).size).toBe(100);
    expect(Math.max(...ports)).toBeLessThan(32_768);
  });

  it('is given to nobody else, although nobody listens on it', async () => {
    const port = await freePort();
    const other = port - belowOurs;
    expect(await freePort(oneByOne(port, other))).toBe(other);
  });

  it('is none that somebody listens on who has not asked, until he ends', async () => {
    const [taken, free] = (await freePorts(2)).map((port) => port - belowOurs) as [number, number];
    const server = createServer().listen(taken, '127.0.0.1');
    await once(server, 'listening');
    expect(await freePort(oneByOne(taken, free))).toBe(free);
    await new Promise((resolve) => server.close(resolve));
    expect(await freePort(oneByOne(taken))).toBe(taken);
  });
});
