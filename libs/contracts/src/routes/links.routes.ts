import { type RouteLimits, routesOf } from './route.js';

const UNSUBSCRIBE_BYTES_MAX = 64 * 1024;
const LIMITS: RouteLimits = { errorType: 'rate_limit_exceeded' };
/** Beyond the limit an image is still sent and a click still leads on, but neither is recorded. */
const UNRECORDED: RouteLimits = { ...LIMITS, inBand: true };

/**
 * Targets of the links in emails. A signed token is the only credential. The pages of accounts have
 * no guard, because they read their tokens in the browser.
 */
export const linkRoutes = routesOf(
  { tag: 'Links', guard: 'link', limits: LIMITS },
  {
    trackOpen: {
      at: 'GET /t/o/:token',
      summary: 'Count an open',
      limits: UNRECORDED,
      anyQuery: true,
      undocumented: true,
    },
    trackClick: {
      at: 'GET /t/c/:token',
      summary: 'Count a click and lead on',
      limits: UNRECORDED,
      anyQuery: true,
      undocumented: true,
    },
    showUnsubscribe: {
      at: 'GET /u/:token',
      summary: 'Ask before unsubscribing',
      anyQuery: true,
      undocumented: true,
    },
    askLinkHost: {
      at: 'GET /link-hosts/:secret',
      summary: 'Tell a proxy whether a host name is of a verified link domain',
      anyQuery: true,
      undocumented: true,
    },
    showResetPassword: {
      at: 'GET /account/reset-password',
      summary: 'Ask for a new password',
      guard: 'none',
      anyQuery: true,
      undocumented: true,
    },
    showConfirmEmail: {
      at: 'GET /account/confirm-email',
      summary: 'Ask before confirming',
      guard: 'none',
      anyQuery: true,
      undocumented: true,
    },
    unsubscribe: {
      at: 'POST /u/:token',
      summary: 'Unsubscribe (RFC 8058)',
      rawBodyBytesMax: UNSUBSCRIBE_BYTES_MAX,
      anyQuery: true,
      undocumented: true,
    },
  },
);
