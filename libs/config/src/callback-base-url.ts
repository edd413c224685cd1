import type { Config } from './config.js';

/** Returns the address under which others reach the gateway, without a slash at its end. */
export function callbackBaseUrlOf({ callbackBaseUrl, host, port }: Config): string {
  return (callbackBaseUrl || `http://${host}:${port}`).replace(/\/+$/, '');
}
