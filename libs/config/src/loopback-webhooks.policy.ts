import type { Config } from './config.js';
import { isLoopbackHost } from './loopback-host.js';

/**
 * Returns whether webhooks may go to plain-HTTP receivers on this machine. Without the switch this
 * follows `HOST`: an API reachable only from this machine may post to it. A process without the
 * gateway has no `HOST`, so its default is no.
 */
export function allowsLoopbackWebhooks(
  config: Pick<Config, 'allowLoopbackWebhooks' | 'host' | 'services'>,
): boolean {
  const { allowLoopbackWebhooks, host, services } = config;
  return allowLoopbackWebhooks ?? (services.includes('gateway') && isLoopbackHost(host));
}
