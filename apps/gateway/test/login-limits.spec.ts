import { describe, expect, it } from '@jest/globals';
import { freshIp, newOwner, Person } from './person.kit.js';
import { gateway, useGateway } from './one-gateway.kit.js';

useGateway({ TRUSTED_PROXIES: '1' });

describe('the limit on failures', () => {
  const fail = (person: Person) => person.logIn({ password: 'not that one' });

  it('decisions 2: the limit on failed log-ins from an IP address holds for every account', async () => {
    const owner = await newOwner(gateway);
    const guesser = Object.assign(new Person(gateway), { ip: freshIp() });
    for (let failures = 0; failures < 5; failures += 1) {
      const other = Object.assign(new Person(gateway), { ip: guesser.ip });
      expect((await fail(other)).status).toBe(401);
    }
    const here = Object.assign(new Person(gateway, owner.email), { ip: guesser.ip });
    expect((await here.logIn()).status).toBe(429);
    expect((await owner.logIn()).status).toBe(200);
    expect((await here.signUp()).status).toBe(429);
  });

  it('lets five of many guesses at once through, and no more', async () => {
    const { email } = await newOwner(gateway);
    const guesses = Array.from({ length: 20 }, () => fail(new Person(gateway, email)));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(15);
  });

  it('does not count what succeeds, however many come at once', async () => {
    const owner = await newOwner(gateway);
    const logins = Array.from({ length: 12 }, () =>
      Object.assign(new Person(gateway, owner.email), { ip: owner.ip }).logIn(),
    );
    expect(new Set((await Promise.all(logins)).map(({ status }) => status))).toEqual(
      new Set([200]),
    );
    for (let round = 0; round < 6; round += 1) expect((await owner.logIn()).status).toBe(200);
  });

  it('8: failed log-ins are not counted in the limit on calls, which /auth has for itself', async () => {
    await gateway.operator('PATCH', '/settings', { limits: { ip_unauthenticated_per_minute: 1 } });
    const caller = new Person(gateway);
    expect((await caller.call('GET', '/auth/me')).status).toBe(401);
    const refused = await caller.call('GET', '/auth/me');
    expect([refused.status, refused.body.error.type]).toEqual([429, 'rate_limit_exceeded']);
    expect((await caller.call('GET', '/v1/pricing')).status).toBe(200);
    await gateway.operator('PATCH', '/settings', {
      limits: { ip_unauthenticated_per_minute: 100 },
    });
  });
});
