import { randomInt } from 'node:crypto';
import { createConnection, createServer } from 'node:net';

/**
 * By default below those that a system gives to whoever asks for any port (from 32768 on Linux, from 49152
 * elsewhere): a server that is away for a moment would find its port taken by somebody's connection.
 */
const firstPort = 20_000;
const portCount = 10_000;
const triesMax = 1_000;

/** Ports of 127.0.0.1 that nobody listens on, all different. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}

/** A port of 127.0.0.1 that nobody listens on. */
export async function freePort(
  /** For specs: what is tried, one after the other. */
  candidate = () => firstPort + randomInt(portCount),
): Promise<number> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const port = candidate();
    if (await isFree(port)) return port;
  }
  throw new Error(`no port is free from ${firstPort} to ${firstPort + portCount - 1}`);
}

/** Of some ports nobody may have any, such as those that Windows sets apart. */
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

/** Whether somebody takes connections there. */
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
