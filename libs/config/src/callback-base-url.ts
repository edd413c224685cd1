import type { Config } from './config.js';

/** Returns the address under which others reach the gateway, without a slash at its end. */
export function callbackBaseUrlOf({ callbackBaseUrl, host, port }: Config): string {
  return (callbackBaseUrl || `http://${host}:${port}`).replace(/\/+$/, '');
}

/** What links of emails are made of: `LinkSettings` of `libs/email`. */
export function linkSettingsOf(config: Config): { trackingHost: string; callbackBaseUrl: string } {
  return { trackingHost: config.trackingHost, callbackBaseUrl: callbackBaseUrlOf(config) };
}
