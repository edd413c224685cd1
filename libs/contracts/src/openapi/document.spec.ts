import { describe, expect, it } from '@jest/globals';
import { AUDIENCES } from './audiences.js';
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

/** Returns the parameters. */
function namedIn(value: unknown): Json[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'in' in value ? [value as Json] : [];
  return [...own, ...Object.values(value).flatMap(namedIn)];
}

const { paths, webhooks, components } = openApiDocument() as Record<string, Json>;
const all = members({ paths, webhooks, components });

interface Operation {
  operationId: string;
  security: Json[];
  parameters: Json[];
  responses: Record<string, Response | undefined>;
}
interface Response {
  headers: Json;
  content?: Record<string, { schema: Json }>;
}
const operations = Object.values(paths as Record<string, Json>).flatMap(
  (one) => Object.values(one) as Operation[],
);
const operation = (id: string) => operations.find(({ operationId }) => operationId === id)!;

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

/** Returns the member of a named schema, or what its list holds. */
function memberOf(place: string): Json {
  const { schemas } = components as { schemas: Record<string, { properties: Json }> };
  const [schema = '', ...names] = place.split('.');
  return names.reduce<Json>((one, name) => {
    const { items = one } = one as { items?: Json };
    return (items['properties'] as Record<string, Json>)[name]!;
  }, schemas[schema] as Json);
}

describe('texts of few words', () => {
  it.each([
    ['Quote.encoding', ['GSM-7', 'UCS-2', 'UTF-8']],
    ['Otp.language', ['en', 'fr']],
    ['WorkspaceWebhook.status', ['enabled', 'disabled']],
    ['TimelineHop.status', expect.arrayContaining(['queued', 'sent', 'verified', 'rejected'])],
    ['Health.status', ['ok']],
    ['Readiness.status', ['ready', 'unavailable']],
    ['TestWebhookRequest.type', expect.arrayContaining(['email.sent', 'sms.queued'])],
    ['WebhookDelivery.event_type', expect.arrayContaining(['email.sent', 'sms.queued'])],
  ])('are an enum: %s', (place, words) => {
    expect(memberOf(place)['enum']).toEqual(words);
  });

  it.each(['Webhook', 'CreatedWebhook', 'CreateWebhookRequest', 'UpdateWebhookRequest'])(
    'are an enum: each of the events of %s',
    (name) => {
      const { items } = memberOf(`${name}.events`) as { items: Json };
      expect(items['enum']).toEqual(expect.arrayContaining(['sms.delivered', '*']));
    },
  );

  it.each(['BatchItemError.type', 'Quote.gates.type'])('are those of errors: %s', (place) => {
    expect(memberOf(place)['$ref']).toBe('#/components/schemas/ErrorType');
  });
});

describe('security and headers', () => {
  it('of every 401 have WWW-Authenticate, and of a ledger as CSV its name', () => {
    const refused = operations.flatMap(({ responses }) => responses['401'] ?? []);
    expect(refused.length).toBeGreaterThan(100);
    for (const { headers } of refused) expect(headers).toHaveProperty('WWW-Authenticate');
    const { responses } = operation('listLedgerEntries');
    expect(responses['200']?.headers).toHaveProperty('Content-Disposition');
  });
});

describe('parameters', () => {
  it('have a description', () => {
    const silent = namedIn(paths).filter(({ description }) => !description);
    expect(silent.map(({ name }) => name)).toEqual([]);
  });
});

describe('named schemas', () => {
  it('are those of every JSON answer', () => {
    const unnamed = operations.filter(({ responses }) =>
      Object.values(responses).some((response) => {
        const schema = response?.content?.['application/json']?.schema;
        return schema && !('$ref' in schema);
      }),
    );
    expect(unnamed.map(({ operationId }) => operationId)).toEqual([]);
  });
});

/** What generators of clients cannot use, or make unreadable types of. */
function oddities(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { anyOf, oneOf, patternProperties } = value as Record<'anyOf' | 'oneOf', Json[]> & Json;
  const own = [
    ...(anyOf ? [`${path}: anyOf`] : []),
    ...(oneOf?.some((branch) => 'const' in branch) ? [`${path}: words without enum`] : []),
    ...(oneOf && oneOf.filter((branch) => 'properties' in branch).length > 1
      ? [`${path}: branches without names`]
      : []),
    ...(patternProperties ? [`${path}: patternProperties`] : []),
  ];
  const inner = Object.entries(value).flatMap(([key, member]) =>
    oddities(member, `${path}/${key}`),
  );
  return [...own, ...inner];
}

describe('generators of clients', () => {
  it('find enums, named branches of unions and plain maps', () => {
    expect(oddities({ paths, components })).toEqual([]);
  });

  const { schemas } = components as { schemas: Record<string, Json & { properties?: Json }> };

  it('find the format of each number, and no pattern beside a time (Java, Rust, Python)', () => {
    const numbers = all.filter(([, { type }]) => type === 'integer' || type === 'number');
    const bare = numbers.filter(([, { format }]) => !/^(int32|int64|double)$/.test(String(format)));
    expect(bare.map(([name]) => name)).toEqual([]);
    expect(memberOf('AccountBalance.balance')['format']).toBe('int64');
    const times = all.filter(([, one]) => JSON.stringify(one).includes('date-time'));
    expect(times.length).toBeGreaterThan(20);
    expect(times.filter(([, one]) => 'pattern' in one || 'maxLength' in one)).toEqual([]);
  });

  it('find no schema with the name of its own member or of a security scheme (Rust, Go)', () => {
    const same = Object.entries(schemas).filter(([name, { properties = {} }]) =>
      Object.keys(properties).some(
        (member) => member.replaceAll('_', '').toLowerCase() === name.toLowerCase(),
      ),
    );
    expect(same.map(([name]) => name)).toEqual([]);
    const { securitySchemes } = components as { securitySchemes: Json };
    const names = Object.keys(schemas).map((name) => name.toLowerCase());
    expect(Object.keys(securitySchemes).filter((one) => names.includes(one.toLowerCase()))).toEqual(
      [],
    );
  });

  it.each([
    ['Suppression', 'channel', ['sms', 'email']],
    ['ListedMessage', 'kind', ['otp', 'sms']],
    ['OperatorMessage', 'kind', ['otp', 'sms', 'email']],
  ])('find the member that tells the branches of %s apart: %s', (name, propertyName, words) => {
    const { discriminator } = schemas[name] as { discriminator: { mapping: Json } };
    expect(discriminator).toEqual({ propertyName, mapping: expect.any(Object) });
    expect(Object.keys(discriminator.mapping)).toEqual(words);
  });

  it('of one audience want one credential, none of them a cookie but those of the dashboard', () => {
    const schemes = AUDIENCES.map((audience) => {
      const { components: own } = openApiDocument(audience) as { components: Json };
      return Object.keys(own['securitySchemes'] as Json);
    });
    const session = ['sessionCookie', 'csrfHeader'];
    expect(schemes).toEqual([['bearerApiKey'], session, ['bearerOperatorToken']]);
  });

  it('find each named schema in a route', () => {
    const { schemas } = components as { schemas: Json };
    const text = JSON.stringify({ paths, components });
    const unused = Object.keys(schemas).filter((name) => !text.includes(`/schemas/${name}"`));
    expect(unused).toEqual([]);
  });
});
