import type { ComposeOrder } from './compose.js';
import { EmailTokens, hostSecret, type UnsubscribeRef } from './tokens.js';

/** Which links an email carries. */
export interface LinkWishes {
  readonly category: 'transactional' | 'marketing';
  readonly track_opens: boolean;
  readonly track_clicks: boolean;
}

/** Where the gateway is reached. */
export interface LinkSettings {
  /** `TRACKING_HOST`; empty where there is none. */
  readonly trackingHost: string;
  /** Without a slash at its end. */
  readonly callbackBaseUrl: string;
}

export interface LinkSigning {
  readonly baseUrl: string;
  /** Of the host of `baseUrl`: see `linkSecretAt`. */
  readonly secret: string;
}

const OWN_HOST_PREFIX = 'links.';

/** Host of the links of a domain that has its TRACKING record. */
export function trackingHostOf(domain: string): string {
  return OWN_HOST_PREFIX + domain;
}

/**
 * Base of the links of an email, without a slash at the end. `ownDomain` is the sender's domain when its TRACKING record
 * is verified, else null. That record exists only where `TRACKING_HOST` is set.
 */
export function linkBaseUrl(settings: LinkSettings, ownDomain: string | null): string {
  const { trackingHost, callbackBaseUrl } = settings;
  if (trackingHost === '') return callbackBaseUrl;
  return `https://${ownDomain === null ? trackingHost : trackingHostOf(ownDomain)}`;
}

/** What `linkBaseUrl` says, and the secret that counts there. `secret` is `emailTokenSecret(CALLBACK_SECRET)`. */
export function linkSigning(
  settings: LinkSettings,
  secret: string,
  ownDomain: string | null,
): LinkSigning {
  const baseUrl = linkBaseUrl(settings, ownDomain);
  return { baseUrl, secret: linkSecretAt(settings, secret, URL.parse(baseUrl)?.hostname ?? '') };
}

/**
 * The secret of tokens under a host name without a port. Each `links.<domain>` has its own: otherwise the token of one
 * workspace would lead to its target under the name of another. The installation's own hosts share one.
 */
export function linkSecretAt(
  { trackingHost, callbackBaseUrl }: LinkSettings,
  secret: string,
  host: string,
): string {
  const name = host.toLowerCase();
  const shared = [trackingHost.toLowerCase(), URL.parse(callbackBaseUrl)?.hostname];
  const isOwn = name.startsWith(OWN_HOST_PREFIX) && !shared.includes(name);
  return isOwn ? hostSecret(secret, name) : secret;
}

/** Whether each recipient's copy differs from the others. */
export function hasOwnLinks({ category, track_opens, track_clicks }: LinkWishes): boolean {
  return track_opens || track_clicks || category === 'marketing';
}

/** The links of one recipient's copy. */
export function ownLinks(
  wishes: LinkWishes,
  owner: UnsubscribeRef,
  { baseUrl, secret }: LinkSigning,
): Pick<ComposeOrder, 'unsubscribeUrl' | 'tracking'> {
  const { category, track_opens: opens, track_clicks: clicks } = wishes;
  const token = () => new EmailTokens(secret).unsubscribe(owner);
  const ref = { emailId: owner.emailId, recipient: owner.recipient };
  return {
    ...(category === 'marketing' && { unsubscribeUrl: `${baseUrl}/u/${token()}` }),
    ...((opens || clicks) && { tracking: { baseUrl, secret, ref, opens, clicks } }),
  };
}
