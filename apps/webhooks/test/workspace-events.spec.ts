import { describe, expect, it } from '@jest/globals';
import { newId } from '@watchword/contracts';
import { createWebhook, database, openScene, reopen, service, workspaceId } from './scene.kit.js';
import { delivered, TestProcess } from './webhooks.kit.js';

openScene();

describe('the events of a workspace', () => {
  it('decisions 21: are published once each, in the order of their numbers, by racing processes', async () => {
    await reopen({ isPublished: true });
    const second = await TestProcess.open(database, { clock: service.clock, isPublished: true });
    const events = Array.from({ length: 60 }, () => delivered(workspaceId));
    await Promise.all(
      events.map((event, index) =>
        (index % 2 ? service : second).fanOut(event, delivered(newId())),
      ),
    );
    await service.fanOut(...events.slice(0, 5));
    const { rows } = await database.pool.query<{ payload: string }>(
      `SELECT payload FROM webhooks.message_queue WHERE topic = 'svc.workspace-events.v1' AND key = $1
       ORDER BY position`,
      [workspaceId],
    );
    const published = rows.map(({ payload }) => JSON.parse(payload) as Record<string, unknown>);
    expect(published.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
    expect(published[0]).toMatchObject({
      workspace_id: workspaceId,
      type: 'sms.delivered',
      test_mode: false,
      data: { sms_id: expect.any(String) },
    });
    expect((await kept())[0]).toEqual({ sequence: 1, b: false, published: 1 });
    await createWebhook(['*']);
    await service.fanOut(delivered(workspaceId));
    expect((await kept()).at(-1)).toEqual({ sequence: 61, b: true, published: 1 });
    await second.stop();
  });
});

/** What is kept of each event: its number, whether it has a body of variant B, and how often it is published. */
async function kept() {
  const { rows } = await database.pool.query<{ sequence: number; b: boolean; published: number }>(
    `SELECT sequence, variant_b_body IS NOT NULL AS b,
       (SELECT count(*) FROM webhooks.message_queue AS message WHERE message.message_id = event.id)
         AS published
     FROM webhooks.events AS event WHERE workspace_id = $1 ORDER BY sequence`,
    [workspaceId],
  );
  return rows;
}
