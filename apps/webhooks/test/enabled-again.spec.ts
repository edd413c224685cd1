import { expect, it } from '@jest/globals';
import { type EndpointId, newId } from '@watchword/contracts';
import { lockAwaited } from '@watchword/testing';
import { ClosingStore } from '../src/deliveries/closing.store.js';
import { EndpointCloser } from '../src/deliveries/endpoint-closer.js';
import { answer } from './receiver.kit.js';
import {
  ATTEMPT_MS,
  createWebhook,
  database,
  deliveriesOf,
  openScene,
  receiver,
  service,
  updateWebhook,
  workspaceId,
} from './scene.kit.js';
import { delivered, whenSo } from './webhooks.kit.js';

openScene({ deadlineMs: ATTEMPT_MS });

/** Disables an endpoint as an attempt does that is answered with 410. */
const DISABLE = `UPDATE webhooks.endpoints
  SET status = 'disabled', disabled_reason = 'gone', closing = true, version = version + 1
  WHERE id = $1`;

/** Publishes an event that the receiver refuses, so that its delivery waits for another attempt. */
async function withPending(id: EndpointId, count = 1): Promise<void> {
  receiver.respond = answer(500);
  await service.fanOut(delivered(workspaceId));
  await whenSo(
    () => deliveriesOf(id, { status: 'pending' }),
    (all) => all.length === count && all.every(({ attempts }) => attempts.length === 1),
  );
}

const statesOf = async (id: EndpointId) =>
  (await deliveriesOf(id)).map(({ status }) => status).toSorted();

it('a closer that found an endpoint disabled leaves it alone once it is enabled', async () => {
  const { id } = await createWebhook(['*']);
  await withPending(id);
  await database.pool.query(DISABLE, [id]);
  class LateStore extends ClosingStore {
    override async closing(max: number): Promise<EndpointId[]> {
      const found = await super.closing(max);
      await updateWebhook(id, { status: 'enabled' });
      await withPending(id);
      return found;
    }
  }
  await new EndpointCloser(new LateStore(database.pool)).closeRest();
  expect(await statesOf(id)).toEqual(['failed', 'pending']);
});

it.each(['a', 'b'] as const)(
  'an endpoint of variant %s that a 410 disables while it is enabled is not closed',
  async (variant) => {
    const id = variant === 'b' ? (await createWebhook(['*'])).id : newId<EndpointId>();
    const url = `${receiver.origin}/hook`;
    const enable = () =>
      variant === 'b'
        ? updateWebhook(id, { status: 'enabled' })
        : service.putEndpoint(workspaceId, url);
    if (variant === 'a') await service.putEndpoint(workspaceId, url);
    const { rows } = await database.pool.query<{ id: EndpointId }>(
      'SELECT id FROM webhooks.endpoints WHERE workspace_id = $1',
      [workspaceId],
    );
    let enabled: Promise<unknown> | undefined;
    await database.pool.transaction(async (transaction) => {
      await transaction.query(DISABLE, [rows[0]!.id]);
      enabled = enable();
      await lockAwaited(database.pool);
    });
    await enabled;
    const after = await database.pool.query(
      'SELECT status, closing FROM webhooks.endpoints WHERE workspace_id = $1',
      [workspaceId],
    );
    expect(after.rows).toEqual([{ status: 'enabled', closing: false }]);
  },
);
