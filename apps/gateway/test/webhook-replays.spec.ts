import { expect, it } from '@jest/globals';
import { newId } from '@watchword/contracts';
import { gateway, useGateway } from './one-gateway.kit.js';

const DAY_MS = 86_400_000;
const id = newId();

useGateway({}, undefined, {
  before: async ({ webhooks: { calls } }) => {
    calls.recoverWebhook = async ({ idempotency }) =>
      idempotency === null
        ? { verdict: 'too_old' }
        : { replayed: true, recovery: { id, status: 'done', total: 0, done: 0 } };
  },
});

it('a recovery is replayed although its time is more than 30 days ago by now', async () => {
  const { live_key: key } = await gateway.newWorkspace();
  const since = new Date(gateway.clock.now() - 30.5 * DAY_MS).toISOString();
  const recover = (headers: object) =>
    gateway.post(`/v1/webhooks/${newId()}/recover`, key, { since }, headers);
  const replayed = await recover({ 'idempotency-key': 'one' });
  expect([replayed.status, replayed.body.id]).toEqual([202, id]);
  expect(replayed.headers['idempotent-replayed']).toBe('true');
  const refused = await recover({});
  expect([refused.status, refused.body.error.field]).toEqual([400, 'since']);
});
