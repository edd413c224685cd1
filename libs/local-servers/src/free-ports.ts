import { randomInt } from 'node:crypto';
import { createConnection, createServer } from 'node:net';

/**
 * Below the default ports of outgoing connections (from 32768 on Linux, from 49152 elsewhere),
 * which could take the port of a server that restarts.
 */
const FIRST_PORT = 20_000;
const PORT_COUNT = 10_000;
const TRIES_MAX = 1_000;

/** Returns different free ports of 127.0.0.1. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}

/** Returns a free port of 127.0.0.1 that nobody else was given. */
export async function freePort(
  /** For specs: returns the ports to try, one after the other. */
  candidate = () => FIRST_PORT + randomInt(PORT_COUNT),
): Promise<number> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const port = candidate();
    if ((await claim(port)) && (await isFree(port))) return port;
  }
  throw new Error(`no port is free from ${FIRST_PORT} to ${FIRST_PORT + PORT_COUNT - 1}`);
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
const takenCodes = ['EADDRINUSE', 'EACCES'];

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', (error: NodeJS.ErrnoException) => {
      if (takenCodes.includes(error.code ?? '')) resolve(false);
      else reject(error);
    });
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

/** Returns whether a program accepts connections on the port. */
export function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: '127.0.0.1', port });
    const answer = (outcome: boolean) => {
      socket.destroy();
      resolve(outcome);
    };
    socket.once('connect', () => answer(true)).once('error', () => answer(false));
  });
}
