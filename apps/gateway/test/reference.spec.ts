import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import {
  DOCUMENTED_ROUTES,
  ERROR_CATALOGUE,
  errorTypesOf,
  openApiDocument,
  ROUTES,
  RouteTable,
} from '@watchword/contracts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { gateway, useGateway } from './one-gateway.kit.js';

useGateway();

describe('the OpenAPI document', () => {
  it('has every route that is registered, and no other', () => {
    const refused = new RouteTable(ROUTES).shadowed();
    const refusing = new Set(refused.map(({ method, route }) => `${method} ${route.path}`));
    const registered = gateway.routes.filter(
      (route) => !route.startsWith('HEAD ') && !refusing.has(route),
    );
    const constants = ROUTES.map(({ method, path }) => `${method} ${path}`);
    expect([...registered].toSorted()).toEqual(constants.toSorted());
    expect(new Set(constants).size).toBe(constants.length);
  });

  it('has the types of the catalogue, and no other', () => {
    const { components } = openApiDocument() as {
      components: { schemas: { ErrorType: { enum: string[] } } };
    };
    expect(components.schemas.ErrorType.enum).toEqual(Object.keys(ERROR_CATALOGUE));
    const used = new Set(DOCUMENTED_ROUTES.flatMap(errorTypesOf));
    for (const type of used) expect(ERROR_CATALOGUE).toHaveProperty(type);
  });

  it('has schemas that compile, ids that are unique, and references that exist', () => {
    const document = openApiDocument();
    const text = JSON.stringify(document);
    const ids = [...text.matchAll(/"operationId":"(\w+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const { webhooks } = document as { webhooks: object };
    expect(ids.length).toBe(DOCUMENTED_ROUTES.length + Object.keys(webhooks).length);
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    ajv.addSchema({ ...document, $id: 'openapi' });
    for (const [, reference = ''] of text.matchAll(/"\$ref":"#([^"]+)"/g)) {
      const found = reference.split('/').slice(1).reduce<unknown>(stepInto, document);
      expect(found).toBeDefined();
    }
    for (const { body, query, answer, example } of DOCUMENTED_ROUTES) {
      for (const schema of [body, query, answer]) if (schema) ajv.compile(schema);
      if (body) expect(ajv.validate(body, example)).toBe(true);
    }
  });

  it('is docs/reference/openapi.json', () => {
    const file = new URL('../../../docs/reference/openapi.json', import.meta.url);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(openApiDocument());
  });
});

function stepInto(value: unknown, step: string): unknown {
  return (value as Record<string, unknown>)[step];
}

describe('what is served', () => {
  it('is the document, public and cached', async () => {
    const { status, headers, body } = await gateway.get('/openapi.json');
    expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=300']);
    expect(body).toEqual(openApiDocument());
    const again = await gateway.get('/openapi.json', undefined, {
      'if-none-match': headers['etag'],
    });
    expect([again.status, again.text]).toEqual([304, '']);
  });
});
