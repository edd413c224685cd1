/** Random requests to every route of the OpenAPI document, for `tests/api/openapi.spec.ts`. */
import { DOCUMENTED_ROUTES, type Route } from '@watchword/contracts';
import fc, { type Arbitrary } from 'fast-check';
import { almostAllowedBy, allowedBy, type Schema } from './schema-arbitrary.js';
import type { SessionHeaders } from './session.js';
import { unknownId, type Customer } from './suite.js';

/** These would disable the system's customers, so they are sent without permission. */
const UNARMED = new Set(['PATCH /operator/v1/settings', 'POST /auth/logout']);

export interface Caller {
  customer: Customer;
  session: SessionHeaders;
}

/** Ids that a request may name. Tests add those of one-time passwords that were sent. */
export const otpIds: string[] = [unknownId];

export interface Wish {
  route: Route;
  credential: 'right' | 'test' | 'none' | 'wrong';
  id: string;
  query: unknown;
  body: string | undefined;
  headers: Record<string, string>;
}

const number = fc.oneof(
  fc.stringMatching(/^\+23480[3-9]\d{7}$/),
  fc.constantFrom('+15005550030', '+15005550033', '+33612345678', '+14155550100', '', '+', '+0'),
  fc.string(),
);
const known: Record<string, Arbitrary<unknown>> = {
  phone_number: number,
  url: fc.constantFrom('https://example.com/a', 'http://127.0.0.1/', 'ftp://x', 'x'),
  otp_id: fc.nat().map((at) => otpIds[at % otpIds.length]),
};
const headerText = fc.stringMatching(/^[ -~]{1,40}$/);
const headers = fc.record(
  {
    'idempotency-key': fc.oneof(headerText, fc.constantFrom('a', 'b', 'x'.repeat(300))),
    'accept-language': fc.oneof(fc.constantFrom('fr', 'en;q=0.1, fr', '*'), headerText),
    accept: fc.constantFrom('text/csv', '*/*', 'application/json'),
  },
  { requiredKeys: [] },
);

/** An admitted stream has no end. */
const ENDING = DOCUMENTED_ROUTES.filter(({ path }) => path !== '/dashboard/stream');

export const wish: Arbitrary<Wish> = fc.constantFrom(...ENDING).chain((route) =>
  fc.record({
    route: fc.constant(route),
    credential: fc.oneof(
      { weight: 8, arbitrary: fc.constant('right' as const) },
      fc.constantFrom('test' as const, 'none' as const, 'wrong' as const),
    ),
    id: fc.oneof(
      fc.nat().map((at) => otpIds[at % otpIds.length] as string),
      fc.constantFrom(unknownId, '\u0000', 'x'.repeat(600), '234803'),
      fc.string({ minLength: 1, unit: 'grapheme' }),
    ),
    query: route.query ? like(route.query as Schema) : fc.constant({}),
    body: route.body ? bodyOf(route.body as Schema) : fc.constant(undefined),
    headers,
  }),
);

function like(schema: Schema): Arbitrary<unknown> {
  return fc.oneof(
    { weight: 2, arbitrary: allowedBy(schema, known) },
    almostAllowedBy(schema, known),
  );
}

function bodyOf(schema: Schema): Arbitrary<string> {
  const text = like(schema).map((value) => JSON.stringify(value));
  return fc.oneof({ weight: 9, arbitrary: text }, fc.string({ unit: 'binary' }));
}

export function authorization(
  { route, credential }: Wish,
  { customer, session }: Caller,
): Record<string, string> {
  const { access, method, path } = route;
  if (credential === 'none' || UNARMED.has(`${method.toUpperCase()} ${path}`)) return {};
  if (credential === 'wrong') return { authorization: 'Bearer svc_live_wrong' };
  if (access === 'session' || access === 'optional-session') return { ...session };
  const { operator_token: operator } = customer.suite.system.credentials;
  const { liveKey, testKey } = customer;
  const key = credential === 'test' ? testKey : liveKey;
  return { authorization: `Bearer ${access === 'operator' ? operator : key}` };
}

export function pathOf({ route, id, query }: Wish, { customer }: Caller): string {
  const own = route.access === 'operator' ? id.replace(unknownId, customer.id) : id;
  const path = route.path.replaceAll(/:\w+/g, () => encodeURIComponent(own.toWellFormed()));
  const entries = Object.entries((query ?? {}) as object).map(([name, value]): [string, string] => [
    name.toWellFormed(),
    (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed(),
  ]);
  return entries.length === 0 ? path : `${path}?${new URLSearchParams(entries)}`;
}
