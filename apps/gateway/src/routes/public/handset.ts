import type { Config } from '@watchword/config';

const LOOPBACK = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;

/** Returns the simulator's first page, the handset, when it plays the carriers on this machine. */
export function handsetOf({
  carrierAccounts,
}: Pick<Config, 'carrierAccounts'>): string | undefined {
  for (const { settings } of carrierAccounts) {
    const { baseUrl } = settings as { baseUrl?: string };
    const url = URL.parse(baseUrl ?? '');
    if (url && LOOPBACK.test(url.hostname)) return `${url.origin}/`;
  }
  return undefined;
}
