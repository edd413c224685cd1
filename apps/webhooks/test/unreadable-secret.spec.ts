import { expect, it, jest } from '@jest/globals';
import { newId } from '@watchword/contracts';
import { answer } from './receiver.kit.js';
import { database, openScene, receiver, service, workspaceId } from './scene.kit.js';
import { delivered, whenSo } from './webhooks.kit.js';

openScene();

const MINUTE_MS = 60_000;

it('a secret that no key opens stops the deliveries of its own endpoint only', async () => {
  const other = newId();
  const url = `${receiver.origin}/hook`;
  receiver.respond = answer(200);
  for (const each of [workspaceId, other]) await service.putEndpoint(each, url);
  const secret = async (value: Buffer) => {
    const { rows } = await database.pool.query<{ secret: Buffer }>(
      'SELECT secret FROM webhooks.endpoints WHERE workspace_id = $1',
      [workspaceId],
    );
    await database.pool.query('UPDATE webhooks.endpoints SET secret = $2 WHERE workspace_id = $1', [
      workspaceId,
      value,
    ]);
    return rows[0]!.secret;
  };
  const readable = await secret(Buffer.alloc(64, 2));
  await service.fanOut(delivered(workspaceId), delivered(other));
  await service.afterAttempts(other, 1);
  expect(await service.deliveries(workspaceId)).toMatchObject([
    { status: 'pending', attempt_count: 0 },
  ]);
  expect(service.scheduler.restingEndpoints()).toHaveLength(1);

  await secret(readable);
  const now = performance.now.bind(performance);
  const later = jest.spyOn(performance, 'now').mockImplementation(() => now() + MINUTE_MS);
  try {
    await service.pass(MINUTE_MS);
    await whenSo(
      () => service.deliveries(workspaceId),
      ([first]) => first?.status === 'delivered',
    );
  } finally {
    later.mockRestore();
  }
});
