/**
 * Random requests to every route: no 5xx, and each answer matches the OpenAPI document. 1,500
 * requests by default, the same ones on every machine; PROPERTY_REQUESTS=20000 for the full run, PROPERTY_SEED for others.
 */
import { beforeAll, expect, it } from '@jest/globals';
import { DOCUMENTED_ROUTES, type Route } from '@watchword/contracts';
import fc, { type Arbitrary } from 'fast-check';
import { undocumented } from '../support/documented-answer.js';
import { almostAllowedBy, allowedBy, type Schema } from '../support/schema-arbitrary.js';
import { onceNotBusy } from '../support/once-not-busy.js';
import { type SessionHeaders, signUp } from '../support/session.js';
import { type Customer, unknownId, useSystem } from '../support/suite.js';
import { startOwnSystem } from '../support/system.js';

const REQUESTS = Number(process.env['PROPERTY_REQUESTS'] ?? 1_500);
const SEED = Number(process.env['PROPERTY_SEED'] ?? 20_261_121);
const TIMEOUT_MS = 60_000 + REQUESTS * 150;

/** These would disable the system's customers, so they are sent without permission. */
const UNARMED = new Set(['PATCH /operator/v1/settings', 'POST /auth/logout']);

const suite = useSystem(startOwnSystem);
let customer: Customer;
let session: SessionHeaders;
const otpIds: string[] = [unknownId];

beforeAll(async () => {
  const settings = {
    limits: {
      otp_sends_per_number_per_10_minutes: null,
      otp_verifications_per_number_per_10_minutes: null,
      sms_per_number_per_minute: null,
      otp_sends_per_prefix_per_hour: null,
    },
  };
  customer = await suite.customer({ credits: 1_000_000, settings });
  const person = { email: 'owner@example.com', password: 'correct horse battery' };
  session = await signUp(suite.http, person);
});

interface Wish {
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

const wish: Arbitrary<Wish> = fc.constantFrom(...DOCUMENTED_ROUTES).chain((route) =>
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

function authorization({ route, credential }: Wish): Record<string, string> {
  const { access, method, path } = route;
  if (credential === 'none' || UNARMED.has(`${method.toUpperCase()} ${path}`)) return {};
  if (credential === 'wrong') return { authorization: 'Bearer svc_live_wrong' };
  if (access === 'session' || access === 'optional-session') return { ...session };
  const { operator_token: operator } = suite.system.credentials;
  const { liveKey, testKey } = customer;
  const key = credential === 'test' ? testKey : liveKey;
  return { authorization: `Bearer ${access === 'operator' ? operator : key}` };
}

function pathOf({ route, id, query }: Wish): string {
  const own = route.access === 'operator' ? id.replace(unknownId, customer.id) : id;
  const path = route.path.replaceAll(/:\w+/g, () => encodeURIComponent(own.toWellFormed()));
  const entries = Object.entries((query ?? {}) as object).map(([name, value]): [string, string] => [
    name.toWellFormed(),
    (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed(),
  ]);
  return entries.length === 0 ? path : `${path}?${new URLSearchParams(entries)}`;
}

it(
  `14: ${REQUESTS} requests are answered as documented, and none with a 5xx`,
  async () => {
    const statuses = new Map<number, number>();
    const property = fc.asyncProperty(wish, async (wanted) => {
      const { route, body } = wanted;
      const isJson: Record<string, string> =
        body === undefined ? {} : { 'content-type': 'application/json' };
      const ask = () =>
        suite.http.request(route.method.toUpperCase(), pathOf(wanted), {
          ...(body === undefined ? {} : { raw: body }),
          headers: { ...isJson, ...wanted.headers, ...authorization(wanted) },
        });
      // 503 means that the machine is busy.
      const answer = await onceNotBusy(ask);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      if (route.path === '/v1/otp/send' && answer.status === 200) otpIds.push(answer.json.id);
      const problem = undocumented(route, answer);
      if (problem) throw new Error(`${route.method} ${pathOf(wanted)}: ${problem}`);
      if (answer.status >= 500) throw new Error(`${route.method} ${route.path}: ${answer.text}`);
    });
    await fc.assert(property, { numRuns: REQUESTS, seed: SEED });
    const counts = [...statuses].toSorted(([one], [other]) => one - other);
    const summary = counts.map(([status, count]) => `${status}: ${count}`).join(', ');
    process.stdout.write(`properties: ${REQUESTS} requests, seed ${SEED}: ${summary}\n`);
    expect(counts.filter(([status]) => status >= 500)).toEqual([]);
  },
  TIMEOUT_MS,
);
