import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { newId, type PrefixEvent, TOPICS, type WorkspaceId } from '@watchword/contracts';
import { createLogger } from '@watchword/observability';
import { FakeClock, testDatabase, type TestDatabase } from '@watchword/testing';
import { dispatchService } from '../src/index.js';
import { PrefixAnomalyJob } from '../src/fraud/prefix-guard/prefix-anomaly.job.js';
import { PrefixGuardRpc } from '../src/fraud/prefix-guard/prefix-guard.rpc.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let database: TestDatabase;
let clock: FakeClock;
let job: PrefixAnomalyJob;
let rpc: PrefixGuardRpc;
let workspaceId: WorkspaceId;

beforeAll(async () => {
  database = await testDatabase({
    service: 'dispatch',
    migrations: dispatchService.migrations,
    functions: dispatchService.functions,
    poolSize: 4,
  });
  clock = new FakeClock();
});

afterAll(() => database?.drop());

beforeEach(() => {
  workspaceId = newId();
  job = anotherProcess();
  rpc = new PrefixGuardRpc(database.pool, clock);
});

/** Each test has its own week. */
afterEach(() => clock.advance(9 * 24 * HOUR_MS));

const anotherProcess = () =>
  new PrefixAnomalyJob(database.pool, clock, createLogger({ service: 'test', level: 'silent' }));

interface Traffic {
  count: number;
  verified?: number;
  prefix?: string;
  minutesAgo?: number;
  testMode?: boolean;
  kind?: 'otp' | 'sms';
  /** Minutes ago of each message's resends. Null is one that was reserved and never charged. */
  resends?: (number | null)[];
}

/** Inserts messages as they are stored; how they came there does not matter here. */
async function sent(traffic: Traffic): Promise<void> {
  const { count, verified = 0, prefix = '234803', minutesAgo = 1 } = traffic;
  const { testMode = false, kind = 'otp', resends = [] } = traffic;
  const ago = (minutes: number) => new Date(clock.now() - minutes * MINUTE_MS);
  await database.pool.query(
    `INSERT INTO messages (
       id, workspace_id, kind, family, test_mode, destination, country_code, rewritten, encoding,
       segments, credits, price_rule, metadata, created_at, state, version, updated_at,
       verified_at, code_hash, expires_at, body, resends
     )
     SELECT gen_random_uuid(), $1, $7, 'a', $6, '+' || $3 || lpad(number::text, 7, '0'), 'NG', false,
       'GSM-7', 1, 5, 'country:NG@1', '{}', $5, 'sent', 1, $5,
       CASE WHEN number <= $4 THEN $5::timestamptz END,
       CASE WHEN $7 = 'otp' THEN 'hash' END, CASE WHEN $7 = 'otp' THEN $5::timestamptz END,
       CASE WHEN $7 = 'sms' THEN 'text' END, $8
     FROM generate_series(1, $2::integer) AS number`,
    [
      workspaceId,
      count,
      prefix,
      verified,
      ago(minutesAgo),
      testMode,
      kind,
      JSON.stringify(
        resends.map((minutes) => ({ startedAt: minutes === null ? null : ago(minutes) })),
      ),
    ],
  );
}

async function inForce() {
  const { restrictions } = await rpc.listPrefixRestrictions({ known_version: 0 });
  return restrictions!.filter((restriction) => restriction.workspace_id === workspaceId);
}

async function events(): Promise<PrefixEvent[]> {
  const { rows } = await database.pool.query<{ payload: string }>(
    'SELECT payload FROM message_queue WHERE topic = $1 AND key = $2 ORDER BY position',
    [TOPICS.prefixEvents.name, workspaceId],
  );
  return rows.map(({ payload }) => JSON.parse(payload) as PrefixEvent);
}

const check = async (afterMs = 5 * MINUTE_MS) => {
  clock.advance(afterMs);
  await job.run();
};

it('the check of prefixes throttles a prefix for an hour with one event, and no other prefix', async () => {
  await sent({ count: 40, verified: 7 });
  await sent({ count: 40, verified: 8, prefix: '234701' });
  await check();
  const at = clock.now();
  const throttled = {
    workspace_id: workspaceId,
    prefix: '234803',
    state: 'throttled',
    since: new Date(at).toISOString(),
    ends_at: new Date(at + HOUR_MS).toISOString(),
  };
  expect(await inForce()).toEqual([throttled]);
  await check();
  expect(await inForce()).toEqual([throttled]);
  expect(await events()).toEqual([
    {
      event_id: expect.stringMatching(/^evt_/),
      type: 'prefix.throttled',
      workspace_id: workspaceId,
      prefix: '234803',
      otp_count: 40,
      verified_count: 7,
      ends_at: throttled.ends_at,
      occurred_at: throttled.since,
    },
  ]);
  clock.advance(HOUR_MS);
  expect(await inForce()).toEqual([]);
});

it('8: the check of prefixes blocks a prefix on its second flag within a day', async () => {
  await sent({ count: 30 });
  await check();
  clock.advance(2 * HOUR_MS);
  await sent({ count: 30 });
  await check();
  expect(await inForce()).toMatchObject([{ state: 'blocked', ends_at: null }]);
  clock.advance(100 * HOUR_MS);
  await check();
  expect(await inForce()).toMatchObject([{ state: 'blocked' }]);
  expect((await events()).map(({ type }) => type)).toEqual(['prefix.throttled', 'prefix.blocked']);
});

it('8: the check of prefixes counts live one-time passwords of the last hour only', async () => {
  await sent({ count: 100, testMode: true });
  await sent({ count: 100, kind: 'sms' });
  await sent({ count: 100, minutesAgo: 56 });
  await sent({ count: 29 });
  await check();
  expect(await inForce()).toEqual([]);
});

it('the check of prefixes counts each resend that was sent, and a verified code once', async () => {
  await sent({ count: 10, minutesAgo: 90, resends: [20, 10, null] });
  await sent({ count: 9, resends: [1] });
  await check();
  expect(await events()).toMatchObject([{ otp_count: 38, verified_count: 0 }]);
  const prefix = '234701';
  await sent({ count: 10, verified: 6, prefix, resends: [1, 1] });
  await sent({ count: 10, verified: 5, prefix: '234702', resends: [1, 1] });
  await check();
  expect((await inForce()).map((one) => one.prefix).toSorted()).toEqual(['234702', '234803']);
});

it('8: the check of prefixes compares with the last week only', async () => {
  await sent({ count: 1_700, verified: 1_700, minutesAgo: 120 });
  await sent({ count: 30 });
  await check();
  expect(await inForce()).toEqual([]);
  clock.advance(7 * 24 * HOUR_MS - HOUR_MS - 5 * MINUTE_MS);
  await sent({ count: 30 });
  await check();
  expect(await inForce()).toHaveLength(1);
});

it('a restriction of a prefix is lifted once, and messages sent before no longer count', async () => {
  await sent({ count: 50 });
  await check();
  const request = { workspace_id: workspaceId, prefix: '234803' };
  const { version } = await rpc.listPrefixRestrictions({ known_version: 0 });
  expect(await rpc.liftPrefixRestriction(request)).toMatchObject({
    lifted: { ...request, state: 'throttled' },
  });
  expect(await rpc.liftPrefixRestriction(request)).toEqual({ lifted: null });
  const after = await rpc.listPrefixRestrictions({ known_version: version });
  expect(after.restrictions).not.toBeNull();
  expect(await inForce()).toEqual([]);
  await check();
  expect(await inForce()).toEqual([]);
  await sent({ count: 30, minutesAgo: 0 });
  await check();
  expect(await inForce()).toMatchObject([{ state: 'throttled' }]);
});
