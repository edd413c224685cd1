import { isIP } from 'node:net';
import { isLoopbackAddress, isPublicAddress } from './public-address.policy.js';

/** Injection token: whether webhooks may go to receivers on this machine. */
export const ALLOW_LOOPBACK = Symbol('allow loopback');

/**
 * Checks a URL as a text. The check that protects is made on the connected address, at every
 * connection; this one reports mistakes early.
 */
const LENGTH_MAX = 2_048;

/** URL parsers drop or rewrite these silently, so two parsers may see two hosts. */
const REWRITTEN_BY_PARSERS = /[\s\\\p{Cc}]/u;

/** Names that mean this machine or its network. */
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal|intranet|lan|svc|arpa)$/;

/** Ports above 1023 that are not for webhooks: databases, brokers, container engines. */
const INFRASTRUCTURE_PORTS: ReadonlySet<number> = new Set([
  1433, 1521, 2049, 2375, 2376, 2379, 2380, 3306, 5432, 5672, 5984, 6379, 6443, 9042, 9092, 9200,
  9300, 10250, 11211, 27017,
]);
const UNPRIVILEGED_PORT_MIN = 1_024;

/** Returns null for a good URL, else a sentence with the problem. */
export function problemOfUrl(text: string, allowLoopback: boolean): string | null {
  if (text.length > LENGTH_MAX) return `The URL is longer than ${LENGTH_MAX} characters.`;
  if (REWRITTEN_BY_PARSERS.test(text)) return 'The URL contains a character that is not allowed.';
  if (!URL.canParse(text)) return 'This is not a URL.';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'The URL must not contain credentials.';
  if (text.includes('#')) return 'The URL must not contain a fragment.';
  const loopback = isLoopbackHost(url);
  if (loopback && !allowLoopback) return 'The URL must be reachable from the public internet.';
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback)) {
    return 'The URL must start with https://.';
  }
  if (!loopback && !isPublicHost(url)) {
    return 'The URL must be reachable from the public internet.';
  }
  return isAllowedPort(url) ? null : 'The port of the URL is not allowed.';
}

/**
 * Returns the host as a name or an address. `URL` has already normalised odd forms of addresses.
 */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

function isLoopbackHost(url: URL): boolean {
  const host = hostOf(url);
  return host === 'localhost' || isLoopbackAddress(host);
}

function isPublicHost(url: URL): boolean {
  const host = hostOf(url);
  if (isIP(host) !== 0) return isPublicAddress(host);
  return host.includes('.') && !LOCAL_NAME.test(host);
}

function isAllowedPort(url: URL): boolean {
  if (url.port === '') return true;
  const port = Number(url.port);
  return port >= UNPRIVILEGED_PORT_MIN && !INFRASTRUCTURE_PORTS.has(port);
}
