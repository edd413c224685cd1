import { describe, expect, it } from '@jest/globals';
import { AUDIENCES } from './audiences.js';
import { openApiDocument } from './document.js';
import { asOpenApi30 } from './openapi-30.js';

type Json = Record<string, unknown>;

type Content = { 'application/json': { schema: Json } };
interface Operation {
  operationId: string;
  requestBody?: { content: Json };
  responses: Record<string, { content?: Content }>;
}
const schemaOf = (content: Content) => content['application/json'].schema;

/** What OpenAPI 3.0.3 does not have. */
function newWords(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { $ref, ...others } = value as Json;
  const isNamed = /\/(properties|schemas)$/.test(path);
  const words = ['const', 'examples', 'webhooks', 'anyOf', 'patternProperties'];
  const own = isNamed ? [] : words.filter((word) => word in others);
  if ($ref !== undefined && Object.keys(others).length > 0) own.push('beside $ref');
  if (others['type'] === 'null' || Array.isArray(others['type'])) own.push('type');
  const inner = Object.entries(others).flatMap(([name, member]) =>
    name === 'example' && !isNamed ? [] : newWords(member, `${path}/${name}`),
  );
  return [...own.map((word) => `${path}: ${word}`), ...inner];
}

describe('OpenAPI 3.0.3', () => {
  it.each(AUDIENCES)('of %s has no word of 3.1, and every route', (audience) => {
    const newer = openApiDocument(audience);
    const older = asOpenApi30(newer);
    expect(newWords(older)).toEqual([]);
    expect(older['openapi']).toBe('3.0.3');
    expect(Object.keys(older['paths'] as Json)).toEqual(Object.keys(newer['paths'] as Json));
  });

  it.each(AUDIENCES)(
    'of %s has one schema for all errors of a route, and one media type of a body (progenitor 0.15.1)',
    (audience) => {
      const { paths } = asOpenApi30(openApiDocument(audience)) as { paths: Record<string, Json> };
      const several = Object.values(paths)
        .flatMap((operations) => Object.values(operations) as Operation[])
        .filter(({ responses }) => {
          const failed = Object.entries(responses).filter(([status]) => Number(status) >= 400);
          return (
            new Set(failed.map(([, { content }]) => JSON.stringify(content && schemaOf(content))))
              .size > 1
          );
        });
      const bodies = Object.values(paths).flatMap((operations) =>
        (Object.values(operations) as Operation[]).flatMap(({ requestBody }) => requestBody ?? []),
      );
      expect(bodies.filter(({ content }) => Object.keys(content).length > 1)).toEqual([]);
      expect(several.map(({ operationId }) => operationId)).toEqual([]);
    },
  );

  it('lets only references to objects be null', () => {
    const { components } = openApiDocument() as { components: { schemas: Record<string, Json> } };
    const found = JSON.stringify(components).matchAll(
      /\[\{"\$ref":"[^"]+\/(\w+)"\},\{"type":"null"/g,
    );
    const names = [...found].map(([, name]) => name!);
    expect(names.length).toBeGreaterThan(0);
    for (const name of names)
      expect([name, components.schemas[name]!['type']]).toEqual([name, 'object']);
  });

  it('writes null as nullable, one word as an enum, and a described reference as allOf', () => {
    const { components } = asOpenApi30({
      info: {},
      tags: [],
      components: {
        schemas: {
          A: {
            type: 'object',
            properties: {
              const: { const: 'a', type: 'string', examples: ['a'] },
              text: {
                oneOf: [{ type: 'string', format: 'uuid' }, { type: 'null' }],
                examples: [1],
              },
              word: { oneOf: [{ type: 'string', enum: ['b'] }, { type: 'null' }] },
              other: { oneOf: [{ $ref: '#/B' }, { type: 'null' }], description: 'B.' },
              named: { $ref: '#/B', description: 'B.' },
              union: { oneOf: [{ $ref: '#/B' }, { $ref: '#/C' }, { type: 'null' }] },
            },
          },
        },
      },
    }) as { components: { schemas: { A: { properties: Json } } } };
    const { properties } = components.schemas.A;
    expect(properties).toEqual({
      const: { type: 'string', enum: ['a'], example: 'a' },
      text: { type: 'string', format: 'uuid', nullable: true, example: 1 },
      word: { type: 'string', enum: ['b', null], nullable: true },
      other: { type: 'object', allOf: [{ $ref: '#/B' }], nullable: true, description: 'B.' },
      named: { allOf: [{ $ref: '#/B' }], description: 'B.' },
      union: { type: 'object', oneOf: [{ $ref: '#/B' }, { $ref: '#/C' }], nullable: true },
    });
  });
});
