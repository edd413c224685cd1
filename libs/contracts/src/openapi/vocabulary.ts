import { EXAMPLE_ID, EXAMPLE_NUMBER, EXAMPLE_TIME } from '../routes/examples.js';
import { type Word, WORDS } from './words.js';
import { NAMES_BY_PLACE, WORDS_BY_PLACE } from './words-by-place.js';

type Json = Record<string, unknown>;

const ID_NAMES =
  /^((workspace|project|otp|message|key|user|entry|payment|email|sms|webhook|quote|recovery|request|resend|delivery|endpoint)_)?id$|^replay_of$/;
const TIME_NAMES = /(_at|_after|_before)$|^(since|timestamp)$/;

/**
 * Returns a copy of the document with descriptions, formats and examples added to its properties.
 * `place` is the name of the schema, or of the member that they are in.
 */
export function described<Value>(value: Value, place = ''): Value {
  if (Array.isArray(value)) return value.map((item) => described<unknown>(item, place)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => {
    if (key === 'examples' || key === 'enum') return [key, member];
    const isNamed = key === 'properties';
    return [key, isNamed ? describedProperties(member as Json, place) : described(member, place)];
  });
  return Object.fromEntries(members) as Value;
}

function describedProperties(properties: Json, place: string): Json {
  const members = Object.entries(properties).map(([name, schema]) => {
    return [name, describedProperty(name, described(schema, name) as Json, place)];
  });
  return Object.fromEntries(members) as Json;
}

/** Describes one parameter or one member of an object. */
function describedProperty(name: string, stated: Json, place: string): Json {
  const schema = withNames(stated, NAMES_BY_PLACE[`${place}.${name}`]);
  const word = WORDS_BY_PLACE[`${place}.${name}`] ?? WORDS[name];
  const description = schema['description'] ?? word?.[0];
  if ('$ref' in schema) return { ...schema, description };
  const example = exampleOf(name, schema, word);
  return {
    ...withFormat(name, schema),
    description,
    ...(example === undefined || 'examples' in schema ? {} : { examples: [example] }),
  };
}

/** `place` is the id of the operation. */
export function describedParameter(
  parameter: Json & { name: string; schema: Json },
  place: string,
): Json {
  const { description, ...schema } = describedProperty(parameter.name, parameter.schema, place);
  return { ...parameter, description, schema };
}

/** Lists the names that a text, or each text of a list, can be. */
function withNames(schema: Json, names: readonly string[] | undefined): Json {
  if (names === undefined) return schema;
  const { items } = schema as { items?: Json };
  return items ? { ...schema, items: { ...items, enum: names } } : { ...schema, enum: names };
}

export function isTime(name: string): boolean {
  return TIME_NAMES.test(name);
}

function formatOf(name: string): string | undefined {
  if (isTime(name)) return 'date-time';
  if (ID_NAMES.test(name)) return 'uuid';
  // A domain may be international.
  if (name === 'email') return 'idn-email';
  return name === 'url' || name.endsWith('_url') ? 'uri' : undefined;
}

/**
 * Adds the property's format to a text, also to one that can be null. A pattern says more, except of a time: clients have
 * a type of their own for it, whose text is checked here.
 */
export function withFormat(name: string, schema: Json): Json {
  const format = formatOf(name);
  const { oneOf } = schema as { oneOf?: Json[] };
  if (format === undefined) return schema;
  if (oneOf) return { ...schema, oneOf: oneOf.map((branch) => withFormat(name, branch)) };
  if (schema['type'] !== 'string' || 'const' in schema) return schema;
  if (format === 'date-time') {
    const { maxLength: _, pattern: __, ...others } = schema;
    return { ...others, format };
  }
  return 'pattern' in schema || 'format' in schema ? schema : { ...schema, format };
}

/** Returns an example. Undefined where the members of the value have their own examples. */
function exampleOf(name: string, schema: Json, word?: Word): unknown {
  if ('$ref' in schema) return undefined;
  const [stated] = (schema['examples'] as unknown[] | undefined) ?? [];
  const said = stated ?? schema['const'] ?? schema['default'];
  if (said !== undefined) return said;
  const example = word?.[1];
  const words = schema['enum'] as unknown[] | undefined;
  if (words) return words.includes(example) ? example : words[0];
  const [branch] = (schema['oneOf'] as Json[] | undefined) ?? [];
  if (branch) return exampleOf(name, branch, word);
  if (schema['type'] === 'string') return textOf(name, example);
  if (schema['type'] === 'boolean') return typeof example === 'boolean' ? example : false;
  if (schema['type'] === 'integer' || schema['type'] === 'number') {
    return typeof example === 'number' ? example : (schema['minimum'] ?? 1);
  }
  if (schema['type'] !== 'array') return 'properties' in schema ? undefined : {};
  const items = (schema['items'] ?? {}) as Json;
  if (Array.isArray(example) && items['type'] === 'string') return example;
  const item = exampleOf(name, items, word);
  return typeof item === 'object' || item === undefined ? undefined : [item];
}

function textOf(name: string, word: unknown): string {
  if (typeof word === 'string') return word;
  if (formatOf(name) === 'date-time') return EXAMPLE_TIME;
  if (name === 'id' || name.endsWith('_id')) return EXAMPLE_ID;
  return name === 'phone_number' || name === 'to' ? EXAMPLE_NUMBER : 'text';
}
