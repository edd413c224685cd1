import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newId, routes, type SenderId, type WorkspaceId } from '@watchword/contracts';
import { type Kit, startKit } from './dispatch.kit.js';

let kit: Kit;

beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

const application = {
  countries: ['NG', 'KE'],
  registered_entity: 'Acme Ltd',
  use_case: 'Order updates',
  sample_message: 'Your order 1 is on its way.',
};
const BOUGHT = { purchased_credits: 10_000 };
const request = (workspaceId: WorkspaceId, senderId = 'Acme') =>
  kit.serve<SenderId>(routes.requestSenderId, {
    ...{ workspace_id: workspaceId, ...BOUGHT },
    body: { sender_id: senderId, ...application },
  });
const requested = async (workspaceId: WorkspaceId, senderId = 'Acme') =>
  (await request(workspaceId, senderId)).body!;
const review = async (
  { id }: SenderId,
  status: SenderId['status'],
  countries = ['NG'],
  reason?: string,
) => {
  const body = { status, countries, ...(reason !== undefined && { reason }) };
  return (await kit.serve<SenderId>(routes.reviewSenderId, { parameters: { id }, body })).body!;
};
const TAKEN = { type: 'conflict', field: 'sender_id' };
const finding = async (workspaceId: WorkspaceId, senderId: string, country = 'NG') => {
  const question = {
    workspace_id: workspaceId,
    sender_id: senderId,
    country_code: country,
    destination: '+2348031234567',
  };
  return (await kit.calls.judgeDestinations({ questions: [question] })).findings[0];
};

it('decisions 19: sender IDs are pending in each country until decided, and usable from approval on', async () => {
  const workspaceId = newId();
  const sender = await requested(workspaceId);
  expect(sender).toMatchObject({ status: 'pending', countries: ['NG', 'KE'] });
  expect((await finding(workspaceId, 'ACME'))?.sender).toBe('unregistered');
  expect(await review(sender, 'approved')).toMatchObject({ status: 'pending' });
  expect((await finding(workspaceId, 'acme'))?.sender).toBe('usable');
  const decided = await review(sender, 'rejected', ['KE'], 'No letter');
  expect(decided).toMatchObject({ status: 'approved', rejection_reason: 'No letter' });
  expect((await finding(workspaceId, 'Acme', 'KE'))?.sender).toBe('barred');
  expect(await review(sender, 'active', ['NG'], 'The letter came')).toMatchObject({
    reviews: [{ country: 'NG', rejection_reason: null }, { country: 'KE' }],
  });
  await review(sender, 'suspended', ['NG'], 'Complaints');
  expect((await finding(workspaceId, 'Acme'))?.sender).toBe('barred');
});

it('decisions 28: sender IDs are barred in every spelling once they are rejected', async () => {
  const workspaceId = newId();
  await review(await requested(workspaceId, 'ScamPay'), 'rejected', ['NG'], 'No');
  for (const name of ['Scam Pay', 'ScamPay.', 'sc-amp_ay', 'SCAMPAY', ' ScamPay ']) {
    expect((await finding(workspaceId, name))?.sender).toBe('barred');
  }
  expect((await finding(workspaceId, 'ScamPay2'))?.sender).toBe('unregistered');
  await expect(request(workspaceId, 'Scam Pay')).rejects.toMatchObject(TAKEN);
});

it('decisions 28: sender IDs are limited to 100 in a workspace, also when requests come at once', async () => {
  const workspaceId = newId();
  await kit.database.pool.query(
    `INSERT INTO sender_ids (id, workspace_id, sender_id, registered_entity, use_case,
         sample_message, created_at, updated_at, folded)
       SELECT gen_random_uuid(), $1, 'A' || number, '', '', '', now(), now(), 'a' || number
       FROM generate_series(1, 98) AS number`,
    [workspaceId],
  );
  const requests = ['B2', 'B3', 'B4', 'B5'].map((one) => request(workspaceId, one));
  const made = await Promise.allSettled(requests);
  expect(made.map(({ status }) => status).toSorted()).toEqual([
    ...['fulfilled', 'fulfilled', 'rejected', 'rejected'],
  ]);
});

it('decisions 19: a sender ID exists once by name, ignoring case, until every review is a rejection', async () => {
  const workspaceId = newId();
  const sender = await requested(workspaceId);
  await expect(request(workspaceId, 'ACME')).rejects.toMatchObject(TAKEN);
  await review(sender, 'rejected', ['NG', 'KE'], 'No');
  expect((await requested(workspaceId, 'ACME')).status).toBe('pending');
  expect((await requested(newId(), 'Acme')).status).toBe('pending');
});

it('decisions 19: a sender ID changes while it is pending only, and keeps a country that is decided', async () => {
  const workspaceId = newId();
  const sender = await requested(workspaceId);
  const change = async (countries: string[], owner = workspaceId) => {
    const asked = { workspace_id: owner, parameters: { id: sender.id }, body: { countries } };
    return (await kit.serve<SenderId>(routes.updateSenderId, asked)).body;
  };
  await expect(change(['NG', 'ZA'], newId())).rejects.toMatchObject({ type: 'not_found' });
  expect(await change(['NG', 'ZA'])).toMatchObject({ countries: ['NG', 'ZA'] });
  const reordered = ['KE', 'NG', 'ZA'];
  expect(await change(reordered)).toMatchObject({ countries: reordered });
  expect(await change(['ZA', 'NG'])).toMatchObject({ countries: ['ZA', 'NG'] });
  await review(sender, 'approved', ['NG']);
  await expect(change(['ZA'])).rejects.toMatchObject({ type: 'conflict', field: 'countries' });
  await review(sender, 'approved', ['ZA']);
  await expect(change(['NG', 'ZA', 'KE'])).rejects.toMatchObject({ type: 'conflict' });
});

it('a request is replayed by its key although the purchases have shrunk', async () => {
  const workspaceId = newId();
  const claim = { scope: 'live POST /v1/sender-ids', key: 'k', fingerprint: 'f' };
  const body = { sender_id: 'Acme', ...application };
  const ask = (purchased_credits: number) =>
    kit.serve(routes.requestSenderId, {
      ...{ workspace_id: workspaceId, purchased_credits, body, claim },
    });
  await expect(ask(9_999)).rejects.toMatchObject({ type: 'permission_error' });
  const first = await ask(10_000);
  expect(await ask(9_999)).toEqual({ ...first, replayed: true });
});
