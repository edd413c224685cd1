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
  it('counts the sends that were accepted before it', async () => {
    const sms = async (gateway: TestGateway, key: string) =>
      (await gateway.post('/v1/sms/send', key, { phone_number: NUMBER, message: 'Hi' })).status;
    const otp = async (gateway: TestGateway, key: string) =>
      (await gateway.post('/v1/otp/send', key, { phone_number: NUMBER })).status;
    const ended = await openGateway({}, database);
    const { live_key: key } = await ended.newWorkspace();
    for (let send = 0; send < 8; send += 1) expect(await sms(ended, key)).toBe(200);
    expect(await otp(ended, key)).toBe(200);
    // Keeps the restart out of the same millisecond; a real one takes longer.
    const sentAt = Date.now();
    await waitUntil('the next millisecond', () => Date.now() > sentAt);
    const after = await openGateway({}, database, {
      before: async ({ billing }) => {
        for (const [id, command] of ended.billing.commands) billing.commands.set(id, command);
      },
    });
    expect([await sms(after, key), await sms(after, key), await sms(after, key)]).toEqual([
      200, 200, 429,
    ]);
    expect([await otp(after, key), await otp(after, key), await otp(after, key)]).toEqual([
      200, 200, 429,
    ]);
    await after.app.close();
    await ended.app.close();
  });
});
