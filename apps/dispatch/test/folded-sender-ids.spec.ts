import { expect, it } from '@jest/globals';
import { newId } from '@watchword/contracts';
import { migrate } from '@watchword/postgres';
import { testDatabase } from '@watchword/testing';
import { dispatchService } from '../src/index.js';
import { FoldedColumns1797000120000 } from '../src/migrations/folded-sender-ids.migration.js';
import { DestinationStore } from '../src/registrations/do-not-disturb/destination.store.js';

const NUMBER = '+2348031234567';

it('reviews and opt-outs that were stored before sender IDs were folded apply to each spelling', async () => {
  const { migrations } = dispatchService;
  const earlier = migrations.slice(0, migrations.indexOf(FoldedColumns1797000120000));
  const database = await testDatabase({ service: 'dispatch', migrations: earlier });
  const [workspaceId, senderRow] = [newId(), newId()];
  await database.pool.query(
    `INSERT INTO sender_ids (id, workspace_id, sender_id, registered_entity, use_case,
       sample_message, created_at, updated_at)
     VALUES ($1, $2, 'Scam Pay', '', '', '', now(), now())`,
    [senderRow, workspaceId],
  );
  await database.pool.query(
    `INSERT INTO sender_reviews VALUES ($1, 'NG', 'rejected', 'No', false, now())`,
    [senderRow],
  );
  await database.pool.query(
    `INSERT INTO opt_outs (id, workspace_id, destination, sender_id, created_at)
     SELECT id, $1, $2, sender_id, now() FROM unnest($3::uuid[], $4::text[]) AS t (id, sender_id)`,
    [workspaceId, NUMBER, [newId(), newId(), newId()], ['Acme.', 'A-cme', '']],
  );
  const { functions } = dispatchService;
  await migrate({
    adminUrl: database.adminUrl,
    passwords: { dispatch: 'test' },
    plans: [{ schema: 'dispatch', migrations, functions }],
  });
  const store = new DestinationStore(database.pool);
  const judge = async (senderId: string | null) => {
    const asked = { workspace_id: workspaceId, country_code: 'NG', destination: NUMBER };
    const [found] = await store.judge([{ ...asked, sender_id: senderId }], new Date());
    return [found?.sender, found?.refusal];
  };
  expect(await judge('ScamPay')).toEqual(['barred', null]);
  expect(await judge('ACME')).toEqual(['unregistered', 'opted_out']);
  expect(await judge(null)).toEqual(['unregistered', 'opted_out']);
  expect(await store.listOptOuts(workspaceId, 10, null)).toMatchObject([
    { sender_id: null },
    { sender_id: 'Acme.' },
  ]);
  expect(await store.deleteOptOuts(workspaceId, NUMBER, 'acme')).toBe(1);
  await database.drop();
});
