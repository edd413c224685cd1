import { Overloaded } from '@watchword/batching';
import { ServiceUnavailable } from '@watchword/rpc';
import { describe, expect, it } from '@jest/globals';
import { gateway } from './one-gateway.kit.js';
import { otp, statuses, useLimitedGateway } from './limits.kit.js';
import { checked } from './scripted-services.js';

useLimitedGateway();

describe('per destination', () => {
  it('admits three OTPs to a number in ten minutes', async () => {
    const { live_key: key } = await gateway.newWorkspace();
    expect(await statuses(4, () => otp(key))).toEqual([200, 200, 200, 429]);
    expect((await otp(key, '+2348031234568')).status).toBe(200);
    const other = await gateway.newWorkspace();
    expect((await otp(other.live_key)).status).toBe(200);
    gateway.clock.advance(600_000);
    expect((await otp(key)).status).toBe(200);
  });

  it('does not count a verification that was certainly not made', async () => {
    const { live_key: key } = await gateway.newWorkspace();
    const { body } = await otp(key);
    const verify = () => gateway.post('/v1/otp/verify', key, { otp_id: body.id, code: '1' });
    const isAway = new ServiceUnavailable('dispatch', 'verifyOtp', false);
    gateway.dispatch.script.push(...Array(5).fill(isAway));
    expect(await statuses(5, verify)).toEqual(Array(5).fill(503));
    expect(await statuses(11, verify)).toEqual([...Array(10).fill(200), 429]);
  });

  it('does not count a replayed verification', async () => {
    const { live_key: key } = await gateway.newWorkspace();
    const { body } = await otp(key);
    const verify = (headers = {}) =>
      gateway.post('/v1/otp/verify', key, { otp_id: body.id, code: '1' }, headers);
    const replay = { 'idempotency-key': 'v' };
    await verify(replay);
    gateway.dispatch.script.push(...Array(5).fill(checked({ replayed: true })));
    expect(await statuses(5, () => verify(replay))).toEqual(Array(5).fill(200));
    expect(await statuses(10, () => verify())).toEqual([...Array(9).fill(200), 429]);
    const guesses = gateway.dispatch.verifications.length;
    expect((await verify(replay)).status).toBe(200);
    expect((await verify({ 'idempotency-key': 'new' })).status).toBe(429);
    expect(gateway.dispatch.verifications.length).toBe(guesses);
  });

  it('gives back what billing refused', async () => {
    const { live_key: key } = await gateway.newWorkspace();
    const broke = { verdict: 'insufficient_credits', balance: 0, required: 5 } as const;
    gateway.billing.script.push(...Array(4).fill(async () => broke));
    expect(await statuses(4, () => otp(key))).toEqual(Array(4).fill(402));
    expect(await statuses(4, () => otp(key))).toEqual([200, 200, 200, 429]);
  });

  it('gives back what certainly had no effect, and keeps what may have had one', async () => {
    const { live_key: key } = await gateway.newWorkspace();
    const fails = (error: Error) => () => Promise.reject(error);
    gateway.billing.script.push(fails(new Overloaded('accept')));
    expect((await otp(key)).status).toBe(503);
    gateway.billing.script.push(fails(new ServiceUnavailable('billing', 'accept', false)));
    expect((await otp(key)).status).toBe(503);
    gateway.billing.script.push(fails(new ServiceUnavailable('billing', 'accept', true)));
    expect((await otp(key)).status).toBe(503);
    expect(await statuses(3, () => otp(key))).toEqual([200, 200, 429]);
  });

  it('counts nothing for a request that is malformed', async () => {
    const { live_key: key } = await gateway.newWorkspace();
    const malformed = { phone_number: '+2348031234567', metadata: { a: 'x'.repeat(5000) } };
    const request = () => gateway.post('/v1/otp/send', key, malformed);
    expect(await statuses(4, request)).toEqual(Array(4).fill(400));
    expect((await otp(key)).status).toBe(200);
  });
});

describe('the guessing cap, as dispatch answers it', () => {
  it('is a 429 rate_limited with the time to wait', async () => {
    const { live_key: key } = await gateway.newWorkspace();
    const { body } = await otp(key);
    gateway.dispatch.script.push({ outcome: 'guessing_capped', retry_after_seconds: 86_399 });
    const refused = await gateway.post('/v1/otp/verify', key, { otp_id: body.id, code: '1' });
    expect([refused.status, refused.body.error.type]).toEqual([429, 'rate_limited']);
    expect(refused.headers['retry-after']).toBe('86399');
    expect((await otp(key)).status).toBe(200);
  });
});
