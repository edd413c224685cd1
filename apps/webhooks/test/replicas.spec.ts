import { expect, it } from '@jest/globals';
import { newId } from '@watchword/contracts';
import { DeliveryStore } from '../src/deliveries/delivery.store.js';
import { database, openScene, receiver, service, workspaceId } from './scene.kit.js';
import { delivered } from './webhooks.kit.js';

openScene();

it('replicas that deliver are counted, and forgotten once they do not', async () => {
  const store = new DeliveryStore(database.pool);
  const [one, other] = [newId(), newId()];
  const seen = (id: string, seconds: number) =>
    store.replicas(id, new Date(seconds * 1_000), new Date((seconds - 15) * 1_000));
  expect([await seen(one, 100), await seen(other, 105), await seen(one, 110)]).toEqual([1, 2, 2]);
  expect(await seen(one, 121)).toBe(1);
  const { rows } = await database.pool.query('SELECT id FROM webhooks.replicas');
  expect(rows).toEqual([{ id: one }]);
});

it('a replica counts once it has delivered, also when nothing runs at its sweep, and writes nothing while idle', async () => {
  await database.pool.query('DELETE FROM webhooks.replicas');
  const seenAt = async () => {
    const { rows } = await database.pool.query<{ at: Date }>(
      'SELECT seen_at AS at FROM webhooks.replicas',
    );
    return rows.map(({ at }) => at.getTime());
  };
  await service.pass(0);
  expect(await seenAt()).toEqual([]);
  await service.putEndpoint(workspaceId, receiver.origin);
  await service.fanOut(delivered(workspaceId));
  await service.afterAttempts(workspaceId, 1);
  const nowMs = service.clock.now();
  await service.pass(0);
  await service.pass(5_000);
  expect(await seenAt()).toEqual([nowMs]);
});
