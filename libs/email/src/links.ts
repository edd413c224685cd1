import type { ComposeOrder } from './compose.js';
import { EmailTokens, hostSecret, type UnsubscribeRef } from './tokens.js';

/** Which links an email needs. */
export interface LinkWishes {
  readonly category: 'transactional' | 'marketing';
  readonly track_opens: boolean;
  readonly track_clicks: boolean;
}

/** Address of the gateway and secret of the links. */
export interface LinkSettings {
  /** `TRACKING_HOST`; empty when unset. */
  readonly trackingHost: string;
  /** Public address of the gateway, without a slash at its end. */
  readonly callbackBaseUrl: string;
}

export interface LinkSigning {
  readonly baseUrl: string;
  /** Secret of the host of `baseUrl`; see `linkSecretAt`. */
  readonly secret: string;
}

const OWN_HOST_PREFIX = 'links.';

/** Returns the link host of a domain that has its TRACKING record. */
export function trackingHostOf(domain: string): string {
  return OWN_HOST_PREFIX + domain;
}

/** The domain with links over this host, in the spelling of the host; null for any other host. */
export function domainOfTrackingHost(host: string): string | null {
  const name = host.toLowerCase().replace(/\.$/, '');
  return name.startsWith(OWN_HOST_PREFIX) ? name.slice(OWN_HOST_PREFIX.length) : null;
}

/**
 * Returns the base URL of an email's links, without a slash at the end. `ownDomain` is the sender's
 * domain when its TRACKING record is verified, else null. That record exists only where
 * `TRACKING_HOST` is set.
 */
export function linkBaseUrl(settings: LinkSettings, ownDomain: string | null): string {
  const { trackingHost, callbackBaseUrl } = settings;
  if (trackingHost === '') return callbackBaseUrl;
  return `https://${ownDomain === null ? trackingHost : trackingHostOf(ownDomain)}`;
}

/**
 * Returns the result of `linkBaseUrl` and the secret that is valid there. `secret` is
 * `emailTokenSecret(CALLBACK_SECRET)`.
 */
export function linkSigning(
  settings: LinkSettings,
  secret: string,
  ownDomain: string | null,
): LinkSigning {
  const baseUrl = linkBaseUrl(settings, ownDomain);
  return { baseUrl, secret: linkSecretAt(settings, secret, URL.parse(baseUrl)?.hostname ?? '') };
}

/**
 * Returns the secret of tokens under a host name without a port. Each `links.<domain>` has its own,
 * otherwise one workspace's token would work under another's name. The installation's own hosts
 * share one.
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

/** Returns whether each recipient's copy differs from the others. */
export function hasOwnLinks({ category, track_opens, track_clicks }: LinkWishes): boolean {
  return track_opens || track_clicks || category === 'marketing';
}

/** Returns the links of one recipient's copy. */
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
