import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { createConnection, createServer } from 'node:net';

/**
 * Below those that a system gives to whoever asks for any port, which begin at 32768 on Linux and later elsewhere: a
 * server that is away for a moment would find its port taken by somebody's connection.
 */
const firstPort = 20_000;
const portCount = 10_000;
const triesMax = 200;

/** Ports of 127.0.0.1 that nobody listens on, all different. */
export function freePorts(count: number): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, () => freePort()));
}

/** Of all who ask here, in whatever process, nobody else is given it as long as this process lives. */
export async function freePort(
  candidate = () => firstPort + randomInt(portCount),
): Promise<number> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const port = candidate();
    const kept = await keep(port);
    if (!kept) continue;
    if (await isFree(port)) return port;
    kept.close();
  }
  throw new Error(`no port is free between ${firstPort} and ${firstPort + portCount}`);
}

/** By the UDP port of the same number, which none of our servers wants. Undefined when somebody else has it. */
function keep(port: number): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4').unref();
    socket.once('error', () => {
      socket.close();
      resolve(undefined);
    });
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => resolve(socket));
  });
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false));
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
