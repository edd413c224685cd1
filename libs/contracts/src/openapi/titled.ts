import type { TSchema } from '@sinclair/typebox';
import { type Json, plain } from './components.js';
import { isTime, withFormat } from './vocabulary.js';

/**
 * Returns the schema in the words of the OpenAPI documents, with formats, and a title for every object, list of words
 * and union. Generators of consumers number what has no title, and number anew with each addition.
 */
export function titledSchema(schema: TSchema, title: string): Json {
  return titled(plain(schema), title, true);
}

function titled(schema: Json, title: string, isOuter = false): Json {
  const { type, properties, items, oneOf, additionalProperties, enum: words } = schema;
  const isModel = type === 'object' || oneOf !== undefined || words !== undefined;
  return {
    ...(isModel && { title }),
    ...schema,
    ...(isJson(properties) && {
      properties: titledMembers(properties, title, isOuter),
    }),
    ...(isJson(items) && { items: titled(items, `${title}Item`) }),
    ...(isJson(additionalProperties) && {
      additionalProperties: titled(additionalProperties, `${title}Value`),
    }),
    ...(Array.isArray(oneOf) && { oneOf: titledBranches(oneOf as Json[], title) }),
  };
}

function titledMembers(properties: Json, title: string, isOuter: boolean): Json {
  const members = Object.entries(properties).map(([name, member]) => {
    const named = titled(member as Json, title + capitalized(name));
    // Carriers give ids of other forms, which stand in inner objects.
    return [name, isOuter || isTime(name) ? withFormat(name, named) : named];
  });
  return Object.fromEntries(members) as Json;
}

/** A value that can be null has the title of the value. */
function titledBranches(branches: Json[], title: string): Json[] {
  const isAlone = branches.filter(({ type }) => type !== 'null').length === 1;
  return branches.map((branch, index) => {
    return titled(branch, isAlone ? `${title}Value` : title + branchName(branch, index));
  });
}

/** A branch is named after its own word, `SmsContent` for the kind `sms`, or else by its place. */
function branchName({ properties }: Json, index: number): string {
  const words = Object.values((properties ?? {}) as Record<string, Json>);
  const word = words.map(({ const: own }) => own).find((own) => typeof own === 'string');
  return word === undefined ? `Variant${index + 1}` : capitalized(word);
}

/** Returns `SendMessageV1` for `send-message.v1` and for `send_message_v1`. */
export function capitalized(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
