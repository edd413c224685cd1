import { afterAll, beforeAll, beforeEach, expect, it, jest } from '@jest/globals';
import { newId, type WorkspaceId } from '@watchword/contracts';
import { eventually, testDatabase, type TestDatabase } from '@watchword/testing';
import { WorkspaceRecords } from '../src/accounts/workspaces/workspace-records.handler.js';
import { WorkspaceStore } from '../src/accounts/workspaces/workspace.store.js';
import { gatewayService } from '../src/index.js';

const HOUR_MS = 3_600_000;
const KEPT = [
  ...(['hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const),
  ...(['setImmediate', 'clearImmediate', 'setInterval', 'clearInterval'] as const),
  ...(['setTimeout', 'clearTimeout'] as const),
];

let database: TestDatabase;
let store: WorkspaceStore;
let id: WorkspaceId;

beforeAll(async () => {
  const { migrations } = gatewayService;
  database = await testDatabase({ service: 'gateway', migrations });
  store = new WorkspaceStore(database.pool);
});
afterAll(() => database?.drop());

beforeEach(async () => {
  id = newId();
  const named = { id, name: 'One', billingCountry: 'NG' };
  const settings = { chosen: {}, floors: {} };
  const workspace = { ...named, settings, origin: 'operator' as const, trialCreditsPending: 0 };
  await store.insert(workspace, async () => undefined);
});

it('gateways whose clocks differ announce the changes of a workspace in their order', async () => {
  jest.useFakeTimers({ doNotFake: KEPT, now: Date.now() + HOUR_MS });
  try {
    await store.change(id, { suspension: 'Fraud' }, 'operator');
  } finally {
    jest.useRealTimers();
  }
  await store.change(id, { suspension: null }, 'operator');
  const { rows } = await database.pool.query<{ payload: string; occurredAt: Date }>(
    `SELECT payload, occurred_at AS "occurredAt" FROM message_queue WHERE key = $1 ORDER BY position`,
    [id],
  );
  type Event = { suspended: boolean; occurred_at: string };
  const events = rows.map(({ payload }) => JSON.parse(payload) as Event);
  expect(events.map(({ suspended }) => suspended)).toEqual([false, true, false]);
  const times = events.map(({ occurred_at: at }) => at);
  expect(times).toEqual(times.toSorted());
  expect(rows.map(({ occurredAt }) => occurredAt.toISOString())).toEqual(times);
});

it('billing ends up with the threshold that is stored, however its calls overtake each other', async () => {
  const sent: (number | null)[] = [];
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  let calls = 0;
  const billing = {
    setLowBalanceThreshold: async ({ threshold }: { threshold: number | null }) => {
      calls += 1;
      if (calls === 1) await arrived;
      sent.push(threshold);
      return {};
    },
    getAccounts: async () => ({ accounts: [] }),
  };
  const records = new WorkspaceRecords(store, billing as never);
  const change = (threshold: number) =>
    records.change(id, { settings: { low_balance_threshold: threshold } }, 'owner');
  const first = change(100);
  await eventually(() => expect(calls).toBe(1));
  await change(200);
  arrive();
  await first;
  expect((await store.find(id))?.settings.low_balance_threshold).toBe(200);
  expect(sent.at(-1)).toBe(200);
});
