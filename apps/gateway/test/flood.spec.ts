/**
 * Unauthenticated work is counted before it is done: the statements that a flood from one address
 * costs.
 */
import { randomBytes } from 'node:crypto';
import { describe, expect, it, jest } from '@jest/globals';
import { gateway, useGateway } from './one-gateway.kit.js';
import { ApiKeyStore } from '../src/accounts/keys/api-key.store.js';
import { statementsOf } from './statements.kit.js';

const REQUESTS = 500;
const LIMIT = 100;
/** A machine that runs other tests beside this one answers more at once with 503. */
const AT_ONCE = 25;

useGateway({ TRUSTED_PROXIES: '1' });

/** Returns the statements about `table` while `act` runs. */
async function statementsOn(table: string, act: () => Promise<unknown>): Promise<number> {
  const statements = await statementsOf(gateway, act);
  return statements.filter((text) => text.includes(table)).length;
}

const from = (address: string, headers: object) => ({ 'x-forwarded-for': address, ...headers });

async function statuses(ask: (index: number) => Promise<{ status: number }>) {
  const counts: Record<number, number> = {};
  for (let first = 0; first < REQUESTS; first += AT_ONCE) {
    const asked = Array.from({ length: AT_ONCE }, (_, index) => ask(first + index));
    for (const { status } of await Promise.all(asked)) counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

describe('a flood from one address', () => {
  it('decisions 24: a flood of unknown keys costs one look-up for each request within the limit', async () => {
    const ask = () => {
      const authorization = `Bearer svc_live_${randomBytes(16).toString('hex')}`;
      return gateway.get('/v1/balance', undefined, from('192.0.2.1', { authorization }));
    };
    const find = jest.spyOn(gateway.app.get(ApiKeyStore, { strict: false }), 'findCallers');
    expect(await statuses(ask)).toEqual({ 401: LIMIT, 429: REQUESTS - LIMIT });
    const hashes = find.mock.calls.flatMap(([asked]) => asked);
    find.mockRestore();
    expect(hashes).toHaveLength(LIMIT);
  });

  it('decisions 24: a flood of unknown sessions costs one look-up for each request within the limit', async () => {
    const ask = () => {
      const cookie = `svc_session=${randomBytes(32).toString('base64url')}`;
      return gateway.get('/dashboard/workspace', undefined, from('192.0.2.2', { cookie }));
    };
    const lookUps = await statementsOn('sessions', async () => {
      expect(await statuses(ask)).toEqual({ 401: LIMIT, 429: REQUESTS - LIMIT });
    });
    expect(lookUps).toBe(LIMIT);
  });

  it('decisions 24: a flood of /ready asks the database once a second, and is refused beyond the limit', async () => {
    const ready = (address: string) => gateway.get('/ready', undefined, from(address, {}));
    const asked = await statementsOn('SELECT 1', async () => {
      expect(await statuses(() => ready('192.0.2.4'))).toEqual({
        200: LIMIT,
        429: REQUESTS - LIMIT,
      });
      gateway.clock.advance(999);
      expect((await ready('192.0.2.5')).status).toBe(200);
    });
    expect(asked).toBe(1);
    gateway.clock.advance(1);
    expect(await statementsOn('SELECT 1', () => ready('192.0.2.5'))).toBe(1);
  });

  it.each(['/docs', '/openapi.json'])(
    'decisions 24: of %s is refused beyond the limit',
    async (path) => {
      const ask = () => gateway.get(path, undefined, from(`192.0.2.${5 + path.length}`, {}));
      expect(await statuses(ask)).toEqual({ 200: LIMIT, 429: REQUESTS - LIMIT });
    },
  );
});
