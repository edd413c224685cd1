import { type AddressInfo, createConnection, createServer, type Server } from 'node:net';

/** Ports of 127.0.0.1 that nobody listens on, all different. */
export async function freePorts(count: number): Promise<number[]> {
  const probes = await Promise.all(Array.from({ length: count }, () => listen()));
  const ports = probes.map((probe) => (probe.address() as AddressInfo).port);
  await Promise.all(probes.map((probe) => new Promise((resolve) => probe.close(resolve))));
  return ports;
}

export async function freePort(): Promise<number> {
  const [port] = await freePorts(1);
  return port as number;
}

function listen(): Promise<Server> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => resolve(probe));
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
