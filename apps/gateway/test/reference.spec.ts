import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import {
  asOpenApi30,
  AUDIENCES,
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

const DOCUMENTS = AUDIENCES.map((audience) => {
  return [audience === 'keys' ? 'openapi.json' : `openapi-${audience}.json`, audience] as const;
});
const asJson = (value: object) => JSON.parse(JSON.stringify(value)) as object;

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

  it('lists the ETag and the 304 of the price list', async () => {
    const { responses, parameters } = operationAt('/v1/pricing', 'get');
    const first = await gateway.get('/v1/pricing');
    const again = await gateway.get('/v1/pricing', undefined, {
      'if-none-match': first.headers['etag'],
    });
    for (const { status, headers } of [first, again]) {
      expect(headers['etag']).toBeDefined();
      expect(responses[status]?.headers).toHaveProperty('ETag');
    }
    expect(again.status).toBe(304);
    expect(responses[304]).not.toHaveProperty('content');
    expect(parameters).toContainEqual({ $ref: '#/components/parameters/IfNoneMatch' });
  });

  it('lists when to come again for a key in flight, wherever there may be one', () => {
    const keyed = DOCUMENTED_ROUTES.filter(({ idempotent }) => idempotent);
    expect(keyed.map(({ path }) => path)).toContain('/v1/quote');
    for (const route of keyed) {
      expect(errorTypesOf(route)).toEqual(
        expect.arrayContaining(['conflict', 'idempotency_conflict']),
      );
      const { responses } = operationAt(
        route.path.replace(':id', '{id}'),
        route.method.toLowerCase(),
      );
      expect(responses[409]?.headers).toHaveProperty('Retry-After');
    }
    const { responses } = operationAt('/v1/sender-ids/{id}', 'patch');
    expect(responses[409]?.headers).not.toHaveProperty('Retry-After');
  });

  it('leaves out what its guide says, and no other route', () => {
    const guide = readFileSync(
      new URL('../../../docs/guides/generate-clients.md', import.meta.url),
      'utf8',
    );
    const [, named = ''] = /leaves out ([^]+?)\.\n/.exec(guide)!;
    const said = [...named.matchAll(/`(\/[\w.-]*)`/g)].map(([, path]) => path);
    const left = ROUTES.filter(({ undocumented }) => undocumented).map(
      ({ path }) => `/${path.split('/')[1]}`,
    );
    expect(said.toSorted()).toEqual([...new Set(left)].toSorted());
  });

  it.each(DOCUMENTS)('is docs/reference/%s for its audience', (name, audience) => {
    const file = new URL(`../../../docs/reference/${name}`, import.meta.url);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(asJson(openApiDocument(audience)));
  });

  it('has each route in the document of one audience', () => {
    const paths = AUDIENCES.flatMap((one) => Object.keys(openApiDocument(one)['paths'] as object));
    const all = DOCUMENTED_ROUTES.map(({ path }) => path.replaceAll(/:(\w+)/g, '{$1}'));
    expect(paths.toSorted()).toEqual([...new Set(all)].toSorted());
  });
});

interface Operation {
  parameters: object[];
  responses: Record<number, { headers: object } | undefined>;
}

function operationAt(path: string, method: string): Operation {
  const { paths } = openApiDocument() as { paths: Record<string, Record<string, Operation>> };
  const operation = paths[path]?.[method];
  if (!operation) throw new Error(`${method} ${path} is not in the document`);
  return operation;
}

function stepInto(value: unknown, step: string): unknown {
  return (value as Record<string, unknown>)[step];
}

describe('what is served', () => {
  const served = [
    ['/openapi.json', 'keys'],
    ['/openapi/dashboard.json', 'dashboard'],
    ['/openapi/operator.json', 'operator'],
  ] as const;

  it.each(served)(
    'decisions 27: %s serves the document for %s, public and cached',
    async (path, audience) => {
      const { status, headers, body } = await gateway.get(path);
      expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=300']);
      expect(body).toEqual(asJson(openApiDocument(audience)));
      const again = await gateway.get(path, undefined, { 'if-none-match': headers['etag'] });
      expect([again.status, again.text]).toEqual([304, '']);
    },
  );

  it.each(served)('at %s is the same in 3.0.3 for older generators', async (path, audience) => {
    const older = await gateway.get(`${path}?version=3.0`);
    expect(older.body).toEqual(asJson(asOpenApi30(openApiDocument(audience))));
    expect((await gateway.get(`${path}?version=3.1`)).body.openapi).toBe('3.1.0');
    const { status, body } = await gateway.get(`${path}?version=2.0`);
    expect([status, body.error.field]).toEqual([400, 'version']);
  });
});
