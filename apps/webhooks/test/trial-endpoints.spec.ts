import type { ServerResponse } from 'node:http';
import { expect, it } from '@jest/globals';
import {
  type CreatedWebhook,
  type CreditEvent,
  type EndpointId,
  newId,
  routes,
} from '@watchword/contracts';
import { answer } from './receiver.kit.js';
import {
  ask,
  deliveriesOf,
  openScene,
  receiver,
  refusedAs,
  service,
  updateWebhook,
  workspaceId,
} from './scene.kit.js';
import { delivered, snapshot, whenSo } from './webhooks.kit.js';

openScene();

const create = (path = '/hook', is_trial = true) =>
  ask<CreatedWebhook>(routes.createWebhook, {
    body: { url: `${receiver.origin}${path}`, events: ['sms.delivered'] },
    is_trial,
  });

const event = () => delivered(workspaceId, { message: snapshot(workspaceId, { family: 'b' }) });

/** Returns the deliveries of the endpoint that wait for a test event. */
const heldBy = (id: EndpointId) => deliveriesOf(id, { event_type: 'sms.delivered' });

interface Body {
  sequence: number;
  data: { id?: string; test?: boolean };
}
const bodies = () => receiver.received.map(({ body }) => JSON.parse(body.toString('utf8')) as Body);
/** Returns what came: the number of an event, or that it was a test. */
const received = () => bodies().map(({ sequence, data }) => (data.test ? 'test' : sequence));

it('an endpoint of a trial gets a test event first, and what is held follows once it is answered with 2xx', async () => {
  receiver.respond = answer(500);
  const { id } = await create();
  await service.fanOut(event(), event());
  await whenSo(
    () => deliveriesOf(id),
    (all) => all.some(({ attempts }) => attempts.length === 1),
  );
  expect(received()).toEqual(['test']);
  const waits = { status: 'pending', next_attempt_at: null, attempts: [] };
  expect(await heldBy(id)).toMatchObject([waits, waits]);
  receiver.respond = answer(200);
  await service.fanOut(event());
  await service.pass(1_000);
  await whenSo(received, (all) => all.length === 5);
  expect(received().slice(0, 2)).toEqual(['test', 'test']);
  expect(received().slice(2).toSorted()).toEqual([1, 2, 4]);
});

it('tests that a trial asks for share its bound: ten at once, and no POST beyond', async () => {
  const { id } = await create();
  const open: ServerResponse[] = [];
  receiver.respond = (_received, response) => void open.push(response);
  const test = () => ask(routes.testWebhook, { id, body: {} });
  const tests = Array.from({ length: 10 }, test);
  await whenSo(
    () => open,
    (all) => all.length === 10,
  );
  await expect(test()).rejects.toEqual(refusedAs('rate_limit_exceeded'));
  for (const response of open) response.end();
  await Promise.all(tests);
  expect(open).toHaveLength(10);
});

it('an endpoint of a trial is tested again at another host, and not at another path', async () => {
  const { id } = await create();
  await ask(routes.testWebhook, { id, body: {} });
  const at = (url: string) => updateWebhook(id, { url }, { is_trial: true });
  await at(`${receiver.origin}/moved`);
  await service.fanOut(event());
  await whenSo(received, (all) => all.length === 2);
  await at(`${receiver.origin.replace('127.0.0.1', 'localhost')}/moved`);
  await service.fanOut(event());
  await whenSo(received, (all) => all.length === 4);
  expect(received()).toEqual([0, 1, 'test', 2]);
});

it('a purchase ends the bounds of a trial, and its endpoints get what was held', async () => {
  receiver.respond = answer(500);
  await create();
  await service.fanOut(event());
  await whenSo(received, (all) => all.length === 1);
  receiver.respond = answer(200);
  await service.purchased({
    type: 'credit.topped_up',
    workspace_id: workspaceId,
    entry_id: newId(),
    top_up_kind: 'purchase',
    credits: 1,
    balance_after: 1,
    occurred_at: new Date(service.clock.now()).toISOString(),
  } satisfies CreditEvent);
  await whenSo(received, (all) => all.includes(1));
  await create('/b', false);
  await create('/c', false);
  const all = await ask<{ data: unknown[] }>(routes.listWebhooks, { query: { limit: 50 } });
  expect(all.data).toHaveLength(3);
});

it('a delivery that is held fails when its endpoint is deleted or disabled', async () => {
  receiver.respond = answer(500);
  const { id } = await create();
  await service.fanOut(event());
  await updateWebhook(id, { status: 'disabled' }, { is_trial: true });
  expect(await heldBy(id)).toMatchObject([{ status: 'failed', attempts: [] }]);
});
