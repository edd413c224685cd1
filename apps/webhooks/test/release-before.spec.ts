import { expect, it } from '@jest/globals';
import { newId } from '@watchword/contracts';
import { database, openScene, workspaceId } from './scene.kit.js';

openScene();

it('a replica of 0.2.0 publishes an event as this release does', async () => {
  const id = `evt_${newId()}`;
  const data = '{"sms_id":"1","note":",\\"data\\":"}';
  const head = `{"id":"${id}","type":"sms.delivered","created_at":"2026-01-05T09:00:00.500Z","data":${data}`;
  await database.pool.query(
    `SELECT FROM webhooks.fan_out_events(
       ARRAY[$1], ARRAY[$2::uuid], ARRAY['b'], ARRAY[false], ARRAY['2026-01-05T09:00:00.500Z'::timestamptz],
       ARRAY[NULL], ARRAY[NULL], ARRAY['sms.delivered'], ARRAY[$3], ARRAY[$4], ARRAY[NULL::uuid],
       ARRAY['sms.delivered'], ARRAY[]::uuid[], now(), now())`,
    [id, workspaceId, head, `{"event_id":"${id}","workspace_id":"${workspaceId}","data":${data}`],
  );
  const { rows } = await database.pool.query<{ body: string; payload: string }>(
    `SELECT variant_b_body AS body, payload FROM webhooks.events AS event
     JOIN webhooks.outbox AS message ON message.message_id = event.id WHERE event.id = $1`,
    [id],
  );
  const [row] = rows;
  expect(row!.body).toBe(`${head},"sequence":1}`);
  expect(row!.payload).toBe(
    `{"event_id":"${id}","workspace_id":"${workspaceId}","data":${data},"sequence":1}`,
  );
});
