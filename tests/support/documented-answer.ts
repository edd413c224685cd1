import { type Route, openApiDocument } from '@watchword/contracts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Answer } from './http.js';

interface Response {
  headers: object;
  content?: { 'application/json': { schema: { $ref: string } } };
  'x-error-types'?: string[];
}
type Operations = Record<string, Record<string, { responses: Record<number, Response> }>>;

/** Headers that an answer has only where its response lists them. */
const LISTED_HEADERS = ['Retry-After', 'Set-Cookie', 'WWW-Authenticate', 'Content-Disposition'];

const document = openApiDocument();
const paths = document['paths'] as Operations;
const ajv = new Ajv2020({ strict: false });
formats.default(ajv);
ajv.addFormat('idn-email', /^[^@\s]+@[^@\s]+$/);
ajv.addSchema(closed(document) as object, 'openapi');

/** Returns what differs between an answer and the document, or undefined. */
export function undocumented(route: Route, answer: Answer): string | undefined {
  const { status, headers, json, text } = answer;
  if (!headers['x-request-id']) return 'no X-Request-Id';
  const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
  const response = paths[path]?.[route.method.toLowerCase()]?.responses[status];
  if (!response) return `the status ${status}`;
  const unlisted = LISTED_HEADERS.filter((name) => {
    return name.toLowerCase() in headers && !(name in response.headers);
  });
  if (unlisted.length > 0) return `${status} with ${unlisted.join(', ')}`;
  const types = response['x-error-types'];
  if (types && !types.includes(json?.error?.type)) return `${status} with the error ${text}`;
  if (status === 429 && !(Number(headers['retry-after']) >= 1)) return '429 without Retry-After';
  return undocumentedBody(route, response, answer);
}

function undocumentedBody(
  { alsoAs }: Route,
  { content }: Response,
  { headers, json, text }: Answer,
): string | undefined {
  if (!content) return text === '' ? undefined : `a body: ${text}`;
  if (alsoAs && headers['content-type']?.startsWith(alsoAs)) return undefined;
  const matches = ajv.getSchema(`openapi${content['application/json'].schema.$ref}`);
  if (!matches) return 'no schema';
  return matches(json) ? undefined : `${JSON.stringify(matches.errors)} in ${text}`;
}

/** Clients ignore what they do not know; here a member that the document does not name is a mistake of it. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const members = Object.entries(schema).map(([name, member]) => [name, closed(member)] as const);
  const isShape = 'properties' in schema && !('additionalProperties' in schema);
  return { ...Object.fromEntries(members), ...(isShape && { additionalProperties: false }) };
}
