import { isIP } from 'node:net';
import { isLoopbackAddress, isPublicAddress } from './public-address.policy.js';

/** Injection token: whether webhooks may go to receivers on this machine. */
export const ALLOW_LOOPBACK = Symbol('allow loopback');

/**
 * What can be known of a URL by looking at it. The check that protects is made on the address that is
 * connected to, at every connection; this one tells people early.
 */
const LENGTH_MAX = 2_048;

/** URL parsers drop or rewrite these silently, and two parsers may then see two hosts. */
const REWRITTEN_BY_PARSERS = /[\s\\\p{Cc}]/u;

/** Names that mean this machine or the network it stands in. */
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal|intranet|lan|svc|arpa)$/;

/** Above 1023, but not for strangers to knock at: databases, brokers, container engines. */
const INFRASTRUCTURE_PORTS: ReadonlySet<number> = new Set([
  1433, 1521, 2049, 2375, 2376, 2379, 2380, 3306, 5432, 5672, 5984, 6379, 6443, 9042, 9092, 9200,
  9300, 10250, 11211, 27017,
]);
const UNPRIVILEGED_PORT_MIN = 1_024;

/** Null when the URL will do, else a sentence that says why not. */
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

/** The host as a name or as an address; `URL` has already brought odd forms of addresses into one. */
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
