import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ports of outgoing connections, which could take a port before it is opened. */
const FIRST = 20_000;
const COUNT = 10_000;
const TRIES_MAX = 1_000;

/** Returns a port of 127.0.0.1 that nothing listens on. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const port = FIRST + randomInt(COUNT);
    if (await isPortFree(port)) return port;
  }
  throw new Error(`no port is free from ${FIRST} to ${FIRST + COUNT - 1}`);
}

/** Returns whether nothing listens on this port of 127.0.0.1. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
