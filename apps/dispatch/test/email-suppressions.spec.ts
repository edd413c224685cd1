import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import {
  newId,
  type SuppressionOrigin,
  type SuppressionScope,
  type WorkspaceId,
} from '@watchword/contracts';
import { KeyedAnswers } from '@watchword/platform';
import { type TestDatabase, testDatabase } from '@watchword/testing';
import { dispatchService } from '../src/index.js';
import { EmailSuppressionStore } from '../src/registrations/suppressions/email-suppression.store.js';
import { SuppressionsController } from '../src/registrations/suppressions/suppressions.controller.js';

let database: TestDatabase;
let store: EmailSuppressionStore;
let controller: SuppressionsController;
let workspaceId: WorkspaceId;

beforeAll(async () => {
  const { migrations, functions } = dispatchService;
  database = await testDatabase({ service: 'dispatch', migrations, functions, poolSize: 4 });
  store = new EmailSuppressionStore(database.pool);
  const keyed = new KeyedAnswers(database.pool, { now: () => Date.now() });
  controller = new SuppressionsController(database.pool, keyed);
});
afterAll(() => database.drop());
beforeEach(() => {
  workspaceId = newId();
});

const entry = (
  address: string,
  origin: SuppressionOrigin = 'bounce',
  scope: SuppressionScope = 'all',
) => ({ workspaceId, address, origin, scope, at: new Date() });
const caller = () => ({ workspace_id: workspaceId, test_mode: null });
const list = async () => (await controller.list(caller(), { limit: 50 })).body?.data;
const remove = (address: string) => controller.delete(caller(), address, {});

it('suppressed email addresses are found by workspace, address and category', async () => {
  await store.add([
    entry('all@example.com'),
    entry('news@example.com', 'unsubscribe', 'marketing'),
  ]);
  const question = (
    address: string,
    category: 'transactional' | 'marketing',
    of = workspaceId,
  ) => ({ workspaceId: of, address, category });
  expect(
    await store.suppressed([
      question('ALL@example.com', 'transactional'),
      question('news@example.com', 'transactional'),
      question('news@example.com', 'marketing'),
      question('other@example.com', 'marketing'),
      question('all@example.com', 'marketing', newId()),
    ]),
  ).toEqual([true, false, true, false, false]);
  const asked = { workspace_id: workspaceId, domain: 'example.com' };
  const addresses = ['other@example.com', 'All@example.com', 'news@example.com'];
  expect(
    await controller.judgeEmails({
      questions: [
        { ...asked, addresses, category: 'transactional' },
        { ...asked, addresses: [], category: 'transactional' },
        { ...asked, addresses, category: 'marketing' },
      ],
    }),
  ).toEqual({
    findings: [
      { is_verified: false, suppressed: ['All@example.com'] },
      { is_verified: false, suppressed: [] },
      { is_verified: false, suppressed: ['All@example.com', 'news@example.com'] },
    ],
  });
});

it('a suppressed email address is deleted in every scope, after a complaint by operators only', async () => {
  await store.add([
    entry('ada@example.com'),
    entry('ada@example.com', 'unsubscribe', 'marketing'),
    entry('bob@example.com', 'complaint'),
  ]);
  expect(await remove('Ada@example.com')).toEqual({});
  await expect(remove('ada@example.com')).rejects.toMatchObject({ type: 'not_found' });
  await expect(remove('bob@example.com')).rejects.toMatchObject({ type: 'conflict' });
  const byOperator = await controller.deleteOfWorkspace(caller(), 'bob@example.com');
  expect(byOperator.effect).toEqual({ workspace_id: workspaceId, address: 'b•••••@example.com' });
  expect(await list()).toEqual([]);
});

it('parallel suppressions of the same email address make one entry', async () => {
  const addresses = Array.from({ length: 20 }, (_, index) => `n${index}@example.com`);
  await Promise.all(
    Array.from({ length: 8 }, (_, round) =>
      store.add((round % 2 ? addresses : addresses.toReversed()).map((address) => entry(address))),
    ),
  );
  expect(await list()).toHaveLength(20);
});
