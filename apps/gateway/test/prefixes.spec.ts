import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { MessageRecord, PrefixRestriction } from '@watchword/contracts';
import { PrefixGuard } from '../src/limits/prefix-guard.js';
import { acceptedRecord } from '../src/messages/accepted-record.policy.js';
import { type Answer, UNLIMITED, type WorkspaceKeys } from './gateway.kit.js';
import { gateway, useGateway } from './one-gateway.kit.js';

const HOUR_MS = 3_600_000;

const QUOTED = {
  verdict: 'quoted',
  replayed: false,
  quote_id: 'q',
  expires_at: '2026-01-05T09:00:00.000Z',
  credits: 5,
  credit_price: { amount: 100, currency: 'NGN' },
  balance: 10,
} as const;

let workspace: WorkspaceKeys;

/** The one-time password that dispatch would send again. */
let sent: MessageRecord;

useGateway({}, undefined, {
  before: async ({ billing, dispatch: { calls } }) => {
    billing.calls.quote = async () => QUOTED;
    calls.reserveResend = async () => ({ outcome: 'reserved', message: sent, remaining: 2 });
    calls.releaseResend = async () => ({});
  },
});

beforeEach(async () => {
  workspace = await gateway.newWorkspace(UNLIMITED);
});
afterEach(() => restrict());

/** Sets what dispatch would report within a second. */
async function restrict(...restrictions: Partial<PrefixRestriction>[]): Promise<void> {
  decide(...restrictions);
  await gateway.app.get(PrefixGuard).refresh();
}

/** Sets what dispatch reports when it is asked next. */
function decide(...restrictions: Partial<PrefixRestriction>[]): void {
  const { dispatch, clock } = gateway;
  const now = clock.now();
  dispatch.restrictions.splice(
    0,
    Infinity,
    ...restrictions.map((restriction) => ({
      workspace_id: workspace.workspace_id,
      prefix: '234803',
      state: 'throttled' as const,
      since: new Date(now).toISOString(),
      ends_at: new Date(now + HOUR_MS).toISOString(),
      ...restriction,
    })),
  );
  dispatch.restrictionsVersion += 1;
}

/** Lets the guard believe that nothing was sent for a while. */
const pause = () => Reflect.set(gateway.app.get(PrefixGuard), 'usedAtMs', -Infinity);

let numbers = 0;
const number = (prefix = '234803') => `+${prefix}${String((numbers += 1)).padStart(7, '0')}`;
const sendOtp = (phone_number = number(), key = workspace.live_key) =>
  gateway.post('/v1/otp/send', key, { phone_number });
const sendSms = (phone_number = number(), key = workspace.live_key) =>
  gateway.post('/v1/sms/send', key, { phone_number, message: 'Hello.' });
const lift = (prefix: string) =>
  gateway.operator('POST', `/workspaces/${workspace.workspace_id}/prefixes/${prefix}/lift`, {
    reason: 'Known campaign.',
  });

describe('a throttled prefix', () => {
  it('8: lets 10 one-time passwords through in its hour, counted from its start', async () => {
    await restrict({});
    for (let sent = 0; sent < 10; sent += 1) expect((await sendOtp()).status).toBe(200);
    gateway.clock.advance(20 * 60_000);
    const refused = await sendOtp();
    expect(refused.status).toBe(429);
    expect(refused.body.error).toMatchObject({ type: 'rate_limited', retry_after_seconds: 2_400 });
    expect(refused.headers['retry-after']).toBe('2400');
    expect((await sendOtp(number('234701'))).status).toBe(200);
    expect((await sendSms()).status).toBe(200);
    expect((await sendOtp(number(), workspace.test_key)).status).toBe(200);
    gateway.clock.advance(40 * 60_000);
    expect((await sendOtp()).status).toBe(200);
  });

  it('counts a new throttle from its own start', async () => {
    await restrict({});
    for (let sent = 0; sent < 11; sent += 1) await sendOtp();
    gateway.clock.advance(HOUR_MS);
    await restrict({});
    for (let sent = 0; sent < 10; sent += 1) expect((await sendOtp()).status).toBe(200);
    expect((await sendOtp()).status).toBe(429);
  });
});

describe('a blocked prefix', () => {
  it('8: a blocked prefix refuses every live send until it is lifted, which is audited', async () => {
    await restrict({ state: 'blocked', ends_at: null });
    for (const refused of [await sendOtp(), await sendSms()]) {
      expect(refused.status).toBe(403);
      expect(refused.body.error).toMatchObject({ type: 'prefix_blocked', field: 'phone_number' });
    }
    expect((await sendOtp(number(), workspace.test_key)).status).toBe(200);
    const lifted = await lift('+234803');
    expect(lifted.status).toBe(200);
    expect(lifted.body).toEqual({
      workspace_id: workspace.workspace_id,
      prefix: '234803',
      lifted: 'blocked',
    });
    expect((await sendOtp()).status).toBe(200);
    expect((await lift('234803')).status).toBe(404);
    const audited = await gateway.database.pool.query<{ effect: { reason: string } }>(
      `SELECT effect FROM audit_records WHERE status = 200 AND effect ->> 'reason' IS NOT NULL`,
    );
    expect(audited.rows.map(({ effect }) => effect.reason)).toEqual(['Known campaign.']);
  });

  it('refuses the first send and quote after a pause', async () => {
    const { body: otp } = await sendOtp();
    sent = acceptedRecord(gateway.billing.commands.get(otp.id)!);
    const call = (path: string, body: object) => gateway.post(path, workspace.live_key, body);
    const afterPause = async (first: () => Promise<Answer>) => {
      await restrict();
      decide({ state: 'blocked', ends_at: null });
      pause();
      return (await first()).body;
    };
    const resend = () => call(`/v1/otp/${otp.id}/resend`, {});
    for (const first of [sendOtp, sendSms, resend]) {
      const { error } = await afterPause(() => first());
      expect(error).toMatchObject({ type: 'prefix_blocked' });
    }
    const { gates } = await afterPause(() =>
      call('/v1/quote', { kind: 'otp', phone_number: number() }),
    );
    const refused = { gate: 'prefix', verdict: 'refuse', type: 'prefix_blocked' };
    expect(gates).toContainEqual(expect.objectContaining(refused));
  });

  it('is the workspace’s own affair', async () => {
    await restrict({ state: 'blocked', ends_at: null });
    const other = await gateway.newWorkspace(UNLIMITED);
    expect((await sendOtp(number(), other.live_key)).status).toBe(200);
  });
});
