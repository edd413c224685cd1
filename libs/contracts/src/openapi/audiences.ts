import type { Route } from '../routes/route.js';

/**
 * Who calls a part of the API. Each has a document of its own: generators make one client of a document, and some
 * of those clients fail at every call where one route of it wants a cookie.
 */
export const AUDIENCES = ['keys', 'dashboard', 'operator'] as const;
export type Audience = (typeof AUDIENCES)[number];

export const OPENAPI_VERSIONS = ['3.1', '3.0'] as const;
export type OpenApiVersion = (typeof OPENAPI_VERSIONS)[number];

/** What the document says of its credential. */
export const CREDENTIALS: Readonly<Record<Audience, string>> = {
  keys: 'These routes want an API key.',
  dashboard: 'These routes want the session of a user: a cookie, and a token in a header.',
  operator:
    "These routes want the operator token. An operator's session, as in the dashboard, opens them as well.",
};

export function audienceOf({ path }: Route): Audience {
  if (path.startsWith('/operator/')) return 'operator';
  return path.startsWith('/auth/') || path.startsWith('/dashboard/') ? 'dashboard' : 'keys';
}
