import type { TSchema } from '@sinclair/typebox';
import { ERROR_CATALOGUE, type ErrorType } from '../errors/error-catalogue.js';
import { IDEMPOTENCY_KEY_HOURS } from '../rpc/billing-calls.js';
import { EXAMPLE_ID } from '../routes/examples.js';
import { OWN_IDS } from '../routes/own-ids.js';
import { type Access, isBodyOptional, mayHaveBody, type Route } from '../routes/route.js';
import { errorTypesOf } from '../routes/route-errors.policy.js';
import { DOCUMENTED_ROUTES } from '../routes/routes.js';
import { type Audience, audienceOf, CREDENTIALS } from './audiences.js';
import { Components, type Json, plain } from './components.js';
import { describedParameter } from './vocabulary.js';
import { TAGS } from './tags.js';
import { webhookOperations, WEBHOOKS_TAG } from './webhooks.js';

const SESSION = { sessionCookie: [], csrfHeader: [] };
const SECURITY: Record<Access, Json[]> = {
  anybody: [],
  key: [{ bearerApiKey: [] }],
  session: [SESSION],
  'optional-session': [SESSION, {}],
  operator: [{ bearerOperatorToken: [] }],
};

/** Generators make a type of each name, so none is that of a schema. */
const SECURITY_SCHEMES = {
  bearerApiKey: { type: 'http', scheme: 'bearer', description: '`svc_live_…` or `svc_test_…`' },
  bearerOperatorToken: { type: 'http', scheme: 'bearer' },
  sessionCookie: { type: 'apiKey', in: 'cookie', name: 'svc_session' },
  csrfHeader: {
    type: 'apiKey',
    in: 'header',
    name: 'X-CSRF-Token',
    description: 'The `csrf_token` of the session; not asked of GET.',
  },
};

const HEADERS = {
  'X-Request-Id': header('string', 'Of this request; also in `error.request_id`.'),
  'X-RateLimit-Remaining': header('integer', 'What key and workspace have left this minute.'),
  ETag: header('string', 'Of this version; send it as `If-None-Match`.'),
  'Retry-After': header(
    'integer',
    'Seconds, at least 1. Of a 409, only where the same request can succeed later.',
  ),
  'WWW-Authenticate': header('string', '`Bearer`.'),
  'Content-Disposition': header('string', 'Of an answer as CSV: the name of the file.'),
  'Set-Cookie': header('string', 'The cookie `svc_session`; cleared at a log-out.'),
  'Idempotent-Replayed': header('string', '`true` where an earlier answer is repeated.'),
};

const PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: `The same key and body within ${IDEMPOTENCY_KEY_HOURS} hours are done once and answered alike.`,
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of what the caller has: answered 304 while it is the latest.',
    schema: { type: 'string' },
  },
  AcceptLanguage: {
    name: 'Accept-Language',
    in: 'header',
    description: 'Language of `error.message`: `en` or `fr`.',
    schema: { type: 'string' },
  },
};

/**
 * Returns the OpenAPI 3.1 document of an audience, or of all, made from the schemas that validate requests and
 * write answers.
 */
export function openApiDocument(audience?: Audience): Json {
  const components = new Components();
  const paths: Record<string, Json> = {};
  const routes = DOCUMENTED_ROUTES.filter(
    (route) => audience === undefined || audienceOf(route) === audience,
  );
  const hasWebhooks = audience === undefined || audience === 'keys';
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, components) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Watchword',
      version: '1.0.0',
      description: [
        'One-time passwords, SMS and email over many carriers, paid from prepaid credits.',
        ...(audience === undefined ? [] : [CREDENTIALS[audience]]),
      ].join(' '),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      contact: { name: 'The operator of this installation' },
    },
    servers: [{ url: '/' }],
    tags: [
      ...new Set([...routes.map(({ tag }) => tag), ...(hasWebhooks ? [WEBHOOKS_TAG] : [])]),
    ].map((name) => ({ name, description: TAGS[name] ?? name })),
    paths,
    ...(hasWebhooks && { webhooks: webhookOperations() }),
    components: {
      securitySchemes: usedIn(paths, SECURITY_SCHEMES),
      headers: usedIn(paths, HEADERS),
      parameters: usedIn(paths, PARAMETERS),
      schemas: components.used(),
    },
  };
}

/** Returns the components that the paths name. */
function usedIn(paths: Json, named: Readonly<Record<string, Json>>): Json {
  const text = JSON.stringify(paths);
  const isUsed = (name: string) => text.includes(`/${name}"`) || text.includes(`{"${name}":[]`);
  const isBeside = (name: string) => text.includes(`,"${name}":[]`);
  return Object.fromEntries(
    Object.entries(named).filter(([name]) => isUsed(name) || isBeside(name)),
  );
}

function operation(route: Route, components: Components): Json {
  const { operationId, summary, tag, description, access, body, example, rawBodyBytesMax } = route;
  return {
    operationId,
    summary,
    description: description ?? `${summary}.`,
    tags: [tag],
    security: SECURITY[access],
    parameters: parameters(route),
    ...(body ? { requestBody: jsonBody(body, example, components) } : {}),
    ...(rawBodyBytesMax ? { requestBody: rawBody(example) } : {}),
    responses: { ...success(route, components), ...failures(route, components) },
  };
}

function jsonBody(body: TSchema, example: unknown, components: Components): Json {
  return { required: !isBodyOptional(body), content: json(components.schemaOf(body), example) };
}

/** Describes a body that is a list with one item per line instead of JSON. */
function rawBody(example: unknown): Json {
  const media = { schema: { type: 'string' }, example };
  return { required: true, content: { 'text/csv': media, 'text/plain': media } };
}

function parameters({ operationId, path, query, idempotent, cached, resource }: Route): Json[] {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => {
    const own = name === 'id' && resource ? OWN_IDS[resource] : undefined;
    const schema = { type: 'string', ...own };
    return describedParameter({ name, in: 'path', required: true, schema }, operationId);
  });
  const { properties = {}, required = [] } = (query ? plain(query) : {}) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  const inQuery = Object.entries(properties).map(([name, schema]) =>
    describedParameter(
      {
        name,
        in: 'query',
        required: required.includes(name) && !('default' in schema),
        schema,
      },
      operationId,
    ),
  );
  const names = [
    ...(idempotent ? ['IdempotencyKey'] : []),
    ...(cached ? ['IfNoneMatch'] : []),
    'AcceptLanguage',
  ];
  const inHeader = names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
  return [...inPath, ...inQuery, ...inHeader];
}

function success(route: Route, components: Components): Json {
  const { status, unchangedStatus, answer, alsoAs, access, idempotent, cached, setsCookie } = route;
  const { contentType } = route;
  const names = ['X-Request-Id'];
  if (access === 'key') names.push('X-RateLimit-Remaining');
  if (idempotent) names.push('Idempotent-Replayed');
  if (cached) names.push('ETag');
  if (alsoAs) names.push('Content-Disposition');
  if (setsCookie) names.push('Set-Cookie');
  const content = {
    ...(answer && !contentType ? json(components.schemaOf(answer)) : {}),
    ...(contentType ? { [contentType]: { schema: { type: 'string' } } } : {}),
    ...(alsoAs ? { [alsoAs]: { schema: { type: 'string' } } } : {}),
  };
  const done = {
    description: answer ? 'Done.' : 'Done; there is nothing to say.',
    headers: headers(names),
    ...(answer ? { content } : {}),
  };
  return {
    [status]: done,
    ...(unchangedStatus ? { [unchangedStatus]: { ...done, description: 'Done before.' } } : {}),
    ...(cached
      ? { 304: { description: 'What the caller has is the latest.', headers: headers(names) } }
      : {}),
  };
}

/** Returns the error answers of a route, by status. */
function failures(route: Route, components: Components): Json {
  const byStatus = new Map<number, ErrorType[]>();
  const add = (status: number, type: ErrorType) =>
    byStatus.set(status, [...(byStatus.get(status) ?? []), type]);
  for (const type of errorTypesOf(route)) add(ERROR_CATALOGUE[type].status, type);
  if (mayHaveBody(route)) for (const status of [413, 415]) add(status, 'validation_error');
  if (!route.unavailableAnswer) add(503, 'internal_error');
  const entries = [...byStatus].map(([status, types]) => [status, failure(status, types, route)]);
  return { ...Object.fromEntries(entries), ...unavailable(route, components) };
}

/** Returns the 503 of a route that answers its state instead of an error. */
function unavailable({ unavailableAnswer }: Route, components: Components): Json {
  if (!unavailableAnswer) return {};
  return {
    503: {
      description: 'It cannot work now.',
      headers: headers(['X-Request-Id', 'Retry-After']),
      content: json(components.schemaOf(unavailableAnswer), { status: 'unavailable' }),
    },
  };
}

/**
 * Whether the answers of this status carry `Retry-After`: 429, 503, and 409 for a key in flight.
 */
function hasRetryAfter(status: number, { idempotent }: Route): boolean {
  return status === 429 || status === 503 || (status === 409 && idempotent === true);
}

function failure(status: number, types: ErrorType[], route: Route): Json {
  const names = ['X-Request-Id'];
  if (status === 401) names.push('WWW-Authenticate');
  if (hasRetryAfter(status, route)) names.push('Retry-After');
  const [first = 'internal_error'] = types;
  const { en: message } = ERROR_CATALOGUE[first];
  return {
    description: types.map((type) => `\`${type}\`: ${ERROR_CATALOGUE[type].en}`).join('\n\n'),
    headers: headers(names),
    'x-error-types': types,
    content: json(
      { $ref: '#/components/schemas/ErrorResponse' },
      {
        error: { type: first, message, request_id: EXAMPLE_ID },
      },
    ),
  };
}

function header(type: string, description: string): Json {
  const format = type === 'integer' ? { format: 'int64' } : {};
  return { description, schema: { type, ...format } };
}

function headers(names: string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function json(schema: Json, example?: unknown): Json {
  return { 'application/json': { schema, ...(example === undefined ? {} : { example }) } };
}
