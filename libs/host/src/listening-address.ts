import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { Config } from '@watchword/config';
import { UserError } from './user-error.js';

export interface ListeningAddress {
  host: string;
  port: number;
  /** How this machine reaches it. */
  baseUrl: string;
}

/** Looks before anything is started whether we will be able to listen; 0 becomes a free port. */
export async function reserveAddress(config: Config): Promise<ListeningAddress> {
  const { host, port, services } = config;
  const free = services.includes('gateway') ? await probePort(host, port) : port;
  const everywhere = host === '0.0.0.0' || host === '::';
  const reachable = everywhere ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return { host, port: free, baseUrl: `http://${reachable}:${free}` };
}

function probePort(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', (error) => reject(explain(error, host, port)));
    probe.listen(port, host, () => {
      const address = probe.address() as AddressInfo;
      probe.close(() => resolve(address.port));
    });
  });
}

export function explain(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const another = `choose another one, for example PORT=${port < 65_535 ? port + 1 : 3000}`;
  switch (error.code) {
    case 'EADDRINUSE':
      return new UserError(`PORT ${port} is taken: stop what listens there, or ${another}.`);
    case 'EACCES':
      return new UserError(`PORT ${port} needs privileges this user does not have: ${another}.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new UserError(`HOST ${host} is not an address of this machine: set another one.`);
    default:
      return error;
  }
}
