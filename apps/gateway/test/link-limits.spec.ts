/** Links of emails are limited by address (ADR 17). */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { linkHostsSecretOf } from '@watchword/carriers';
import { newId, type Route, routes } from '@watchword/contracts';
import { EmailTokens } from '@watchword/email';
import type { FastifyRequest } from 'fastify';
import { LINK_CALLS_PER_MINUTE, LinkGuard } from '../src/edge/guards/link.guard.js';
import { CALLBACK_SECRET } from './gateway.kit.js';
import { gateway, useGateway } from './one-gateway.kit.js';
import { freshIp } from './person.kit.js';

useGateway({ TRUSTED_PROXIES: '1' });

const tokens = EmailTokens.of(CALLBACK_SECRET);
const newRef = () => ({
  ...{ emailId: newId(), recipient: 0, workspaceId: newId() },
  address: `${randomUUID()}@acme.example`,
});

const call = (method: 'GET' | 'POST', url: string, ip: string) =>
  gateway.call({ method, url, headers: { 'x-forwarded-for': ip } });

/** Returns an address that has used up its calls of one route, but for one. */
async function busyAt(route: Route): Promise<string> {
  const ip = freshIp();
  const request = { raw: { socket: {}, headers: { 'x-forwarded-for': ip } } };
  const guard = gateway.app.get(LinkGuard, { strict: false });
  for (let calls = 1; calls < LINK_CALLS_PER_MINUTE; calls += 1) {
    await guard.enter(request as unknown as FastifyRequest, route);
  }
  return ip;
}

const published = () => gateway.published.length;

describe('beyond the limit of an address', () => {
  it('decisions 24: an open gets its image and is not recorded', async () => {
    const ip = await busyAt(routes.trackOpen);
    const before = published();
    const open = (from: string) => call('GET', `/t/o/${tokens.open(newRef())}`, from);
    const answers = [await open(ip), await open(ip)];
    expect(answers.map(({ status, headers }) => [status, headers['content-type']])).toEqual([
      [200, 'image/gif'],
      [200, 'image/gif'],
    ]);
    expect(published()).toBe(before + 1);
    await open(freshIp());
    expect(published()).toBe(before + 2);
    gateway.clock.advance(60_000);
    await open(ip);
    expect(published()).toBe(before + 3);
  });

  it.each([
    ['POST', routes.unsubscribe, 200, 1],
    ['GET', routes.showUnsubscribe, 200, 0],
  ] as const)(
    'decisions 24: %s of an unsubscribe link is 429',
    async (method, route, status, recorded) => {
      const ip = await busyAt(route);
      const before = published();
      const use = () => call(method, `/u/${tokens.unsubscribe(newRef())}`, ip);
      expect((await use()).status).toBe(status);
      const refused = await use();
      expect([refused.status, refused.body.error.type]).toEqual([429, 'rate_limit_exceeded']);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect(published()).toBe(before + recorded);
    },
  );

  it('decisions 24: a question of a proxy is 429', async () => {
    const ip = await busyAt(routes.askLinkHost);
    const ask = () => call('GET', `/link-hosts/${linkHostsSecretOf(CALLBACK_SECRET)}`, ip);
    expect([(await ask()).status, (await ask()).status]).toEqual([404, 429]);
  });
});
