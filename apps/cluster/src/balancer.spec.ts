import {
  type AddressInfo,
  createConnection,
  createServer,
  type Server,
  type Socket,
} from 'node:net';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@watchword/testing';
import { Balancer } from './balancer.js';
import type { Health } from './health-of.js';

const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function listen(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  closing.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

class Target {
  health: Health = 'well';
  readonly sockets = new Set<Socket>();
  port = 0;

  constructor(readonly name: string) {}

  async start(): Promise<this> {
    const server = createServer((socket) => {
      this.sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.write(this.name);
    });
    this.port = await listen(server);
    closing.push(() => this.sockets.forEach((socket) => socket.destroy()));
    return this;
  }

  get at() {
    return { host: '127.0.0.1', port: this.port, health: async () => this.health };
  }
}

async function balance(...targets: { at: Target['at'] }[]): Promise<number> {
  return (await balancerOver(...targets)).port;
}

async function balancerOver(
  ...targets: { at: Target['at'] }[]
): Promise<{ port: number; balancer: Balancer }> {
  const port = await listen(createServer());
  await closing.pop()?.();
  const at = targets.map((target) => target.at);
  const balancer = new Balancer({ host: '127.0.0.1', port, targets: at });
  await balancer.listen();
  closing.push(() => balancer.close());
  return { port, balancer };
}

function dial(port: number): Socket {
  const socket = createConnection({ host: '127.0.0.1', port });
  closing.push(() => socket.destroy());
  return socket;
}

const nameAt = async (port: number) => String((await once(dial(port), 'data'))[0]);

describe('the balancer', () => {
  it('gives connections to the targets in turn', async () => {
    const port = await balance(await new Target('a').start(), await new Target('b').start());
    const names = [];
    for (let time = 0; time < 6; time += 1) names.push(await nameAt(port));
    expect(names.filter((name) => name === 'a')).toHaveLength(3);
  });

  it('passes over a target that takes no connections, at once', async () => {
    const gone = { at: { host: '127.0.0.1', port: 1, health: async () => 'well' as const } };
    const port = await balance(gone, await new Target('b').start());
    for (let time = 0; time < 4; time += 1) expect(await nameAt(port)).toBe('b');
  });

  it('gives nothing new to a target that leaves, and cuts nothing of it', async () => {
    const [a, b] = [await new Target('a').start(), await new Target('b').start()];
    const port = await balance(a, b);
    const clients = [dial(port), dial(port)];
    await Promise.all(clients.map((client) => once(client, 'data')));
    const inTurn = async () => [await nameAt(port), await nameAt(port)];
    a.health = 'leaving';
    await eventually(async () => expect(await inTurn()).toEqual(['b', 'b']));
    expect(await inTurn()).toEqual(['b', 'b']);
    expect(clients.map(({ closed }) => closed)).toEqual([false, false]);
    b.health = 'silent';
    await eventually(async () => expect(await nameAt(port)).toBe('a'));
  });
});
