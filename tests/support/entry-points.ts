/**
 * Every place of the API where a caller names a record by its id, found in the constants of the routes and of
 * the agents' tools, each with what makes such a record.
 */
import { AGENT_TOOLS, ROUTES, type Route } from '@watchword/contracts';
import { freshNumber } from './numbers.js';
import type { Records } from './records.js';

type Json = Record<string, unknown>;
type Schema = { [member: string]: unknown };

/** Messages and quotes are of one mode; what a workspace set up, and its webhooks, are of both (decisions 24, 25). */
export type Scope = 'mode' | 'workspace';

/** A record, as a request names it. */
export interface Named {
  /** Ids by parameter of the path or member of the body. The last one is the record's own. */
  readonly ids: Readonly<Record<string, string>>;
  /** The rest of a body that succeeds; left out: the example of the route. */
  readonly body?: Json;
  /** Routes that show the record, or how it changed. */
  readonly shownAt: readonly string[];
}

export interface Maker {
  readonly scope: Scope;
  readonly make: (records: Records) => Promise<Named>;
  /** An id that does not exist. */
  readonly unknown?: string;
}

export interface EntryPoint {
  readonly name: string;
  readonly maker: Maker;
  readonly request: EntryPointRequest;
}

/** A tool is called with its ids among its arguments. */
export type EntryPointRequest =
  | { readonly by: 'route'; readonly route: Route; readonly inPath: boolean }
  | { readonly by: 'tool'; readonly tool: string };

/** Members of bodies and queries that end like ids and name no record. */
const NO_RECORDS = new Map([
  ['sender_id', 'the text that a message comes from'],
  ['content_id', 'of an image inside the same email'],
]);

const of = (scope: Scope, make: Maker['make']): Maker => ({ scope, make });
/** A record that stands at its own path. */
const at = (scope: Scope, path: string, make: (records: Records) => Promise<string>): Maker =>
  of(scope, async (records) => {
    const id = await make(records);
    return { ids: { id }, shownAt: [`${path}/${id}`] };
  });

const otp = at('mode', '/v1/otp', (records) => records.deliveredOtp());
const sms = at('mode', '/v1/sms', (records) => records.scheduledSms());

const guess = of('mode', async (records) => {
  const otp_id = await records.deliveredOtp();
  return { ids: { otp_id }, body: { code: '000000' }, shownAt: [`/v1/otp/${otp_id}`] };
});

/** A quote cannot be read. Its owner can still use it: that proves that no other caller did. */
function quoteOf(kind: string, send: (records: Records) => Json, more: Json = {}): Maker {
  return of('mode', async (records) => {
    const body = send(records);
    const { quote_id } = await records.created('/v1/quote', { kind, ...body });
    const named = { ...body, ...more };
    return { ids: { quote_id: String(quote_id) }, body: named, shownAt: ['/v1/balance'] };
  });
}

const QUOTED_TO = freshNumber();
const toNumber = () => ({ phone_number: QUOTED_TO });
const withText = () => ({ phone_number: QUOTED_TO, message: 'Hello' });
const quotedOtp = quoteOf('otp', toNumber);
const quotedMessage = of('mode', async (records) => {
  const quote = { kind: 'sms', phone_number: QUOTED_TO, message: 'Hello' };
  const { quote_id } = await records.created('/v1/quote', quote);
  const body = { to: QUOTED_TO, from: 'Acme', body: 'Hello' };
  return { ids: { quote_id: String(quote_id) }, body, shownAt: ['/v1/balance'] };
});
const template = (body: () => Json) =>
  of('workspace', async (records) => {
    const id = await records.template();
    return { ids: { template: id }, body: body(), shownAt: [`/v1/sms-templates/${id}`] };
  });
const variables = { name: 'Ada', order: 1042 };
const templated = template(() => ({ to: freshNumber(), from: 'Acme', variables }));

const webhook = of('workspace', async (records) => {
  const id = await records.webhook();
  return { ids: { id }, shownAt: [`/v1/webhooks/${id}`, `/v1/webhooks/${id}/deliveries`] };
});
const recovery = of('workspace', async (records) => {
  const id = await records.webhook();
  const recovery_id = await records.recovery(id);
  const shownAt = [`/v1/webhooks/${id}/deliveries`];
  return { ids: { id, recovery_id }, shownAt };
});

/**
 * Makers by the path up to its last parameter, or by the id's name in a body or a tool. A new kind
 * of record adds a line.
 */
const MAKERS = new Map<string, Maker>([
  ['/v1/otp/:id', otp],
  ['/v1/sms/:id', sms],
  ['/v1/emails/:id', at('mode', '/v1/emails', (records) => records.scheduledEmail())],
  ['/v1/domains/:id', at('workspace', '/v1/domains', (records) => records.domain())],
  ['/v1/sms-templates/:id', at('workspace', '/v1/sms-templates', (records) => records.template())],
  [
    '/v1/sender-ids/:id',
    of('workspace', async (records) => ({
      ids: { id: await records.senderId() },
      shownAt: ['/v1/sender-ids'],
    })),
  ],
  [
    '/v1/suppressions/:address',
    {
      unknown: 'nobody@example.com',
      ...of('workspace', async (records) => ({
        ids: { address: await records.suppressedAddress() },
        shownAt: ['/v1/suppressions'],
      })),
    },
  ],
  ['/v1/webhooks/:id', webhook],
  [
    'POST /v1/webhooks/:id/recover',
    of('workspace', async (records) => ({
      ...(await webhook.make(records)),
      body: { since: new Date().toISOString() },
    })),
  ],
  ['/v1/webhooks/:id/recover/:recovery_id', recovery],
  [
    '/v1/webhook-deliveries/:id',
    of('workspace', async (records) => {
      const id = await records.webhook();
      const shownAt = [`/v1/webhooks/${id}/deliveries`];
      return { ids: { id: await records.delivery(id) }, shownAt };
    }),
  ],
  ['POST /v1/otp/verify: otp_id', guess],
  ['POST /v1/otp/send: quote_id', quotedOtp],
  ['POST /v1/sms/send: quote_id', quoteOf('sms', withText)],
  ['POST /v1/sms: quote_id', quotedMessage],
  ['POST /v1/sms: template', templated],
  [
    'POST /v1/sms/batch: template',
    template(() => ({ from: 'Acme', messages: [{ to: freshNumber(), variables }] })),
  ],
  ['POST /v1/quote: quote_id', quoteOf('sms', withText, { kind: 'sms' })],
  [
    'POST /v1/quote: template',
    template(() => ({ kind: 'sms', to: freshNumber(), from: 'Acme', variables })),
  ],
  ['POST /v1/emails: quote_id', quoteOf('email', (records) => records.email())],
  ['get_otp: id', otp],
  ['get_sms: id', sms],
  ['verify_otp: otp_id', guess],
  ['send_otp: quote_id', quotedOtp],
  ['send_sms: quote_id', quotedMessage],
  ['send_sms: template', templated],
]);

/** Throws for an id that nothing here makes a record of. */
export function entryPointsOf(
  routes: readonly Route[] = ROUTES,
  tools = AGENT_TOOLS as object,
): EntryPoint[] {
  const keyed = routes.filter(({ guard, path }) => guard === 'key' && path.startsWith('/v1/'));
  const ofRoutes = keyed.flatMap((route) => {
    const name = `${route.method} ${route.path}`;
    const inPath = /.*:\w+/.exec(route.path)?.[0];
    const path = inPath && [makerOf(name, [name, inPath], { by: 'route', route, inPath: true })];
    const members = [...idsIn(route.body), ...idsIn(route.query)].map(
      (member) => `${name}: ${member}`,
    );
    const inBody = members.map((member) =>
      makerOf(member, [member], { by: 'route', route, inPath: false }),
    );
    return [...(path || []), ...inBody];
  });
  const ofTools = Object.entries(tools as Record<string, { input: Schema }>).flatMap(
    ([tool, { input }]) =>
      [...idsIn(input)].map((member) =>
        makerOf(`${tool}: ${member}`, [`${tool}: ${member}`], { by: 'tool', tool }),
      ),
  );
  return [...ofRoutes, ...ofTools];
}

function makerOf(name: string, keys: readonly string[], request: EntryPointRequest): EntryPoint {
  const maker = keys.map((key) => MAKERS.get(key)).find((found) => found !== undefined);
  if (maker) return { name, maker, request };
  throw new Error(
    `${name} takes an id: say in MAKERS of tests/support/entry-points.ts what makes such a record.`,
  );
}

/** Names of members, at any depth, that hold an id. */
function idsIn(schema: unknown, found = new Set<string>()): Set<string> {
  if (typeof schema !== 'object' || schema === null) return found;
  const { properties = {}, items, anyOf = [], allOf = [] } = schema as Schema;
  for (const [name, member] of Object.entries(properties as Schema)) {
    if (/(?:^|_)ids?$|^template$/.test(name) && !NO_RECORDS.has(name)) found.add(name);
    idsIn(member, found);
  }
  for (const part of [items, ...(anyOf as unknown[]), ...(allOf as unknown[])]) idsIn(part, found);
  return found;
}
