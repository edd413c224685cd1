import { routesOf } from './route.js';

const UNSUBSCRIBE_BYTES_MAX = 64 * 1024;

/**
 * Targets of the links in emails. A signed token is the only credential. The pages of accounts read
 * their tokens in the browser. An image is always sent and a click always leads on, so the controller
 * counts those two.
 */
export const linkRoutes = routesOf(
  { tag: 'Links', guard: 'none', limits: { errorType: 'rate_limit_exceeded' } },
  {
    trackOpen: {
      at: 'GET /t/o/:token',
      summary: 'Count an open',
      anyQuery: true,
      undocumented: true,
    },
    trackClick: {
      at: 'GET /t/c/:token',
      summary: 'Count a click and lead on',
      anyQuery: true,
      undocumented: true,
    },
    showUnsubscribe: {
      at: 'GET /u/:token',
      summary: 'Ask before unsubscribing',
      guard: 'link',
      anyQuery: true,
      undocumented: true,
    },
    askLinkHost: {
      at: 'GET /link-hosts/:secret',
      summary: 'Tell a proxy whether a host name is of a verified link domain',
      guard: 'link',
      anyQuery: true,
      undocumented: true,
    },
    showResetPassword: {
      at: 'GET /account/reset-password',
      summary: 'Ask for a new password',
      anyQuery: true,
      undocumented: true,
    },
    showConfirmEmail: {
      at: 'GET /account/confirm-email',
      summary: 'Ask before confirming',
      anyQuery: true,
      undocumented: true,
    },
    unsubscribe: {
      at: 'POST /u/:token',
      summary: 'Unsubscribe (RFC 8058)',
      guard: 'link',
      rawBodyBytesMax: UNSUBSCRIBE_BYTES_MAX,
      anyQuery: true,
      undocumented: true,
    },
  },
);
