import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  newId,
  type SenderApplication,
  type SenderEvent,
  type SenderRecord,
  TOPICS,
  type WorkspaceId,
} from '@watchword/contracts';
import { fingerprintOf, type Kit, startKit } from './dispatch.kit.js';

describe('sender IDs', () => {
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

  it('decisions 19: are pending in each country until decided, and usable from approval on', async () => {
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

  it('are found again by the key of their request', async () => {
    const workspaceId = newId();
    const idempotency = { scope: 's', key: 'k', fingerprint: fingerprintOf('a') };
    const find = (fingerprint = idempotency.fingerprint) =>
      kit.calls.findRequestedSender({
        workspace_id: workspaceId,
        idempotency: { ...idempotency, fingerprint },
      });
    expect(await find()).toEqual({ sender: null, is_conflict: false });
    const sender = await requested(workspaceId, 'Acme', { idempotency });
    expect(await find()).toEqual({ sender, is_conflict: false });
    expect(await find(fingerprintOf('b'))).toEqual({ sender: null, is_conflict: true });
  });

  it('decisions 19: announce one event for each country that is approved or rejected', async () => {
    const workspaceId = newId();
    const sender = await requested(workspaceId);
    await review(sender, 'approved', ['NG', 'KE']);
    await review(sender, 'active', ['NG']);
    const { rows } = await kit.database.pool.query<{ payload: string }>(
      'SELECT payload FROM message_queue WHERE topic = $1 AND key = $2 ORDER BY position',
      [TOPICS.registrationEvents.name, workspaceId],
    );
    const events = rows.map(({ payload }) => JSON.parse(payload) as SenderEvent);
    expect(events.map(({ type, country }) => [type, country])).toEqual([
      ['sender_id.approved', 'NG'],
      ['sender_id.approved', 'KE'],
    ]);
  });

  it('decisions 19: refuse illegal steps and unknown countries without any effect', async () => {
    const sender = await requested(newId());
    expect(await review(sender, 'active')).toEqual({
      verdict: 'illegal_step',
      country: 'NG',
      current: 'pending',
    });
    expect(await review(sender, 'approved', ['NG', 'ZA'])).toEqual({
      verdict: 'unknown_country',
      country: 'ZA',
      current: null,
    });
    const { data } = await kit.calls.listSenders({ workspace_id: sender.workspace_id });
    expect(data[0]?.reviews.map(({ status }) => status)).toEqual(['pending', 'pending']);
  });

  it('decisions 28: are barred in every spelling once they are rejected', async () => {
    const workspaceId = newId();
    await review(await requested(workspaceId, 'ScamPay'), 'rejected', ['NG'], 'No');
    for (const name of ['Scam Pay', 'ScamPay.', 'sc-amp_ay', 'SCAMPAY', ' ScamPay ']) {
      expect((await finding(workspaceId, name))?.sender).toBe('barred');
    }
    expect((await finding(workspaceId, 'ScamPay2'))?.sender).toBe('unregistered');
    expect(await request(workspaceId, 'Scam Pay')).toEqual({ verdict: 'duplicate' });
  });

  it('decisions 28: are limited to 100 in a workspace, also when requests come at once', async () => {
    const workspaceId = newId();
    await kit.database.pool.query(
      `INSERT INTO sender_ids (id, workspace_id, sender_id, registered_entity, use_case,
         sample_message, created_at, updated_at, folded)
       SELECT gen_random_uuid(), $1, 'A' || number, '', '', '', now(), now(), 'a' || number
       FROM generate_series(1, 98) AS number`,
      [workspaceId],
    );
    const made = await Promise.all(
      ['B2', 'B3', 'B4', 'B5'].map((one) => request(workspaceId, one)),
    );
    expect(made.map(({ verdict }) => verdict).toSorted()).toEqual([
      ...['created', 'created', 'too_many', 'too_many'],
    ]);
  });

  it('decisions 28: keep their reviewed texts once a country is decided', async () => {
    const workspaceId = newId();
    const sender = await requested(workspaceId);
    const change = (wanted: Partial<SenderApplication>) =>
      kit.calls.changeSender({ workspace_id: workspaceId, id: sender.id, change: wanted });
    const texts = { registered_entity: 'A', use_case: 'B', sample_message: 'C' };
    expect(await change(texts)).toMatchObject({ verdict: 'changed', sender: texts });
    await review(sender, 'approved', ['NG']);
    for (const [text, value] of Object.entries(texts)) {
      const other = { [text]: `${value}2`, notes: 'Never kept' };
      expect(await change(other)).toEqual({ verdict: 'reviewed_texts_fixed' });
    }
    const rest = { ...texts, notes: 'For KE', countries: ['NG', 'KE', 'GH'] };
    expect(await change(rest)).toMatchObject({ verdict: 'changed', sender: rest });
  });

  it('decisions 19: exist once by name, letter case ignored, until every review is a rejection', async () => {
    const workspaceId = newId();
    const sender = await requested(workspaceId);
    expect(await request(workspaceId, 'ACME')).toEqual({ verdict: 'duplicate' });
    await review(sender, 'rejected', ['NG', 'KE'], 'No');
    expect((await request(workspaceId, 'ACME')).verdict).toBe('created');
    expect((await request(newId(), 'Acme')).verdict).toBe('created');
  });

  it('decisions 19: change while pending only, and keep a country that is decided', async () => {
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

  it('replay a request with its key', async () => {
    const workspaceId = newId();
    const idempotency = { scope: 's', key: 'k', fingerprint: fingerprintOf('a') };
    const sender = await requested(workspaceId, 'Acme', { idempotency });
    expect(await request(workspaceId, 'Acme', { idempotency })).toEqual({
      verdict: 'created',
      replayed: true,
      sender,
    });
  });

  it('are listed for review by status and country', async () => {
    const workspaceId = newId();
    const sender = await requested(workspaceId);
    const listed = async (status: SenderRecord['status'] | null, country: string | null) => {
      const asked = { workspace_id: workspaceId, limit: 10, before_id: null, status, country };
      return (await kit.calls.listSendersToReview(asked)).data.map(({ id }) => id);
    };
    expect(await listed('pending', 'NG')).toEqual([sender.id]);
    expect(await listed('pending', 'ZA')).toEqual([]);
    expect(await listed('approved', null)).toEqual([]);
    await review(sender, 'approved', ['NG']);
    expect(await listed('approved', 'NG')).toEqual([sender.id]);
    expect(await listed('pending', 'NG')).toEqual([]);
    expect(await listed('pending', 'KE')).toEqual([sender.id]);
    expect(await listed('pending', null)).toEqual([sender.id]);
  });
});
