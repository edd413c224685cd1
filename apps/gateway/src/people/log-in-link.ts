import { isSameSecret, type WorkspaceId } from '@watchword/contracts';
import type { Platform } from '@watchword/platform';
import { newToken, tokenHash } from './session-token.js';

/** Whom the link of `npm start` logs in. */
export interface LogInLinkOwner {
  readonly email: string;
  readonly workspaceId: WorkspaceId;
}

interface LogInLink extends LogInLinkOwner {
  readonly hash: string;
}

/** At most one for each gateway, in memory: a link ends with the process that printed it. */
const links = new WeakMap<Platform, LogInLink>();

/** Makes the link's token, which replaces an earlier one. */
export function offerLogInLink(platform: Platform, owner: LogInLinkOwner): string {
  const token = newToken();
  links.set(platform, { ...owner, hash: tokenHash(token) });
  return token;
}

/** Uses the link up. Returns null for a token that is wrong or was used before. */
export function useLogInLink(platform: Platform, token: string): LogInLinkOwner | null {
  const link = links.get(platform);
  if (!link || !isSameSecret(tokenHash(token), link.hash)) return null;
  links.delete(platform);
  return link;
}
