/**
 * What the SDKs are generated from: the models and operations of the OpenAPI document for API keys, with the names that
 * `sdks/surface.json` gives to the operations. It knows no programming language.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_CATALOGUE, openApiDocument } from '@watchword/contracts';
import { isObject, nameInline, type Schema } from './inline-objects.ts';
import { type Surface, withFollowing } from './surface.ts';

export type Kind =
  | { kind: 'string'; values?: string[]; isTime?: boolean; isConstant?: boolean }
  | { kind: 'integer' | 'number' | 'boolean' | 'any' }
  | { kind: 'array' | 'map'; items: Type }
  | { kind: 'ref'; name: string }
  | { kind: 'union'; variants: Type[] };
export type Type = Kind & { isNullable: boolean };

export interface Field {
  name: string;
  description: string;
  type: Type;
  isRequired: boolean;
}

export interface Model {
  name: string;
  /** Undefined: the model is another name of `alias`. */
  fields: Field[] | undefined;
  alias: Type | undefined;
  isRequest: boolean;
}

export interface Operation {
  resource: string;
  name: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  pathFields: Field[];
  query: Field[];
  /** Undefined: no body, or one without members. */
  body: Model | undefined;
  isBodyRequired: boolean;
  result: Type | undefined;
  /** Lists are read page by page; `next` is the member that continues, `parameter` takes it. */
  page: { item: Type; next: string; parameter: string } | undefined;
  /** A POST takes an Idempotency-Key. */
  isPost: boolean;
  /** A number without a plus is refused before it is sent: its member, and the server's error type. */
  numberCheck: { field: string; type: string } | undefined;
}

export interface SdkModel {
  version: string;
  models: Model[];
  operations: Operation[];
  errors: { type: string; status: number; description: string }[];
  eventTypes: string[];
}

const root = join(import.meta.dirname, '../..');

/** The error type of an invalid number. Batches answer for each item, so they are not here. */
const NUMBER_CHECKS: Record<string, { field: string; type: string }> = {
  sendOtp: { field: 'phone_number', type: 'validation_error' },
  sendTransactionalSms: { field: 'phone_number', type: 'phone_invalid' },
  sendMessage: { field: 'to', type: 'phone_invalid' },
};

export function readSdkModel(): SdkModel {
  const document = openApiDocument('keys') as unknown as Document;
  // Each SDK has its own class of errors.
  const { ErrorResponse: _, ...described } = document.components.schemas;
  const schemas = nameInline(described);
  const operations = readOperations(document, schemas);
  const requests = requestNames(operations, schemas);
  const models = Object.entries(schemas)
    .map(([name, schema]) => modelOf(name, schema, requests.has(name)))
    .filter(({ fields }) => fields === undefined || fields.length > 0);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Document;
  return {
    version: version ?? '',
    models,
    operations,
    errors: Object.entries(ERROR_CATALOGUE).map(([type, { status, en }]) => ({
      type,
      status,
      description: en,
    })),
    eventTypes: schemas['EventOfVariantB']?.properties?.['type']?.enum ?? [],
  };
}

interface Document {
  version?: string;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> };
  paths: Record<string, Record<string, DocumentOperation>>;
}

interface Parameter {
  $ref?: string;
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: Schema;
}

interface DocumentOperation {
  operationId: string;
  summary: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

/** Every operation of the document has a name that `surface.json` gives or implies, and every name there an operation. */
function readOperations(document: Document, schemas: Record<string, Schema>): Operation[] {
  const text = readFileSync(join(root, 'sdks/surface.json'), 'utf8');
  const documented = new Map(
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, operation]) => operation.operationId)
        .map(([method, operation]) => [operation.operationId, { path, method, operation }]),
    ),
  );
  const surface = withFollowing(JSON.parse(text) as Surface, documented.keys());
  const operations = Object.entries(surface).flatMap(([resource, names]) =>
    Object.entries(names).map(([name, id]) => {
      const found = documented.get(id);
      if (!found) throw new Error(`sdks/surface.json names "${id}", which no route has.`);
      documented.delete(id);
      return operationOf({ resource, name, ...found }, schemas);
    }),
  );
  if (documented.size === 0) return operations;
  throw new Error(`sdks/surface.json lacks ${[...documented.keys()].join(', ')}.`);
}

function operationOf(
  { resource, name, path, method, operation }: Found,
  schemas: Record<string, Schema>,
): Operation {
  const parameters = (operation.parameters ?? []).filter(({ $ref }) => $ref === undefined);
  const fieldsIn = (place: string) =>
    parameters
      .filter((parameter) => parameter.in === place)
      .map((parameter) => ({
        name: parameter.name,
        description: parameter.description ?? '',
        type: typeOf(parameter.schema),
        isRequired: parameter.required === true,
      }));
  const success = Object.entries(operation.responses).find(([code]) => code.startsWith('2'));
  const answer = success?.[1].content?.['application/json']?.schema;
  const body = bodyOf(operation, schemas);
  return {
    resource,
    name,
    method: method.toUpperCase(),
    path,
    summary: operation.summary,
    description: operation.description ?? '',
    pathFields: fieldsIn('path'),
    query: fieldsIn('query'),
    body,
    isBodyRequired: body?.fields?.some(({ isRequired }) => isRequired) ?? body !== undefined,
    result: answer && typeOf(answer),
    page: pageOf(answer, fieldsIn('query'), schemas),
    isPost: method === 'post',
    numberCheck: NUMBER_CHECKS[operation.operationId],
  };
}

interface Found {
  resource: string;
  name: string;
  path: string;
  method: string;
  operation: DocumentOperation;
}

function bodyOf(operation: DocumentOperation, schemas: Record<string, Schema>): Model | undefined {
  const reference = operation.requestBody?.content['application/json']?.schema.$ref;
  if (reference === undefined) return undefined;
  const name = nameOf(reference);
  const model = modelOf(name, schemas[name]!, true);
  return model.fields?.length === 0 ? undefined : model;
}

function pageOf(
  answer: Schema | undefined,
  query: Field[],
  schemas: Record<string, Schema>,
): Operation['page'] {
  const schema = answer?.$ref === undefined ? undefined : schemas[nameOf(answer.$ref)];
  const items = schema?.properties?.['data']?.items;
  const parameter = query.find(({ name }) => name === 'cursor' || name === 'after')?.name;
  if (items === undefined || parameter === undefined) return undefined;
  return { item: typeOf(items), next: `next_${parameter}`, parameter };
}

function modelOf(name: string, schema: Schema, isRequest: boolean): Model {
  if (!isObject(schema)) return { name, fields: undefined, alias: typeOf(schema), isRequest };
  const fields = Object.entries(schema.properties ?? {}).map(([member, value]) => ({
    name: member,
    description: value.description ?? '',
    type: typeOf(value),
    isRequired: schema.required?.includes(member) === true,
  }));
  return { name, fields, alias: undefined, isRequest };
}

const nameOf = (reference: string) => reference.slice(reference.lastIndexOf('/') + 1);

function typeOf(schema: Schema): Type {
  const isNullable = schema.oneOf?.some(({ type }) => type === 'null') === true;
  return { ...kindOf(schema), isNullable };
}

function kindOf(schema: Schema): Kind {
  if (schema.$ref !== undefined) return { kind: 'ref', name: nameOf(schema.$ref) };
  if (schema.oneOf) {
    const variants = schema.oneOf.filter(({ type }) => type !== 'null').map(typeOf);
    return variants.length === 1 ? variants[0]! : { kind: 'union', variants };
  }
  switch (schema.type) {
    case 'string':
      return stringOf(schema);
    case 'integer':
    case 'number':
    case 'boolean':
      return { kind: schema.type };
    case 'array':
      return { kind: 'array', items: typeOf(schema.items ?? {}) };
    case 'object':
      return { kind: 'map', items: typeOf(schema.additionalProperties || {}) };
    default:
      return { kind: 'any' };
  }
}

function stringOf({ enum: values, const: constant, format }: Schema): Kind {
  if (constant !== undefined) return { kind: 'string', values: [constant], isConstant: true };
  return { kind: 'string', ...(values ? { values } : {}), isTime: format === 'date-time' };
}

/** Models that are sent: bodies, and what they are made of. */
function requestNames(operations: Operation[], schemas: Record<string, Schema>): Set<string> {
  const names = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (key === '$ref' && typeof inner === 'string') add(nameOf(inner));
      else visit(inner);
    }
  };
  const add = (name: string) => {
    if (names.has(name)) return;
    names.add(name);
    visit(schemas[name]);
  };
  for (const { body } of operations) if (body) add(body.name);
  return names;
}
