import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { newId, type WorkspaceId } from '@watchword/contracts';
import { eventually, testDatabase, type TestDatabase } from '@watchword/testing';
import { WorkspaceRecords } from '../src/accounts/workspaces/workspace-records.handler.js';
import { WorkspaceStore } from '../src/accounts/workspaces/workspace.store.js';
import { gatewayService } from '../src/index.js';

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

it('billing ends up with the threshold that is stored, however its calls overtake each other', async () => {
  const told: (number | null)[] = [];
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  let calls = 0;
  const billing = {
    setLowBalanceThreshold: async ({ threshold }: { threshold: number | null }) => {
      calls += 1;
      if (calls === 1) await arrived;
      told.push(threshold);
      return {};
    },
    getAccounts: async () => ({ accounts: [] }),
  };
  const keys = { workspaceChanged: async () => undefined };
  const records = new WorkspaceRecords(store, billing as never, keys as never);
  const change = (threshold: number) =>
    records.change(id, { settings: { low_balance_threshold: threshold } }, 'owner');
  const first = change(100);
  await eventually(() => expect(calls).toBe(1));
  await change(200);
  arrive();
  await first;
  expect((await store.find(id))?.settings.low_balance_threshold).toBe(200);
  expect(told.at(-1)).toBe(200);
});
