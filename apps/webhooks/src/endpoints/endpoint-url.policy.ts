import { isIP } from 'node:net';
import { type ErrorText, WEBHOOK_MESSAGES } from '@watchword/contracts';
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
export function problemOfUrl(text: string, allowLoopback: boolean): ErrorText | null {
  if (text.length > LENGTH_MAX) return WEBHOOK_MESSAGES.urlTooLong(LENGTH_MAX);
  if (REWRITTEN_BY_PARSERS.test(text)) return WEBHOOK_MESSAGES.urlCharacter;
  if (!URL.canParse(text)) return WEBHOOK_MESSAGES.noUrl;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return WEBHOOK_MESSAGES.urlCredentials;
  if (text.includes('#')) return WEBHOOK_MESSAGES.urlFragment;
  const loopback = isLoopbackHost(url);
  if (loopback && !allowLoopback) return WEBHOOK_MESSAGES.urlNotPublic;
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback)) {
    return WEBHOOK_MESSAGES.urlNotHttps;
  }
  if (!loopback && !isPublicHost(url)) {
    return WEBHOOK_MESSAGES.urlNotPublic;
  }
  return isAllowedPort(url) ? null : WEBHOOK_MESSAGES.urlPort;
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
