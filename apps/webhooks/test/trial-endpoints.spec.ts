import { describe, expect, it } from '@jest/globals';
import { type CreditEvent, newId } from '@watchword/contracts';
import { answer } from './receiver.kit.js';
import {
  calls,
  deliveriesOf,
  openScene,
  own,
  receiver,
  service,
  workspaceId,
} from './scene.kit.js';
import { delivered, snapshot, whenSo } from './webhooks.kit.js';

openScene();

const wanted = (path = '/hook') => ({
  ...own(),
  url: `${receiver.origin}${path}`,
  events: ['sms.delivered'],
  description: null,
  idempotency: null,
  trial: true,
});

async function create(path?: string) {
  const made = await calls().createWebhook(wanted(path));
  if (!('webhook' in made)) throw new Error(made.verdict);
  return made.webhook;
}

const put = (trial = true) =>
  calls().putWorkspaceEndpoint({ ...own(), url: `${receiver.origin}/a`, events: null, trial });

const event = () => delivered(workspaceId, { message: snapshot(workspaceId, { family: 'b' }) });

interface Body {
  sequence: number;
  data: { id?: string; test?: boolean };
}
const bodies = () => receiver.received.map(({ body }) => JSON.parse(body.toString('utf8')) as Body);
const sequences = () => bodies().map(({ sequence }) => sequence);

describe('an endpoint of a trial workspace', () => {
  it('gets a test event first, and what waits follows once it is answered with 2xx', async () => {
    receiver.respond = answer(500);
    const { id } = await create();
    await service.fanOut(event(), event());
    const tried = () =>
      deliveriesOf(id).then((all) => all.filter((one) => one.attempts.length > 0));
    await whenSo(tried, (all) => all.length === 1);
    expect(sequences()).toEqual([0]);
    const waits = { status: 'pending', next_attempt_at: null, attempts: [] };
    expect(await deliveriesOf(id)).toMatchObject([{ attempts: [{}] }, waits, waits]);
    receiver.respond = answer(200);
    await service.fanOut(event());
    await service.pass(1_000);
    await whenSo(sequences, (all) => all.length === 5);
    expect(sequences().toSorted()).toEqual([0, 0, 1, 2, 3]);
    expect(sequences().slice(0, 2)).toEqual([0, 0]);
  });

  it('follows a test that its owner asks for, too', async () => {
    receiver.respond = answer(404);
    const { id } = await create();
    await service.fanOut(event());
    await whenSo(sequences, (all) => all.length === 1);
    receiver.respond = answer(204);
    const tested = await calls().testWebhook({ ...own(), id, type: null, idempotency: null });
    expect(tested).toMatchObject({ delivery: { status: 'delivered' } });
    await whenSo(sequences, (all) => all.includes(1));
  });

  it('of variant A is tested in its own words', async () => {
    expect(await put()).toMatchObject({ verdict: 'done' });
    await service.fanOut(delivered(workspaceId));
    await whenSo(bodies, (all) => all.length === 2);
    expect(bodies()[0]).toMatchObject({
      event: 'credit_balance.topped_up',
      data: { workspace_id: workspaceId, test: true },
    });
    expect(bodies()[1]).toMatchObject({ sequence: 1 });
  });

  it('is tested anew at another host, and not at another path', async () => {
    const { id } = await create();
    await calls().testWebhook({ ...own(), id, type: null, idempotency: null });
    const at = (url: string) => calls().updateWebhook({ ...own(), id, url, trial: true });
    await at(`${receiver.origin}/moved`);
    await service.fanOut(event());
    await whenSo(sequences, (all) => all.length === 2);
    await at(`${receiver.origin.replace('127.0.0.1', 'localhost')}/moved`);
    await service.fanOut(event());
    await whenSo(sequences, (all) => all.length === 4);
    expect(sequences()).toEqual([0, 1, 0, 2]);
  });

  it('is one of two, counted with that of variant A', async () => {
    await create();
    await put();
    expect(await calls().createWebhook(wanted())).toEqual({ verdict: 'too_many' });
    await calls().deleteWorkspaceEndpoint(own());
    await create('/second');
    expect(await put()).toEqual({ verdict: 'too_many' });
    expect(await put(false)).toMatchObject({ verdict: 'done' });
  });

  it('has no bounds of a trial after a purchase, and gets what waited', async () => {
    receiver.respond = answer(500);
    await create();
    await service.fanOut(event());
    await whenSo(sequences, (all) => all.length === 1);
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
    await whenSo(sequences, (all) => all.includes(1));
    await calls().createWebhook({ ...wanted('/b'), trial: false });
    await calls().createWebhook({ ...wanted('/c'), trial: false });
    expect((await calls().listWebhooks(own())).data).toHaveLength(3);
  });
});

it('a delivery that waits for a test event fails when its endpoint is deleted or disabled', async () => {
  receiver.respond = answer(500);
  const { id } = await create();
  await service.fanOut(event());
  await calls().updateWebhook({ ...own(), id, status: 'disabled', trial: true });
  const [, waited] = await deliveriesOf(id);
  expect(waited).toMatchObject({ status: 'failed', attempts: [] });
});
