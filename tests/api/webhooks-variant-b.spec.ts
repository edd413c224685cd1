/** Webhooks of variant B: interface 2.11 and 6.2; decisions 4, 8, 17, 21, 24 and 25. */
import { afterAll, describe, expect, it } from '@jest/globals';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { magicNumber } from '../support/numbers.js';
import { WebhookReceiver, type Received } from '../support/receiver.js';
import { type Customer, expectError, unknownId, useSystem } from '../support/suite.js';
import { waitUntil } from '../support/wait-until.js';

const suite = useSystem();
const receivers: WebhookReceiver[] = [];

afterAll(async () => {
  for (const receiver of receivers) await receiver.close();
});

async function receiverOf(): Promise<WebhookReceiver> {
  const receiver = await WebhookReceiver.start();
  receivers.push(receiver);
  return receiver;
}

async function subscriber(events: string[], customer?: Customer) {
  const owner = customer ?? (await suite.customer());
  const receiver = await receiverOf();
  const created = await owner.post('/v1/webhooks', { url: `${receiver.url}/b`, events });
  expect(created.status).toBe(201);
  return { customer: owner, receiver, webhook: created.json };
}

const patch = (customer: Customer, path: string, body: object) =>
  suite.http.patch(path, body, { key: customer.liveKey });

const arrival = (receiver: WebhookReceiver, type: string, count = 1) =>
  waitUntil(`${count} ${type}`, () => {
    const found = receiver.received.filter(({ json }) => json.type === type);
    return found.length >= count ? found : undefined;
  });

it('decisions 24: a body reaches no endpoint of another workspace', async () => {
  const { customer, webhook } = await subscriber(['sms.sent']);
  const outsider = await suite.customer();
  const { webhook: own } = await subscriber(['sms.sent'], outsider);
  const over = { workspace_id: customer.id, id: webhook.id, description: 'taken over' };
  expectError(await patch(outsider, `/v1/webhooks/${webhook.id}`, over), 404, 'not_found');
  const changed = await patch(outsider, `/v1/webhooks/${own.id}`, over);
  expect([changed.status, changed.json.id]).toEqual([200, own.id]);
  const { json } = await customer.get(`/v1/webhooks/${webhook.id}`);
  expect(json.description).toBeNull();
});

describe('an event of variant B', () => {
  it('6.2: an event of variant B is the resource as its GET shows it, and verifies with every kind of signature', async () => {
    const { customer, receiver, webhook } = await subscriber(['sms.delivered']);
    const { json: sms } = await customer.sendSms({}, { key: customer.testKey });
    const [event] = (await arrival(receiver, 'sms.delivered')) as [Received];
    const record = await customer.smsWith('delivered', sms.id, { key: customer.testKey });
    expect(Object.keys(event.json)).toEqual(['id', 'type', 'created_at', 'data', 'sequence']);
    expect(event.json.id).toMatch(/^evt_[0-9a-f]{32}$/);
    expect(event.json.data).toEqual({ ...record, sms_id: sms.id });
    expect(event.json.data.test_mode).toBe(true);
    expect(event.headers['svc-event']).toBe('sms.delivered');
    const { secret } = webhook;
    const svix = new SvixWebhook(secret);
    expect(() => svix.verify(event.rawBody, event.headers)).not.toThrow();
    expect(() => svix.verify(`${event.rawBody} `, event.headers)).toThrow();
    expect(new StandardWebhook(secret).verify(event.rawBody, event.headers)).toEqual(event.json);
  });

  it.each([40, 42, 43, 44])(
    '3.3: number %d, accepted and refused before any attempt, is queued and then rejected',
    async (digits) => {
      const { customer, receiver } = await subscriber(['sms.queued', 'sms.rejected']);
      const body = { to: magicNumber(digits), from: 'Acme', body: 'Hi' };
      const { json: sms } = await customer.post('/v1/sms', body, { key: customer.testKey });
      const [rejected] = (await arrival(receiver, 'sms.rejected')) as [Received];
      const [queued] = (await arrival(receiver, 'sms.queued')) as [Received];
      expect(queued.json.data).toMatchObject({
        sms_id: sms.id,
        status: 'queued',
        error_code: null,
      });
      expect(rejected.json.data).toMatchObject({ sms_id: sms.id, status: 'rejected' });
      expect(rejected.json.sequence).toBe(queued.json.sequence + 1);
    },
  );

  it.each([40, 42])(
    'decisions 25: number %d of variant A ends as rejected, in the timeline, too',
    async (digits) => {
      const { customer, receiver } = await subscriber(['sms.rejected']);
      const body = { phone_number: magicNumber(digits) };
      await customer.sendSms(body, { key: customer.testKey });
      const [{ json }] = (await arrival(receiver, 'sms.rejected')) as [Received];
      expect(json.data.status).toBe('rejected');
      const hops = json.data.timeline as { status: string }[];
      expect(hops.map(({ status }) => status)).toEqual(['queued', 'rejected']);
    },
  );

  it('decisions 24: a test key sees events of test messages only, a live key all of them', async () => {
    const customer = await suite.customer();
    const { json: live } = await customer.sendSms();
    const { json: test } = await customer.sendSms({}, { key: customer.testKey });
    await customer.smsWith('delivered', live.id);
    await customer.smsWith('delivered', test.id, { key: customer.testKey });
    const dataOf = async (key: string) => {
      const { json } = await customer.get('/v1/events', { key });
      return (json.data as { sequence: number; data: { id?: string } }[]).map((event) => event);
    };
    const all = await waitUntil('all events', async () => {
      const events = await dataOf(customer.liveKey);
      return events.length >= 5 ? events : undefined;
    });
    expect(all.map(({ sequence }) => sequence)).toEqual(all.map((_, index) => index + 1));
    const seen = await dataOf(customer.testKey);
    expect(seen.length).toBeGreaterThan(0);
    expect(new Set(seen.map(({ data }) => data.id))).toEqual(new Set([test.id]));
  });
});

describe('a webhook', () => {
  it('decisions 21: a webhook is created, shown without its secret, changed and deleted', async () => {
    const customer = await suite.customer();
    const { url } = await receiverOf();
    const body = { url, events: ['*'], description: 'Orders' };
    const headers = { 'idempotency-key': 'create' };
    const created = await customer.post('/v1/webhooks', body, { headers });
    expect(created.status).toBe(201);
    const { secret, ...shown } = created.json;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(shown).toMatchObject({ ...body, status: 'enabled', disabled_reason: null });
    const again = await customer.post('/v1/webhooks', body, { headers });
    expect(again.json).toEqual(created.json);
    expect(again.headers['idempotent-replayed']).toBe('true');
    const other = { ...body, description: 'Other' };
    const conflicting = await customer.post('/v1/webhooks', other, { headers });
    expectError(conflicting, 409, 'idempotency_conflict');

    const path = `/v1/webhooks/${shown.id}`;
    expect((await customer.get(path)).json).toEqual(shown);
    expect((await customer.get('/v1/webhooks')).json).toEqual({ data: [shown] });
    const change = { events: ['sms.failed'], status: 'disabled' };
    const changed = await patch(customer, path, change);
    expect(changed.json).toMatchObject({ ...change, disabled_reason: 'requested' });
    const rotated = await customer.post(`${path}/rotate-secret`, {});
    expect(rotated.json).toEqual({
      secret: expect.stringMatching(/^whsec_/),
      previous_expires_at: expect.any(String),
    });
    expect((await suite.http.delete(path, { key: customer.liveKey })).status).toBe(204);
    expectError(await customer.get(path), 404, 'not_found');
  });

  it('decisions 25: the 21st is 409; unknown events, keys without permission and other workspaces are refused', async () => {
    const customer = await suite.customer({
      settings: { limits: { variant_b_per_second: null, variant_b_burst: null } },
    });
    const { url } = await receiverOf();
    const unknown = await customer.post('/v1/webhooks', { url, events: ['sms.exploded'] });
    expectError(unknown, 400, 'validation_error', 'events');
    const internal = { url: 'http://10.0.0.1/hook', events: ['*'] };
    expectError(await customer.post('/v1/webhooks', internal), 400, 'validation_error', 'url');
    for (const permission of ['sending', 'otp']) {
      const { key } = await customer.newKey('live', permission);
      expectError(await customer.get('/v1/webhooks', { key }), 403, 'permission_error');
    }
    for (let count = 0; count < 20; count += 1) {
      expect((await customer.post('/v1/webhooks', { url, events: ['*'] })).status).toBe(201);
    }
    expectError(await customer.post('/v1/webhooks', { url, events: ['*'] }), 409, 'conflict');
    const { json } = await customer.get('/v1/webhooks');
    expect(json).not.toHaveProperty('next_cursor');
    const first = await customer.get('/v1/webhooks?limit=12');
    const rest = await customer.get(`/v1/webhooks?limit=12&cursor=${first.json.next_cursor}`);
    expect(rest.json).not.toHaveProperty('next_cursor');
    expect([...first.json.data, ...rest.json.data]).toEqual(json.data);
    expectError(await customer.get('/v1/webhooks?cursor=x'), 400, 'validation_error', 'cursor');
    const outsider = await suite.customer();
    expectError(await outsider.get(`/v1/webhooks/${json.data[0].id}`), 404, 'not_found');
    expectError(await outsider.get(`/v1/webhooks/${unknownId}`), 404, 'not_found');
  });

  it('decisions 21: a webhook is tried, its deliveries are listed and replayed, and what failed is recovered', async () => {
    const { customer, receiver, webhook } = await subscriber(['sms.delivered']);
    const path = `/v1/webhooks/${webhook.id}`;
    const tried = await customer.post(`${path}/test`, undefined);
    expect(tried.json).toMatchObject({ status: 'delivered', event_type: 'sms.delivered' });
    expect(receiver.received[0]!.json.sequence).toBe(0);

    receiver.answer = () => 410;
    const since = new Date(Date.now() - 60_000).toISOString();
    const { json: first } = await customer.sendSms({}, { key: customer.testKey });
    await waitUntil('the webhook to be disabled', async () => {
      const { json } = await customer.get(path);
      return json.disabled_reason === 'gone' || undefined;
    });
    const { json: missed } = await customer.sendSms({}, { key: customer.testKey });
    await customer.smsWith('delivered', missed.id, { key: customer.testKey });
    await waitUntil('the missed event on record', async () => {
      const { text } = await customer.get('/v1/events', { key: customer.testKey });
      return [first.id, missed.id].every((id) => text.includes(id));
    });
    const failed = await customer.get(`${path}/deliveries?status=failed&event_type=sms.delivered`);
    expect(failed.json.data).toMatchObject([
      { webhook_id: webhook.id, replay_of: null, attempts: [{ status_code: 410 }] },
    ]);
    const typo = await customer.get(`${path}/deliveries?event_type=sms.delivred`);
    expectError(typo, 400, 'validation_error', 'event_type');
    expect(typo.json.error.message).toContain('"sms.delivered" or');
    const replayPath = `/v1/webhook-deliveries/${failed.json.data[0].id}/replay`;
    expectError(await customer.post(replayPath, {}), 409, 'conflict');
    expectError(await customer.post(`${path}/recover`, { since }), 409, 'conflict');
    const old = { since: '2020-01-01T00:00:00Z' };
    expectError(await customer.post(`${path}/recover`, old), 400, 'validation_error', 'since');

    receiver.answer = () => 200;
    await patch(customer, path, { status: 'enabled' });
    const begun = await customer.post(`${path}/recover`, { since });
    expect(begun.status).toBe(202);
    const { json: recovery } = begun;
    expect(recovery).toMatchObject({ status: 'running', done: 0 });
    const done = await waitUntil('the recovery to be done', async () => {
      const { json } = await customer.get(`${path}/recover/${recovery.id}`);
      return json.status === 'done' ? json : undefined;
    });
    expect(done.done).toBe(done.total);
    const arrived = (id: string) =>
      receiver.received.filter(({ json }) => json.data.sms_id === id).map(({ rawBody }) => rawBody);
    await waitUntil('the missed event', () => arrived(missed.id).length > 0 || undefined);
    const bodies = await waitUntil('the failed event', () => {
      const found = arrived(first.id);
      return found.length >= 2 ? found : undefined;
    });
    expect(bodies[0]).toBe(bodies[1]);
    const replayed = await customer.post(replayPath, {});
    expect(replayed.status).toBe(202);
    expect(replayed.json).toMatchObject({ replay_of: failed.json.data[0].id });
    await waitUntil('the replay', () => arrived(first.id).length >= 3 || undefined);
  });

  it('decisions 24: a test key lists, replays and recovers only what test messages brought', async () => {
    const { customer, receiver, webhook } = await subscriber(['sms.delivered']);
    const path = `/v1/webhooks/${webhook.id}`;
    const test = { key: customer.testKey };
    receiver.answer = () => 500;
    const since = new Date(Date.now() - 60_000).toISOString();
    await customer.sendSms();
    await customer.sendSms({}, test);
    await arrival(receiver, 'sms.delivered', 2);
    const listed = async (send?: typeof test): Promise<string[]> => {
      const { json } = await customer.get(`${path}/deliveries`, send);
      return json.data.map(({ id }: { id: string }) => id);
    };
    const [all, ofTest] = [await listed(), await listed(test)];
    expect([all.length, ofTest.length]).toEqual([2, 1]);
    const ofLive = all.find((id) => id !== ofTest[0]);
    const replay = (id?: string, send?: typeof test) =>
      customer.post(`/v1/webhook-deliveries/${id}/replay`, {}, send);
    expectError(await replay(ofLive, test), 404, 'not_found');
    expect((await replay(ofTest[0], test)).status).toBe(202);
    expect((await replay(ofTest[0])).status).toBe(202);
    // What is still tried was not missed yet. Disabling ends the tries.
    await patch(customer, path, { status: 'disabled' });
    await waitUntil('every delivery to fail', async () => {
      const { json } = await customer.get(`${path}/deliveries?status=failed`);
      return json.data.length === 4 || undefined;
    });
    await patch(customer, path, { status: 'enabled' });
    const begun = await customer.post(`${path}/recover`, { since }, test);
    expect(begun.json).toMatchObject({ total: 1 });
    const done = async () => {
      const { json } = await customer.get(`${path}/recover/${begun.json.id}`);
      return json.status === 'done' || undefined;
    };
    await waitUntil('the recovery to be done', done);
    expect((await listed()).length - (await listed(test)).length).toBe(1);
  });
});
