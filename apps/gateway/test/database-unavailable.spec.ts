import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openServiceDatabase, type ServiceDatabase } from '@watchword/postgres';
import { eventually, testDatabase, type TestDatabase, Way } from '@watchword/testing';
import { gatewayService } from '../src/index.js';
import {
  type Answer,
  openGateway,
  type TestGateway,
  UNLIMITED,
  type WorkspaceKeys,
} from './gateway.kit.js';

let database: TestDatabase;
let way: Way;
let through: ServiceDatabase;
let gateway: TestGateway;
let workspace: WorkspaceKeys;

beforeAll(async () => {
  const { migrations } = gatewayService;
  database = await testDatabase({ service: 'gateway', migrations });
  way = await Way.to(database.adminUrl);
  through = openServiceDatabase({
    service: 'gateway',
    url: way.url(database.url),
    poolSize: 4,
    statementTimeoutMs: 500,
  });
  gateway = await openGateway({}, { ...database, ...through });
  workspace = await gateway.newWorkspace(UNLIMITED);
});

afterAll(async () => {
  way?.goOn();
  await gateway?.close();
  await through?.close();
  await way?.cut();
});

const ask = () => gateway.get('/v1/balance', workspace.live_key);

/** A key stays in memory for two seconds after the last contact with the database. */
async function refused(): Promise<Answer> {
  return eventually(async () => {
    const answer = await ask();
    expect(answer.status).toBe(503);
    return answer;
  });
}

async function answered(): Promise<void> {
  await eventually(async () => expect((await ask()).status).toBe(200));
}

function expectDocumented({ headers, body }: Answer): void {
  expect(headers['retry-after']).toBe('1');
  expect(body.error).toEqual({
    type: 'internal_error',
    message: expect.any(String),
    request_id: expect.any(String),
  });
}

describe('a gateway whose database is unavailable answers 503 with Retry-After', () => {
  it('while connections are refused, and works when the server is back', async () => {
    await answered();
    await way.cut();
    expectDocumented(await refused());
    await way.open();
    await answered();
  });

  it('while the server hangs, after the time-out, and works when it continues', async () => {
    way.hang();
    expectDocumented(await refused());
    way.goOn();
    await answered();
  });
});
