import type { Json } from './components.js';

/** Members whose values are schemas by name. */
const BY_NAME = new Set(['properties', 'schemas', 'paths', 'responses', 'headers', 'content']);
/** Values of callers, not of the document. */
const VALUES = new Set(['example', 'default', 'enum']);

/**
 * Returns the document in OpenAPI 3.0.3, for generators that do not read 3.1: no `webhooks`, `null` as `nullable`,
 * `const` as an `enum` of one, one `example`, no member beside a `$ref`, one schema for the
 * errors of a route, and one media type for its body.
 */
export function asOpenApi30({ webhooks, ...document }: Json): Json {
  const { info, tags } = document as { info: Json; tags: { name: string }[] };
  const unused = new Set(
    Object.values((webhooks ?? {}) as Record<string, { post: { tags: string[] } }>).flatMap(
      ({ post }) => post.tags,
    ),
  );
  return {
    ...forProgenitor(older(document) as unknown as Paths),
    openapi: '3.0.3',
    info: { ...info, license: { name: 'Apache-2.0', url: LICENSE_URL } },
    tags: tags.filter(({ name }) => !unused.has(name)),
  };
}

const LICENSE_URL = 'https://www.apache.org/licenses/LICENSE-2.0';

interface Response {
  content?: { 'application/json'?: { schema: Json } };
}
interface Operation {
  operationId: string;
  requestBody?: { content: Json };
  responses: Record<string, Response>;
}
interface Paths {
  paths?: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Json> };
}

/**
 * Progenitor for Rust makes one type of all errors of a route, so two schemas become a named union of both. Of a body's
 * media types it takes one.
 */
function forProgenitor({ paths = {}, components, ...document }: Paths): Json {
  const schemas = { ...components.schemas };
  for (const operation of Object.values(paths).flatMap(Object.values<Operation>)) {
    const { operationId, requestBody, responses } = operation;
    const plain = requestBody?.content['text/plain'];
    if (plain !== undefined) operation.requestBody!.content = { 'text/plain': plain };
    const errors = Object.entries(responses)
      .filter(([status]) => Number(status) >= 400)
      .flatMap(([, { content }]) => content?.['application/json'] ?? []);
    const refs = [...new Set(errors.map(({ schema }) => schema['$ref'] as string))];
    if (refs.length < 2) continue;
    const name = `${operationId[0]!.toUpperCase()}${operationId.slice(1)}Failure`;
    schemas[name] = { oneOf: refs.map(($ref) => ({ $ref })) };
    for (const media of errors) media.schema = { $ref: `#/components/schemas/${name}` };
  }
  return { ...document, paths, components: { ...components, schemas } };
}

function older(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(older);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => {
    if (VALUES.has(name)) return [name, member];
    return [name, BY_NAME.has(name) ? olderMembers(member as Json) : older(member)];
  });
  return withoutNewWords(Object.fromEntries(members) as Json);
}

function olderMembers(named: Json): Json {
  const members = Object.entries(named).map(([name, member]) => [name, older(member)]);
  return Object.fromEntries(members) as Json;
}

function withoutNewWords({ examples, const: word, oneOf, ...schema }: Json): Json {
  const example = Array.isArray(examples) ? { example: examples[0] as unknown } : {};
  if (word !== undefined) return { ...schema, enum: [word], ...example };
  if (Array.isArray(oneOf)) return { ...unionOf(oneOf as Json[], schema), ...example };
  const { $ref, ...others } = schema;
  if ($ref === undefined || Object.keys(others).length === 0) return { ...schema, ...example };
  return { allOf: [{ $ref }], ...others };
}

function unionOf(branches: Json[], others: Json): Json {
  const named = branches.filter(({ type }) => type !== 'null');
  if (named.length === branches.length) return { oneOf: branches, ...others };
  const [branch = {}] = named;
  // `nullable` counts only beside a type. References that can be null are to objects.
  const orNoObject = { type: 'object', nullable: true, ...others };
  if (named.length > 1) return { oneOf: named, ...orNoObject };
  if ('$ref' in branch) return { allOf: [branch], ...orNoObject };
  const { enum: words } = branch;
  const orNull = Array.isArray(words) ? { enum: [...(words as unknown[]), null] } : {};
  return { ...branch, ...orNull, nullable: true, ...others };
}
