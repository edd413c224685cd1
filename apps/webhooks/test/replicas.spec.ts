import { expect, it } from '@jest/globals';
import { newId } from '@watchword/contracts';
import { DeliveryStore } from '../src/deliveries/delivery.store.js';
import { database, openScene } from './scene.kit.js';

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
