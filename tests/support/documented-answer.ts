import { type Route, ErrorEnvelope, openApiDocument } from '@watchword/contracts';
import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import type { Answer } from './http.js';

interface Response {
  headers: object;
  'x-error-types'?: string[];
}
type Operations = Record<string, Record<string, { responses: Record<number, Response> }>>;

/** Headers that an answer has only where its response lists them. */
const LISTED_HEADERS = ['Retry-After', 'Set-Cookie', 'WWW-Authenticate', 'Content-Disposition'];

const ajv = new Ajv({ strict: false });
formats.default(ajv);
const isError = ajv.compile(ErrorEnvelope);
const compiled = new Map<Route, ValidateFunction>();
const paths = openApiDocument()['paths'] as Operations;

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
  if (status === route.status) return undocumentedSuccess(route, answer);
  if (!isError(json)) return `not an error envelope: ${text}`;
  const { type } = json.error as { type: string };
  if (!response['x-error-types']?.includes(type)) return `${status} with the type ${type}`;
  if (status === 429 && !(Number(headers['retry-after']) >= 1)) return '429 without Retry-After';
  return undefined;
}

function undocumentedSuccess(route: Route, answer: Answer): string | undefined {
  if (!route.answer) return answer.text === '' ? undefined : `a body: ${answer.text}`;
  const type = answer.headers['content-type'] ?? '';
  if (route.alsoAs && type.startsWith(route.alsoAs)) return undefined;
  const matches = compiled.get(route) ?? ajv.compile(closed(route.answer) as object);
  compiled.set(route, matches);
  if (matches(answer.json)) return undefined;
  return `${JSON.stringify(matches.errors)} in ${answer.text}`;
}

/** Clients ignore what they do not know; here a member that the document does not name is a mistake of it. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const members = Object.entries(schema).map(([name, member]) => [name, closed(member)] as const);
  const isShape = 'properties' in schema && !('additionalProperties' in schema);
  return { ...Object.fromEntries(members), ...(isShape && { additionalProperties: false }) };
}
