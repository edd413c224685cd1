import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newId, type SenderRecord, type WorkspaceId } from '@watchword/contracts';
import { type Kit, startKit } from './dispatch.kit.js';

let kit: Kit;

beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

const application = {
  countries: ['NG', 'KE'],
  registered_entity: 'Acme Ltd',
  registration_doc_url: null,
  use_case: 'Order updates',
  sample_message: 'Your order 1 is on its way.',
  notes: null,
};
const request = (workspaceId: WorkspaceId, senderId: string, more = {}) =>
  kit.calls.requestSender({
    workspace_id: workspaceId,
    sender_id: senderId,
    idempotency: null,
    ...application,
    ...more,
  });
const requested = async (workspaceId: WorkspaceId, senderId = 'Acme', more = {}) => {
  const made = await request(workspaceId, senderId, more);
  if (made.verdict !== 'created') throw new Error(made.verdict);
  return made.sender;
};
const review = (
  { id }: SenderRecord,
  status: SenderRecord['status'],
  countries = ['NG'],
  reason: string | null = null,
) => kit.calls.reviewSender({ id, status, countries, reason });
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
  expect(await review(sender, 'approved')).toMatchObject({ sender: { status: 'pending' } });
  expect((await finding(workspaceId, 'acme'))?.sender).toBe('usable');
  const decided = await review(sender, 'rejected', ['KE'], 'No letter');
  expect(decided).toMatchObject({
    sender: { status: 'approved', rejection_reason: 'No letter' },
  });
  expect((await finding(workspaceId, 'Acme', 'KE'))?.sender).toBe('barred');
  expect(await review(sender, 'active', ['NG'], 'The letter came')).toMatchObject({
    sender: { reviews: [{ country: 'NG', rejection_reason: null }, { country: 'KE' }] },
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
  expect(await request(workspaceId, 'Scam Pay')).toEqual({ verdict: 'duplicate' });
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
  const made = await Promise.all(['B2', 'B3', 'B4', 'B5'].map((one) => request(workspaceId, one)));
  expect(made.map(({ verdict }) => verdict).toSorted()).toEqual([
    ...['created', 'created', 'too_many', 'too_many'],
  ]);
});

it('decisions 19: a sender ID exists once by name, ignoring case, until every review is a rejection', async () => {
  const workspaceId = newId();
  const sender = await requested(workspaceId);
  expect(await request(workspaceId, 'ACME')).toEqual({ verdict: 'duplicate' });
  await review(sender, 'rejected', ['NG', 'KE'], 'No');
  expect((await request(workspaceId, 'ACME')).verdict).toBe('created');
  expect((await request(newId(), 'Acme')).verdict).toBe('created');
});

it('decisions 19: a sender ID changes while it is pending only, and keeps a country that is decided', async () => {
  const workspaceId = newId();
  const sender = await requested(workspaceId);
  const change = (countries: string[], owner = workspaceId) =>
    kit.calls.changeSender({ workspace_id: owner, id: sender.id, change: { countries } });
  expect(await change(['NG', 'ZA'], newId())).toEqual({ verdict: 'not_found' });
  expect(await change(['NG', 'ZA'])).toMatchObject({ sender: { countries: ['NG', 'ZA'] } });
  const reordered = ['KE', 'NG', 'ZA'];
  expect(await change(reordered)).toMatchObject({ sender: { countries: reordered } });
  expect(await change(['ZA', 'NG'])).toMatchObject({ sender: { countries: ['ZA', 'NG'] } });
  await review(sender, 'approved', ['NG']);
  expect(await change(['ZA'])).toEqual({ verdict: 'decided_country' });
  await review(sender, 'approved', ['ZA']);
  expect(await change(['NG', 'ZA', 'KE'])).toEqual({ verdict: 'not_pending' });
});
