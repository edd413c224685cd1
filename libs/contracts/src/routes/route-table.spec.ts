import { describe, expect, it } from '@jest/globals';
import { RouteTable } from './route-table.js';
import { ROUTES, routes } from './routes.js';

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
});

describe('a path with an id', () => {
  it('names the resource of its 404', () => {
    const silent = ROUTES.filter(({ path, resource }) => path.includes('/:id') && !resource);
    expect(silent.map(({ at }) => at)).toEqual([]);
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
