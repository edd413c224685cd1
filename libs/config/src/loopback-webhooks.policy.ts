import type { Config } from './config.js';
import { isLoopbackHost } from './loopback-host.js';

/**
 * Whether webhooks may go to plain-HTTP receivers on this machine. Without the switch this follows `HOST`: an
 * API that only this machine reaches may post to this machine. A process without the gateway has no `HOST`
 * of its own, so the default is no.
 */
export function allowsLoopbackWebhooks(
  config: Pick<Config, 'allowLoopbackWebhooks' | 'host' | 'services'>,
): boolean {
  const { allowLoopbackWebhooks, host, services } = config;
  return allowLoopbackWebhooks ?? (services.includes('gateway') && isLoopbackHost(host));
}
