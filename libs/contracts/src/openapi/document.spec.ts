import { describe, expect, it } from '@jest/globals';
import { openApiDocument } from './document.js';

type Json = Record<string, unknown>;

/** Returns every member of the document's object schemas, with its name. */
function members(value: unknown): [string, Json][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === 'example' || key === 'examples') return [];
    const own = key === 'properties' ? (Object.entries(inner) as [string, Json][]) : [];
    return [...own, ...(own.length > 0 ? own.flatMap(([, s]) => members(s)) : members(inner))];
  });
}

const { paths, webhooks, components } = openApiDocument() as Record<string, Json>;
const all = members({ paths, webhooks, components });

describe('members of schemas', () => {
  it('have a description; a name that has none belongs in words.ts', () => {
    const silent = all.filter(([, schema]) => !schema['description']).map(([name]) => name);
    expect([...new Set(silent)]).toEqual([]);
  });

  it('have an example, where a value has no members with examples of their own', () => {
    const silent = all.filter(([, { type, examples }]) => {
      return ['string', 'integer', 'boolean'].includes(type as string) && examples === undefined;
    });
    expect([...new Set(silent.map(([name]) => name))]).toEqual([]);
  });
});

describe('parameters', () => {
  it('have a description', () => {
    const named = (value: unknown): Json[] =>
      typeof value !== 'object' || value === null
        ? []
        : [...('in' in value ? [value as Json] : []), ...Object.values(value).flatMap(named)];
    const silent = named(paths).filter(({ description }) => !description);
    expect(silent.map(({ name }) => name)).toEqual([]);
  });
});

describe('named schemas', () => {
  it('are those of every JSON answer', () => {
    const operations = Object.values(paths as Record<string, Json>).flatMap(Object.values) as {
      operationId?: string;
      responses?: Record<string, { content?: Record<string, { schema: Json }> }>;
    }[];
    const unnamed = operations.filter(({ responses = {} }) =>
      Object.values(responses).some(({ content = {} }) => {
        const schema = content['application/json']?.schema;
        return schema && !('$ref' in schema);
      }),
    );
    expect(unnamed.map(({ operationId }) => operationId)).toEqual([]);
  });

  it('are those that clients know', () => {
    const names = Object.keys(components?.['schemas'] as Json);
    const known = ['Otp', 'SmsMessage', 'SmsDetails', 'SmsDetailsPage', 'LedgerEntry', 'Webhook'];
    const more = ['LedgerEntryPage', 'SmsTemplate', 'SmsTemplatePage', 'SenderId', 'Error'];
    expect(names).toEqual(expect.arrayContaining([...known, ...more]));
  });
});

describe('the body of a quote', () => {
  it('is that of any send, of an SMS in the words of either variant', () => {
    type Body = { properties: Record<string, { const?: string }> };
    const schemas = components!['schemas'] as Record<string, { anyOf: Body[] }>;
    const numbers = schemas['CreateQuoteRequest']!.anyOf.filter(
      ({ properties }) => properties['kind']?.const === 'sms',
    ).map(({ properties }) => ['phone_number', 'to'].filter((name) => name in properties));
    expect(numbers).toEqual([['phone_number'], ['to']]);
  });
});
