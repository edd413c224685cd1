import { beforeAll, describe, expect, it } from '@jest/globals';
import { UNLIMITED, type WorkspaceKeys } from './gateway.kit.js';
import { gateway, liftAddressLimits, useGateway } from './one-gateway.kit.js';

let workspace: WorkspaceKeys;

const SEND_OTP = { phone_number: '+2348031234567' };
const SEND_SMS = { phone_number: '+2348031234567', message: 'Hi' };
const NIL = '00000000-0000-0000-0000-000000000000';

useGateway();

beforeAll(async () => {
  await liftAddressLimits();
  workspace = await gateway.newWorkspace(UNLIMITED);
});

async function newKey(permission: string, mode = 'live'): Promise<{ key: string; key_id: string }> {
  const path = `/workspaces/${workspace.workspace_id}/keys`;
  return (await gateway.operator('POST', path, { mode, permission })).body;
}

describe('keys', () => {
  it.each([
    ['none', undefined],
    ['an empty one', ''],
    ['another scheme', 'Basic c3ZjOng='],
    ['no scheme', 'svc_live_00000000000000000000000000000000'],
    ['a malformed one', 'Bearer svc_live_short'],
    ['the wrong prefix', 'Bearer sk_live_00000000000000000000000000000000'],
    ['an unknown one', 'Bearer svc_live_00000000000000000000000000000000'],
    ['an unknown one again', 'Bearer svc_live_00000000000000000000000000000000'],
  ])('%s is 401 on every route that needs one', async (_name, authorization) => {
    const headers = authorization === undefined ? {} : { authorization };
    const answers = await Promise.all([
      gateway.post('/v1/otp/send', undefined, SEND_OTP, headers),
      gateway.post('/v1/otp/verify', undefined, {}, headers),
      gateway.post('/v1/sms/send', undefined, 'not even JSON', headers),
      gateway.get(`/v1/otp/${NIL}`, undefined, headers),
      gateway.get(`/v1/sms/${NIL}`, undefined, headers),
    ]);
    for (const { status, body, headers: sent } of answers) {
      expect([status, body.error.type]).toEqual([401, 'authentication_error']);
      expect(body.error.message).toBe(answers[0]?.body.error.message);
      expect(sent['www-authenticate']).toBe('Bearer');
    }
  });

  it('any case of the scheme will do', async () => {
    const headers = { authorization: `bearer ${workspace.live_key}` };
    expect((await gateway.post('/v1/otp/send', undefined, SEND_OTP, headers)).status).toBe(200);
  });

  it('a revoked one is refused on the very next request', async () => {
    const { key, key_id: id } = await newKey('full');
    expect((await gateway.post('/v1/otp/send', key, SEND_OTP)).status).toBe(200);
    expect((await gateway.operator('DELETE', `/keys/${id}`)).status).toBe(204);
    const refused = await gateway.post('/v1/otp/send', key, SEND_OTP);
    expect([refused.status, refused.body.error.type]).toEqual([401, 'authentication_error']);
  });

  it('a revocation wins against lookups that are under way', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { key, key_id: id } = await newKey('full');
      const early = [1, 2, 3].map(() => gateway.get(`/v1/otp/${NIL}`, key));
      expect((await gateway.operator('DELETE', `/keys/${id}`)).status).toBe(204);
      expect((await gateway.get(`/v1/otp/${NIL}`, key)).status).toBe(401);
      await Promise.all(early);
      expect((await gateway.get(`/v1/otp/${NIL}`, key)).status).toBe(401);
    }
  });

  it('are stored as a hash only', async () => {
    const { rows } = await gateway.database.pool.query('SELECT * FROM api_keys');
    const stored = JSON.stringify(rows);
    expect(stored).not.toContain(workspace.live_key);
    expect(stored).not.toContain(workspace.live_key.slice(13, 28));
  });
});

describe('permissions', () => {
  it.each([
    ['full', [200, 404, 404, 200, 404]],
    ['otp', [200, 404, 404, 403, 403]],
    ['sending', [403, 403, 403, 403, 403]],
    ['agent', [403, 403, 403, 403, 403]],
  ])('%s', async (permission, expected) => {
    const { key } = await newKey(permission);
    const answers = [
      await gateway.post('/v1/otp/send', key, SEND_OTP),
      await gateway.post('/v1/otp/verify', key, { otp_id: NIL, code: '1' }),
      await gateway.get(`/v1/otp/${NIL}`, key),
      await gateway.post('/v1/sms/send', key, SEND_SMS),
      await gateway.get(`/v1/sms/${NIL}`, key),
    ];
    expect(answers.map(({ status }) => status)).toEqual(expected);
    for (const { status, body } of answers) {
      if (status === 403) expect(body.error.type).toBe('permission_error');
    }
    expect((await gateway.get('/v1/pricing', key)).status).toBe(200);
  });
});

describe('a changed workspace', () => {
  it('is seen on the next request', async () => {
    const own = await gateway.newWorkspace(UNLIMITED);
    await gateway.post('/v1/otp/send', own.live_key, SEND_OTP);
    const path = `/workspaces/${own.workspace_id}`;
    await gateway.operator('PATCH', path, { name: 'Zenith', settings: { otp_max_attempts: 2 } });
    await gateway.post('/v1/otp/send', own.live_key, SEND_OTP);
    expect([...gateway.billing.commands.values()].at(-1)?.otp).toMatchObject({
      brand: 'Zenith',
      max_attempts: 2,
    });
  });
});
