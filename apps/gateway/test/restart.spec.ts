import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testDatabase, type TestDatabase, waitUntil } from '@watchword/testing';
import { gatewayService } from '../src/index.js';
import { openGateway, type TestGateway } from './gateway.kit.js';

const NUMBER = '+2348031234567';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase({ service: 'gateway', migrations: gatewayService.migrations });
});

afterAll(() => database?.drop());

describe('a restart', () => {
  it('does not forget what was counted', async () => {
    const send = async (gateway: TestGateway, key: string) =>
      (await gateway.post('/v1/otp/send', key, { phone_number: NUMBER })).status;
    const before = await openGateway({}, database);
    const { live_key: key } = await before.newWorkspace();
    expect([await send(before, key), await send(before, key)]).toEqual([200, 200]);
    await before.app.close();
    const after = await openGateway({}, database);
    expect([await send(after, key), await send(after, key)]).toEqual([200, 429]);
    await after.app.close();
  });

  it('after a crash counts what was accepted since the last snapshot', async () => {
    const sms = async (gateway: TestGateway, key: string) =>
      (await gateway.post('/v1/sms/send', key, { phone_number: NUMBER, message: 'Hi' })).status;
    const crashed = await openGateway({}, database);
    const { live_key: key } = await crashed.newWorkspace();
    for (let send = 0; send < 8; send += 1) expect(await sms(crashed, key)).toBe(200);
    // Keeps the restart out of the same millisecond; a real one takes longer.
    const sentAt = Date.now();
    await waitUntil('the next millisecond', () => Date.now() > sentAt);
    // The gateway stops without a last write, so the snapshot is as old as after a crash.
    const forgetful = 'UPDATE gateway.rate_limit_snapshot SET windows = $1, taken_at = $2';
    const after = await openGateway({}, database, {
      before: async ({ billing }) => {
        for (const [id, command] of crashed.billing.commands) billing.commands.set(id, command);
        await database.pool.query(forgetful, ['[]', new Date(Date.now() - 60_000)]);
      },
    });
    expect([await sms(after, key), await sms(after, key), await sms(after, key)]).toEqual([
      200, 200, 429,
    ]);
    await after.app.close();
    await crashed.app.close();
  });
});
