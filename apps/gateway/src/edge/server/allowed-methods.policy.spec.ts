import { describe, expect, it } from '@jest/globals';
import { RouteTable } from './allowed-methods.policy.js';

describe('RouteTable', () => {
  const routes = new RouteTable();
  routes.add('/v1/otp/send', ['POST']);
  routes.add('/v1/otp/:id', ['GET']);
  routes.add('/v1/otp/:id', ['HEAD']);
  routes.add('/operator/v1/workspaces/:id/keys', ['POST', 'GET']);

  it.each([
    ['/v1/otp/send', ['POST']],
    ['/v1/otp/7', ['GET', 'HEAD']],
    ['/v1/otp/7/x', []],
    ['/v1/otp/', []],
    ['/operator/v1/workspaces/a.b/keys', ['GET', 'POST']],
    ['/', []],
  ])('%s has %j', (path, methods) => expect(routes.allowed(path)).toEqual(methods));
});
