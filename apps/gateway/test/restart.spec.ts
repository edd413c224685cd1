import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testDatabase, type TestDatabase } from '@watchword/testing';
import { gatewayService } from '../src/index.js';
import { openGateway, type TestGateway } from './gateway.kit.js';

const NUMBER = '+2348031234567';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase({ service: 'gateway', migrations: gatewayService.migrations });
}, 60_000);

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
});
