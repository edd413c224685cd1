import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the default ports of outgoing connections (from 32768 on Linux, from 49152 elsewhere),
 * which could take a port before it is opened, or while its server restarts.
 */
const FIRST = 20_000;
const COUNT = 10_000;
const TRIES_MAX = 1_000;

/** Returns a port of 127.0.0.1 that nothing listens on, and that no other process was given. */
export async function freePort(
  /** For specs: returns the ports to try, one after the other. */
  candidate = () => FIRST + randomInt(COUNT),
): Promise<number> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const port = candidate();
    if ((await claim(port)) && (await isPortFree(port))) return port;
  }
  throw new Error(`no port is free from ${FIRST} to ${FIRST + COUNT - 1}`);
}

/**
 * Claims the port against other processes that ask here, for as long as this process lives: between
 * the answer and the listener lie seconds. The kernel frees an abstract socket with its process;
 * elsewhere than on Linux there is none, and nothing is claimed.
 */
function claim(port: number): Promise<boolean> {
  if (process.platform !== 'linux') return Promise.resolve(true);
  return new Promise((resolve) => {
    const holder = createServer().once('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code !== 'EADDRINUSE'),
    );
    holder.listen(`\0watchword-port-${port}`, () => {
      holder.unref();
      resolve(true);
    });
  });
}

/** Some ports are never free, such as those that Windows reserves. */
const TAKEN_CODES = ['EADDRINUSE', 'EACCES'];

/** Returns whether nothing listens on this port of 127.0.0.1. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', (error: NodeJS.ErrnoException) => {
      if (TAKEN_CODES.includes(error.code ?? '')) resolve(false);
      else reject(error);
    });
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
