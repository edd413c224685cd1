import { beforeAll, describe, expect, it } from '@jest/globals';
import { UNLIMITED, type WorkspaceKeys } from './gateway.kit.js';
import { gateway, useGateway } from './one-gateway.kit.js';

const NUMBER = '+2348031234567';

let workspace: WorkspaceKeys;

useGateway();

beforeAll(async () => {
  workspace = await gateway.newWorkspace(UNLIMITED);
});

async function sentOtp(key = workspace.live_key): Promise<string> {
  return (await gateway.post('/v1/otp/send', key, { phone_number: NUMBER })).body.id;
}

const verify = (body: unknown, headers = {}, key = workspace.live_key) =>
  gateway.post('/v1/otp/verify', key, body, headers);

describe('POST /v1/otp/verify', () => {
  it('says 503, never 404, when it does not get there in time', async () => {
    const id = await sentOtp();
    const timer = setInterval(() => gateway.clock.advance(500), 5);
    gateway.dispatch.script.push(
      ...Array.from({ length: 400 }, () => ({ outcome: 'not_found' as const })),
    );
    const { status, headers } = await verify({ otp_id: id, code: '1' });
    clearInterval(timer);
    gateway.dispatch.script.length = 0;
    expect([status, headers['retry-after']]).toEqual([503, '1']);
  });
});
