import { describe, expect, it } from '@jest/globals';
import { routes } from '@watchword/contracts';
import { RETRY_DELAYS_MS } from '../src/deliveries/retry-schedule.policy.js';
import { answer } from './receiver.kit.js';
import {
  ATTEMPT_MS,
  database,
  nextWorkspace,
  openScene,
  service,
  receiver,
  reopen,
  workspaceId,
} from './scene.kit.js';
import { delivered, whenSo, TestProcess } from './webhooks.kit.js';

openScene({ deadlineMs: ATTEMPT_MS });

describe('a delivery', () => {
  it('8: is retried seven times at the exact delays with the same bytes, then has failed', async () => {
    await service.putEndpoint(workspaceId, receiver.origin);
    receiver.respond = answer(500, {}, 'sorry');
    await service.fanOut(delivered(workspaceId));
    await service.afterAttempts(workspaceId, 1);
    for (const [index, delayMs] of RETRY_DELAYS_MS.entries()) {
      const due = new Date(service.clock.now() + delayMs).toISOString();
      expect((await service.afterAttempts(workspaceId, index + 1)).next_attempt_at).toBe(due);
      await service.pass(delayMs - 1);
      expect(receiver.received).toHaveLength(index + 1);
      await service.pass(1);
      await service.afterAttempts(workspaceId, index + 2);
    }
    const delivery = await service.afterAttempts(workspaceId, 8);
    expect(delivery).toMatchObject({ status: 'failed', next_attempt_at: null });
    await service.pass(30 * 86_400_000);
    expect(receiver.received).toHaveLength(8);
    expect(new Set(receiver.received.map(({ body }) => body.toString('utf8'))).size).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers['svc-signature'])).size).toBe(8);
    expect(delivery.attempts.map(({ response_body: body }) => body)).toEqual(
      Array(8).fill('sorry'),
    );
  });

  it('waits as long as a 429 or 503 asks, up to the delay after', async () => {
    const cases: [number, string, number][] = [
      [429, '3', 3_000],
      [503, '5', 5_000],
      [429, '600', 5_000],
      [503, new Date(service.clock.now() + 4_000).toUTCString(), 4_000],
      [503, '0', 1_000],
      [429, 'soon', 1_000],
      [500, '4', 1_000],
    ];
    for (const [status, retryAfter, waitMs] of cases) {
      nextWorkspace();
      await service.putEndpoint(workspaceId, receiver.origin);
      receiver.respond = answer(status, { 'retry-after': retryAfter });
      await service.fanOut(delivered(workspaceId));
      const due =
        Date.parse((await service.afterAttempts(workspaceId, 1)).next_attempt_at!) -
        service.clock.now();
      expect([status, retryAfter, due]).toEqual([status, retryAfter, waitMs]);
    }
  });

  it('goes on after a restart, and after a process that died with it in hand', async () => {
    await service.putEndpoint(workspaceId, receiver.origin);
    receiver.respond = answer(500);
    await service.fanOut(delivered(workspaceId));
    await service.afterAttempts(workspaceId, 1);
    await service.stop();
    // A second process takes a second event, and dies before its POST.
    const dying = await TestProcess.open(database, { clock: service.clock });
    dying.scheduler.take = () => Promise.resolve();
    await dying.fanOut(delivered(workspaceId));
    await dying.stop();
    await reopen();
    receiver.respond = answer(200);
    await service.pass(1_000);
    await whenSo(
      () => receiver.received.length,
      (count) => count === 2,
    );
    await service.pass(18_999);
    expect((await service.deliveries(workspaceId)).map(({ status }) => status)).toContain(
      'pending',
    );
    await service.pass(1);
    await whenSo(
      () => service.deliveries(workspaceId),
      (all) => all.every(({ status }) => status === 'delivered'),
    );
    expect(receiver.received).toHaveLength(3);
  });
});

describe('an endpoint that fails', () => {
  const DAY_MS = 86_400_000;

  async function failTimes(count: number): Promise<void> {
    receiver.respond = answer(500);
    const before = (await service.deliveries(workspaceId)).length;
    await service.fanOut(...Array.from({ length: count }, () => delivered(workspaceId)));
    await whenSo(
      () => service.deliveries(workspaceId),
      (all) => all.length === before + count && all.every((each) => each.attempt_count > 0),
    );
    // Their retries would count too, and the next sweep makes them.
    await database.pool.query(
      `UPDATE webhooks.deliveries SET status = 'failed', next_attempt_at = NULL, due_at = NULL
       WHERE workspace_id = $1 AND status = 'pending'`,
      [workspaceId],
    );
  }

  async function endpointStatus(): Promise<string | undefined> {
    const request = { workspace_id: workspaceId };
    const { body } = await service.serve<{ status: string }>(routes.getOwnWebhook, request);
    return body?.status;
  }

  async function notices(): Promise<unknown[]> {
    const request = { workspace_id: workspaceId, after: 0, limit: 200 };
    const page = await service.webhooks.calls.readEvents({ ...request, type: 'webhook.disabled' });
    return page.bodies.map((body): unknown => JSON.parse(body));
  }

  it('decisions 8: for three days and 20 times is disabled with notice, and PUT begins anew', async () => {
    const { id } = await service.putEndpoint(workspaceId, `${receiver.origin}/"é"?a=1`);
    await failTimes(18);
    service.clock.advance(3 * DAY_MS - 1);
    await failTimes(1);
    expect(await endpointStatus()).toBe('enabled');
    service.clock.advance(1);
    await failTimes(1);
    await whenSo(endpointStatus, (status) => status === 'disabled');
    expect(await whenSo(notices, ({ length }) => length > 0)).toEqual([
      {
        event: 'webhook.disabled',
        timestamp: '2026-01-08T09:00:00Z',
        data: {
          workspace_id: workspaceId,
          endpoint_id: id,
          url: `${receiver.origin}/"é"?a=1`,
          reason: 'failing',
        },
        sequence: 21,
      },
    ]);
    await service.putEndpoint(workspaceId, receiver.origin);
    await failTimes(20);
    expect(await endpointStatus()).toBe('enabled');
    expect(await notices()).toHaveLength(1);
  });

  it('decisions 8: for three days but 19 times stays, and so does one that succeeded in between', async () => {
    await service.putEndpoint(workspaceId, receiver.origin);
    await failTimes(18);
    service.clock.advance(3 * DAY_MS);
    await failTimes(1);
    expect(await endpointStatus()).toBe('enabled');
    receiver.respond = answer(200);
    await service.fanOut(delivered(workspaceId));
    await whenSo(
      () => service.deliveries(workspaceId),
      (all) => all.some(({ status }) => status === 'delivered'),
    );
    await failTimes(20);
    expect(await endpointStatus()).toBe('enabled');
    expect(await notices()).toEqual([]);
  });

  it('decisions 8: with 410 is announced as well, once', async () => {
    await service.putEndpoint(workspaceId, receiver.origin);
    receiver.respond = answer(410);
    await service.fanOut(...Array.from({ length: 5 }, () => delivered(workspaceId)));
    await whenSo(endpointStatus, (status) => status === 'disabled');
    await whenSo(
      () => service.deliveries(workspaceId),
      (all) => all.every(({ status }) => status === 'failed'),
    );
    const sent = await whenSo(notices, ({ length }) => length > 0);
    expect(sent).toMatchObject([{ data: { reason: 'gone' }, sequence: 6 }]);
  });
});
