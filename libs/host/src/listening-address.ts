import { type AddressInfo, createServer } from 'node:net';
import type { Config } from '@watchword/config';
import { freePort } from '@watchword/postgres';
import { UserError } from './user-error.js';

export interface ListeningAddress {
  host: string;
  port: number;
  /** Address from this machine. */
  baseUrl: string;
}

/** An address to listen on, and the settings that define it. */
export interface ListeningPlace {
  host: string;
  port: number;
  hostSetting: 'HOST' | 'INTERNAL_HOST' | 'INBOUND_SMTP_HOST';
  portSetting: 'PORT' | 'RPC_PORT' | 'METRICS_PORT' | 'INBOUND_SMTP_PORT';
}

export function publicPlace(host: string, port: number): ListeningPlace {
  return { host, port, hostSetting: 'HOST', portSetting: 'PORT' };
}

/** The place of what only other processes of the installation call. */
export function internalPlace(
  config: Pick<Config, 'internalHost'>,
  portSetting: 'RPC_PORT' | 'METRICS_PORT',
  port: number,
): ListeningPlace {
  return { host: config.internalHost, port, hostSetting: 'INTERNAL_HOST', portSetting };
}

/**
 * Checks before the start that the addresses of a gateway are free. Returns the public one. Port 0
 * becomes a free port.
 */
export async function reserveAddress(config: Config): Promise<ListeningAddress> {
  const { host, port, services } = config;
  const isGateway = services.includes('gateway');
  const free = isGateway ? await openPort(publicPlace(host, port)) : port;
  if (isGateway && config.inboundSmtpPort > 0) await reserveInboundSmtpPort(config);
  const everywhere = host === '0.0.0.0' || host === '::';
  const reachable = everywhere ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return { host, port: free, baseUrl: `http://${reachable}:${free}` };
}

/** Returns the port of the listener for bounces: as set, else any free one. */
export async function reserveInboundSmtpPort(config: Config): Promise<number> {
  const { inboundSmtpHost: host, inboundSmtpPort: port } = config;
  return openPort({
    host,
    port,
    hostSetting: 'INBOUND_SMTP_HOST',
    portSetting: 'INBOUND_SMTP_PORT',
  });
}

/**
 * Returns the status port of an embedded installation: as set, else that of the last run, else any
 * free one.
 */
export async function reserveStatusPort(
  config: Config,
  lastUrl: string | undefined,
): Promise<number> {
  if (config.metricsPort > 0) return config.metricsPort;
  const last = lastUrl === undefined ? 0 : Number(new URL(lastUrl).port);
  const open = (port: number) => openPort(internalPlace(config, 'METRICS_PORT', port));
  return open(last).catch(() => open(0));
}

async function openPort(place: ListeningPlace): Promise<number> {
  return probePort({ ...place, port: place.port === 0 ? await freePort() : place.port });
}

function probePort(place: ListeningPlace): Promise<number> {
  const { host, port } = place;
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', (error) => reject(explain(error, place)));
    probe.listen(port, host, () => {
      const address = probe.address() as AddressInfo;
      probe.close(() => resolve(address.port));
    });
  });
}

/** Explains why the address cannot be used, and which setting to change. */
export function explain(error: NodeJS.ErrnoException, place: ListeningPlace): Error {
  const { host, port, hostSetting, portSetting } = place;
  const example = `${portSetting}=${port < 65_535 ? port + 1 : 3000}`;
  const another = `choose another one, for example ${example}`;
  const which = `${portSetting} ${port}`;
  switch (error.code) {
    case 'EADDRINUSE':
      return new UserError(`${which} is taken: stop what listens there, or ${another}.`);
    case 'EACCES':
      return new UserError(`${which} needs privileges this user does not have: ${another}.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new UserError(
        `${hostSetting} ${host} is not an address of this machine: set another one.`,
      );
    default:
      return error;
  }
}
