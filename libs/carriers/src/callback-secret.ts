import { createHmac } from 'node:crypto';

/**
 * Returns the path segment of an account's callbacks. Each account has its own, so one carrier's
 * secret opens no other carrier's reports. `deploy/create-settings.mjs` computes the same.
 */
export function callbackSecretOf(callbackSecret: string, carrier: string, account: string): string {
  return createHmac('sha256', callbackSecret)
    .update(`callbacks/${carrier}/${account}`)
    .digest('base64url');
}

/** Returns the path that a carrier reports to for one of its accounts. */
export function callbackPathOf(
  callbackSecret: string,
  { carrier, id }: { carrier: string; id: string },
): string {
  return `/callbacks/${id}/${callbackSecretOf(callbackSecret, carrier, id)}`;
}

/** The path segment under which a proxy asks for link hosts of emails. It admits to nothing else. */
export function linkHostsSecretOf(callbackSecret: string): string {
  return createHmac('sha256', callbackSecret).update('link-hosts').digest('base64url');
}
