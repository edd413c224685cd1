import { afterAll, describe, expect, it } from '@jest/globals';
import { type Answer, openGateway, UNLIMITED } from './gateway.kit.js';
import { gateway } from './one-gateway.kit.js';
import { list, NIL, otp, sms, statuses, useLimitedGateway } from './limits.kit.js';

useLimitedGateway();

describe('per client IP', () => {
  const from = (ip: string) => ({ 'x-forwarded-for': ip });
  const anonymous = (ip: string) => gateway.get(`/v1/otp/${NIL}`, undefined, from(ip));

  it('8: admits 100 calls a minute without a key, on all paths together', async () => {
    await statuses(99, () => anonymous('192.0.2.1'));
    expect((await gateway.get('/v1/pricing', undefined, from('192.0.2.1'))).status).toBe(200);
    const refused = await anonymous('192.0.2.1');
    expect([refused.status, refused.body.error.type]).toEqual([429, 'rate_limited']);
    const unknown = await gateway.get('/v1/nope', undefined, from('192.0.2.1'));
    expect([unknown.status, unknown.body.error.type]).toEqual([429, 'rate_limit_exceeded']);
    expect((await anonymous('192.0.2.2')).status).toBe(401);
    const { live_key: key } = await gateway.newWorkspace();
    // The gateway knows it from another address: the next test has the case in which it does not.
    expect((await otp(key, undefined, from('192.0.2.2'))).status).toBe(200);
    expect((await otp(key, undefined, from('192.0.2.1'))).status).toBe(200);
    expect((await gateway.get('/health', undefined, from('192.0.2.1'))).status).toBe(200);
  });

  it('looks up no key that the gateway does not know, once the address is over its limit', async () => {
    const { live_key: key } = await gateway.newWorkspace();
    const restarted = await openGateway({ TRUSTED_PROXIES: '1' }, gateway.database);
    const send = (ip: string) =>
      restarted.post('/v1/otp/send', key, { phone_number: '+2348031234567' }, from(ip));
    await statuses(100, () => restarted.get(`/v1/otp/${NIL}`, undefined, from('192.0.2.3')));
    expect((await send('192.0.2.3')).status).toBe(429);
    expect((await send('192.0.2.4')).status).toBe(200);
    expect((await send('192.0.2.3')).status).toBe(200);
    await restarted.app.close();
  });

  it('decisions 6: believes as many hops as there are proxies, and counts IPv6 by /64', async () => {
    await statuses(100, (index) => anonymous(`203.0.113.${index}, 2001:db8:1:2::${index}`));
    expect((await anonymous('2001:db8:1:2:ffff::1')).status).toBe(429);
    expect((await anonymous('2001:db8:1:3::1')).status).toBe(401);
  });

  it('8: an IP address has a separate limit for calls with a key, set by the operator', async () => {
    const { live_key: key } = await gateway.newWorkspace(UNLIMITED);
    await gateway.operator('PATCH', '/settings', { limits: { ip_authenticated_per_minute: 2 } });
    expect(await statuses(3, () => otp(key, undefined, from('192.0.2.9')))).toEqual([
      200, 200, 429,
    ]);
    await gateway.operator('PATCH', '/settings', { limits: { ip_authenticated_per_minute: 1200 } });
  });
});

describe('variant B: 10 a second per workspace, burst 20', () => {
  it('8: admits the burst, then one every tenth of a second', async () => {
    const { live_key: key } = await gateway.newWorkspace();
    expect(await statuses(21, () => list(key))).toEqual([...Array(20).fill(200), 429]);
    const refused = await list(key);
    expect(refused.body.error.type).toBe('rate_limit_exceeded');
    expect(refused.headers['retry-after']).toBe('1');
    gateway.clock.advance(99);
    expect((await list(key)).status).toBe(429);
    gateway.clock.advance(1);
    expect(await statuses(2, () => list(key))).toEqual([200, 429]);
    gateway.clock.advance(1_000);
    expect(await statuses(11, () => list(key))).toEqual([...Array(10).fill(200), 429]);
    gateway.clock.advance(60_000);
    expect(await statuses(21, () => list(key))).toEqual([...Array(20).fill(200), 429]);
  });

  it('decisions 17: the rate of variant B counts by workspace and mode, and not the routes of variant A', async () => {
    const own = await gateway.newWorkspace();
    await statuses(20, () => list(own.live_key));
    expect((await list(own.live_key)).status).toBe(429);
    expect((await list(own.test_key)).status).toBe(200);
    expect((await otp(own.live_key)).status).toBe(200);
    expect((await sms(own.live_key)).status).toBe(200);
    expect((await gateway.get(`/v1/sms/${NIL}`, own.live_key)).status).toBe(404);
    const other = await gateway.newWorkspace();
    expect((await list(other.live_key)).status).toBe(200);
  });

  it('decisions 17: the rate of variant B leaves routes of neither variant alone', async () => {
    const { live_key: key } = await gateway.newWorkspace();
    for (const path of ['/v1/balance', '/v1/ledger', '/v1/otp']) {
      const read = () => gateway.get(path, key);
      expect([path, await statuses(30, read)]).toEqual([path, Array(30).fill(200)]);
    }
  });
});

describe('the truth table of section 8', () => {
  const verifyOf = async (key: string) => {
    const { body } = await otp(key);
    return () => gateway.post('/v1/otp/verify', key, { otp_id: body.id, code: '1' });
  };
  const always = (request: (key: string) => Promise<Answer>) => async (key: string) => () =>
    request(key);
  const rows: [
    rule: string,
    settings: object,
    admitted: number,
    windowMs: number,
    open: (key: string) => Promise<() => Promise<Answer>>,
  ][] = [
    ['key, 600 a minute', { key_per_minute: 600 }, 600, 60_000, always(list)],
    ['workspace, 1200 a minute', { workspace_per_minute: 1200 }, 1200, 60_000, always(list)],
    ['OTP sends to a number, 3 in 10 minutes', {}, 3, 600_000, always(otp)],
    ['verifications of a number, 10 in 10 minutes', {}, 10, 600_000, verifyOf],
    ['SMS to a number, 10 a minute', {}, 10, 60_000, always(sms)],
    [
      'OTP sends to a prefix, 300 an hour',
      { otp_sends_per_number_per_10_minutes: null },
      300,
      3_600_000,
      always(otp),
    ],
  ];
  const unlimited = {
    key_per_minute: null,
    workspace_per_minute: null,
    variant_b_per_second: null,
  };
  const open = async ([, settings, , , start]: (typeof rows)[number]) => {
    await gateway.operator('PATCH', '/settings', { limits: { ip_authenticated_per_minute: null } });
    const workspace = await gateway.newWorkspace({ limits: { ...unlimited, ...settings } });
    return start(workspace.live_key);
  };
  afterAll(() =>
    gateway.operator('PATCH', '/settings', { limits: { ip_authenticated_per_minute: 1200 } }),
  );

  it.each(rows)('%s: n-1, n, n+1 and the edges of the window', async (...row) => {
    const [, , admitted, windowMs] = row;
    const request = await open(row);
    const answers = await statuses(admitted + 1, request);
    expect(answers.slice(0, admitted)).toEqual(Array(admitted).fill(200));
    expect(answers[admitted]).toBe(429);
    gateway.clock.advance(windowMs - 1);
    const refused = await request();
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1']);
    gateway.clock.advance(1);
    expect((await request()).status).toBe(200);
  });
});
