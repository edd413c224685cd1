/**
 * Every example of the OpenAPI document is sent unchanged and succeeds as documented. Every route
 * refuses unknown and too frequent callers as documented. Random requests are answered as documented:
 * PROPERTY_REQUESTS=20000 sends more than usual, PROPERTY_SEED others.
 *
 * It has its own system, because the routes of operators replace prices, rules of senders and limits
 * of the whole installation, by example and at random.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { BODY_BOUNDS, DOCUMENTED_ROUTES, mayHaveBody, type Route } from '@watchword/contracts';
import fc from 'fast-check';
import { undocumented } from '../support/documented-answer.js';
import { ExampleRequests } from '../support/example-requests.js';
import { onceNotBusy } from '../support/once-not-busy.js';
import { authorization, otpIds, pathOf, wish } from '../support/random-requests.js';
import { signUp } from '../support/session.js';
import { unknownId, useSystem } from '../support/suite.js';
import { startOwnSystem } from '../support/system.js';

const REQUESTS = Number(process.env['PROPERTY_REQUESTS'] ?? 300);
const SEED = Number(process.env['PROPERTY_SEED'] ?? 20_261_121);

const suite = useSystem(startOwnSystem);
let requests: ExampleRequests;

beforeAll(async () => {
  requests = await ExampleRequests.open(suite);
});

/** No prefix is restricted here, and no address of an account bounced. */
const isHeld = (path: string) => path.includes(':prefix') || path.includes('platform-email/supp');
/** A link of `npm start`, or a user code, each of which works once. */
const isOnce = (path: string) =>
  path === '/auth/link' || path.startsWith('/dashboard/device-logins');
/** An admitted stream has no end. `dashboard-messages.spec.ts` reads it. */
const isEndless = (path: string) => path === '/dashboard/stream';
const lastly = (path: string) => Number(path === '/auth/logout');
const isShown = (path: string) => !isHeld(path) && !isOnce(path) && !isEndless(path);
const examples = DOCUMENTED_ROUTES.filter(({ path }) => isShown(path)).toSorted(
  // The log-out comes last, because the session ends with it.
  (one, other) => lastly(one.path) - lastly(other.path),
);
const named = examples.map((route) => [`${route.method} ${route.path}`, route]);

// Before the examples, whose log-out ends the session.
describe('bodies', () => {
  const send = async (route: Route, type: string, raw: string) => {
    const headers = { ...requests.headersFor(route), 'content-type': type };
    const path = route.path.replaceAll(/:\w+/g, unknownId);
    const { method } = route;
    const answer = await suite.http.request(method, path, { headers, raw });
    expect([method, path, undocumented(route, answer)]).toEqual([method, path, undefined]);
    return answer.status;
  };
  const reading = DOCUMENTED_ROUTES.filter(mayHaveBody);

  it.each(reading)('decisions 10: $method $path with a body of another type', async (route) => {
    expect(await send(route, 'application/xml', '<a/>')).toBe(415);
  });

  it.each(reading.filter(({ body, rawBodyBytesMax }) => !body && !rawBodyBytesMax))(
    'decisions 10: $method $path, which needs no body, with one that is too large',
    async (route) => {
      const raw = `"${'x'.repeat(BODY_BOUNDS.usual.bytesMax)}"`;
      expect(await send(route, 'application/json', raw)).toBe(413);
    },
  );
});

describe('examples', () => {
  it.each(named as [string, Route][])('decisions 10: %s', async (_, route) => {
    const path = await requests.pathFor(route);
    const body = await requests.bodyFor(route);
    const answer = await suite.http.request(route.method, path, {
      headers: requests.headersFor(route),
      ...(typeof body === 'string' ? { raw: body } : { body }),
    });
    expect(answer.text === '' ? answer.status : answer).toEqual(
      answer.text === '' ? route.status : expect.objectContaining({ status: route.status }),
    );
    expect(undocumented(route, answer)).toBeUndefined();
  });
});

const call = (route: Route, headers: Record<string, string>) =>
  suite.http.request(route.method, route.path.replace(/:\w+/, unknownId), {
    headers,
    body: route.example,
  });
const closed = DOCUMENTED_ROUTES.filter(({ access }) =>
  ['key', 'session', 'operator'].includes(access),
);

describe('refusals', () => {
  it.each(closed)('8: $method $path without a credential', async (route) => {
    const answer = await call(route, {});
    // Strangers at the operator API are counted, so only the first ones are 401.
    expect(route.access === 'operator' ? [401, 429] : [401]).toContain(answer.status);
    expect(undocumented(route, answer)).toBeUndefined();
  });

  it('8: every route of a key that came too often', async () => {
    const { liveKey } = await suite.customer({ settings: { limits: { key_per_minute: 1 } } });
    const headers = { authorization: `Bearer ${liveKey}` };
    await suite.http.get('/v1/balance', { headers });
    for (const route of DOCUMENTED_ROUTES.filter(({ access }) => access === 'key')) {
      const answer = await call(route, headers);
      expect([route.path, answer.status]).toEqual([route.path, 429]);
      expect([route.path, undocumented(route, answer)]).toEqual([route.path, undefined]);
    }
  });
});

describe('random requests', () => {
  it(
    'decisions 10: random requests are answered as documented, and none with a 5xx',
    async () => {
      const settings = {
        limits: {
          otp_sends_per_number_per_10_minutes: null,
          otp_verifications_per_number_per_10_minutes: null,
          sms_per_number_per_minute: null,
          otp_sends_per_prefix_per_hour: null,
        },
      };
      const customer = await suite.customer({ credits: 1_000_000, settings });
      const person = { email: 'random@example.com', password: 'correct horse battery' };
      const caller = { customer, session: await signUp(suite.http, person) };
      const property = fc.asyncProperty(wish, async (wanted) => {
        const { route, body } = wanted;
        const isJson: Record<string, string> =
          body === undefined ? {} : { 'content-type': 'application/json' };
        const path = pathOf(wanted, caller);
        const ask = () =>
          suite.http.request(route.method.toUpperCase(), path, {
            ...(body === undefined ? {} : { raw: body }),
            headers: { ...isJson, ...wanted.headers, ...authorization(wanted, caller) },
          });
        // 503 means that the machine is busy.
        const answer = await onceNotBusy(ask);
        if (route.path === '/v1/otp/send' && answer.status === 200) otpIds.push(answer.json.id);
        const problem = undocumented(route, answer);
        if (problem) throw new Error(`${route.method} ${path}: ${problem}`);
        if (answer.status >= 500) throw new Error(`${route.method} ${route.path}: ${answer.text}`);
      });
      await fc.assert(property, { numRuns: REQUESTS, seed: SEED });
    },
    60_000 + REQUESTS * 1_000,
  );
});
