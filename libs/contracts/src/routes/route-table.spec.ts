import { describe, expect, it } from '@jest/globals';
import { RouteTable } from './route-table.js';
import { FAMILIES, ROUTES, routes } from './routes.js';

const table = new RouteTable(ROUTES);

describe('the table of routes', () => {
  it('finds every route by its path, with any text for a parameter', () => {
    for (const route of ROUTES) {
      const path = route.path.split('/').map((part) => (part.startsWith(':') ? 'x' : part));
      expect(table.at(path.join('/'))).toContain(route);
    }
  });

  it.each(['', '/v1', '/v1/otp/', '/v1/otp/x/', '/v1//otp', '/v1/otp/x/y', '/V1/otp'])(
    'has nothing at "%s"',
    (path) => {
      expect(table.at(path)).toEqual([]);
    },
  );

  it('prefers a literal segment to a parameter', () => {
    expect(table.at('/v1/otp/send')).toEqual([routes.sendOtp]);
    expect(table.at('/v1/otp/sends')).toEqual([routes.getOtp]);
  });

  it('knows the routes beside an unknown path', () => {
    expect(table.beside('/t/x/y/z').map(({ path }) => path)).toEqual([
      '/t/o/:token',
      '/t/c/:token',
    ]);
    expect(table.beside('/nope')).toEqual([]);
  });

  it('lists the methods that the router would take to another path', () => {
    const shadowed = table.shadowed().map(({ method, route }) => `${method} ${route.path}`);
    expect(shadowed).toEqual(
      expect.arrayContaining(['GET /v1/otp/send', 'GET /v1/otp/verify', 'GET /v1/sms/send']),
    );
  });
});

describe('a path with an id', () => {
  it('names the resource of its 404', () => {
    const silent = ROUTES.filter(({ path, resource }) => path.includes('/:id') && !resource);
    expect(silent.map(({ at }) => at)).toEqual([]);
  });
});

describe('operation ids', () => {
  it('are of one route each, although later families would take the place of earlier ones', () => {
    const ids = FAMILIES.flatMap((family) => Object.keys(family));
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });
});

describe('limits', () => {
  it.each([
    ['rate_limited', routes.sendOtp],
    ['rate_limited', routes.cancelOtp],
    ['rate_limited', routes.sendTransactionalSms],
    ['rate_limited', routes.getMessage],
    ['rate_limited', routes.listPrices],
    ['rate_limit_exceeded', routes.listMessages],
    ['rate_limit_exceeded', routes.getBalance],
    ['rate_limit_exceeded', routes.listOtps],
    ['rate_limit_exceeded', routes.createQuote],
    ['rate_limit_exceeded', routes.listOwnKeys],
  ])('are refused as %s at $path', (type, route) => {
    expect(route.limits.errorType).toBe(type);
  });

  it('count by the second for variant B only', () => {
    const counted = ROUTES.filter(({ limits }) => limits.bySecond === true);
    expect(counted.map(({ operationId }) => operationId)).toContain('listMessages');
    for (const route of [routes.getMessage, routes.sendOtp, routes.listOtps, routes.createQuote]) {
      expect(counted).not.toContain(route);
    }
  });
});
