import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { isLoopbackAddress, isPublicAddress } from '../endpoints/public-address.policy.js';

export interface ResolvedAddress {
  address: string;
  family: number;
}

export type Resolve = (
  hostname: string,
  callback: (error: Error | null, addresses: ResolvedAddress[]) => void,
) => void;

export const resolveBySystem: Resolve = (hostname, callback) =>
  lookup(hostname, { all: true }, callback);

/** Never shown: to the customer, a forbidden address looks like one that does not answer. */
class AddressRefused extends Error {
  readonly code = 'ADDRESS_REFUSED';

  constructor() {
    super('the address is not one that webhooks go to');
  }
}

interface Guard {
  allowLoopback: boolean;
  resolve: Resolve;
  connectTimeoutMs: number;
}

/**
 * A connector that reaches public addresses only, over TLS; with `allowLoopback` also this machine,
 * with or without TLS. All addresses of a name are checked after resolving and before connecting:
 * one bad address refuses the name. The connection uses these addresses, so a later change of the
 * name has no effect. The address of the connected socket is checked once more.
 */
export function guardedConnector(guard: Guard, protocol: string): buildConnector.connector {
  const isAllowed = (address: string) =>
    protocol === 'https:'
      ? isPublicAddress(address) || (guard.allowLoopback && isLoopbackAddress(address))
      : protocol === 'http:' && guard.allowLoopback && isLoopbackAddress(address);

  const connect = buildConnector({
    allowH2: false,
    timeout: guard.connectTimeoutMs,
    rejectUnauthorized: true,
    autoSelectFamily: true,
    lookup: guardedLookup(guard.resolve, isAllowed),
  });

  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, '');
    // Node does not look up literal addresses.
    if (isIP(host) !== 0 && !isAllowed(host)) {
      queueMicrotask(() => callback(new AddressRefused(), null));
      return;
    }
    connect(options, (...[error, socket]) => {
      if (error !== null) return callback(error, null);
      if (isAllowed(socket.remoteAddress ?? '')) return callback(null, socket);
      socket.destroy();
      callback(new AddressRefused(), null);
    });
  };
}

function guardedLookup(resolve: Resolve, isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, (error, addresses) => {
      const first = error ? undefined : addresses[0];
      if (!first || !addresses.every(({ address }) => isAllowed(address))) {
        callback(error ?? new AddressRefused(), '', 0);
      } else if (options.all) {
        callback(null, addresses);
      } else {
        callback(null, first.address, first.family);
      }
    });
  };
}
