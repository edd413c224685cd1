import type { Config } from './config.js';

/** Address under which others reach the gateway, without a slash at its end. */
export function callbackBaseUrlOf({ callbackBaseUrl, host, port }: Config): string {
  return (callbackBaseUrl || `http://${host}:${port}`).replace(/\/+$/, '');
}
