import { describe, expect, it } from '@jest/globals';
import { newId } from '@watchword/contracts';
import { answer } from './receiver.kit.js';
import { database, openScene, receiver, service, workspaceId } from './scene.kit.js';
import { delivered, whenSo, TestProcess } from './webhooks.kit.js';

openScene();

async function sequencesOf(workspace: string): Promise<number[]> {
  const { rows } = await database.pool.query<{ sequence: number }>(
    'SELECT sequence FROM webhooks.events WHERE workspace_id = $1 ORDER BY sequence',
    [workspace],
  );
  return rows.map(({ sequence }) => sequence);
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('fan-out', () => {
  it('numbers without a gap under duplicates, in batches that race, from two processes', async () => {
    const second = await TestProcess.open(database, { clock: service.clock });
    const workspaces = [workspaceId, newId(), newId()];
    const events = upTo(120).map((index) => delivered(workspaces[index % 3]!));
    const batches = upTo(40).map(() =>
      upTo(12).map(() => events[Math.floor(Math.random() * events.length)]!),
    );
    for (let at = 0; at < events.length; at += 10) batches.push(events.slice(at, at + 10));
    await Promise.all(
      batches.map((batch, index) => (index % 2 ? service : second).fanOut(...batch)),
    );
    for (const workspace of workspaces) expect(await sequencesOf(workspace)).toEqual(upTo(40));
    await second.stop();
  });

  it('chooses the endpoints when an event is fanned out, and address and secret when it is attempted', async () => {
    for (let round = 0; round < 60; round += 1) {
      const workspace = newId();
      const event = delivered(workspace);
      const steps = [
        () => service.fanOut(event),
        () => service.putEndpoint(workspace, `${receiver.origin}/${workspace}`),
        () => service.webhooks.endpoints.rotateSecret(workspace),
        () => service.webhooks.endpoints.delete(workspace),
        () => service.fanOut(event),
      ];
      if (round % 2) await service.putEndpoint(workspace, `${receiver.origin}/${workspace}`);
      const from = round % steps.length;
      await Promise.all([...steps.slice(from), ...steps.slice(0, from)].map((step) => step()));
      expect(await sequencesOf(workspace)).toEqual([1]);
      const made = await service.deliveries(workspace);
      expect(made.length).toBeLessThanOrEqual(1);
    }
    // Every delivery ends: posted, or failed because its endpoint is gone.
    service.clock.advance(20_000);
    await whenSo(
      async () => {
        await service.scheduler.sweep();
        const { rows } = await database.pool.query<{ open: number }>(
          `SELECT count(*)::int AS open FROM webhooks.deliveries WHERE status = 'pending'`,
        );
        return rows[0]!.open;
      },
      (open) => open === 0,
    );
  });

  it('decisions 21: fails what waits for an endpoint that was deleted', async () => {
    await service.putEndpoint(workspaceId, receiver.origin);
    receiver.respond = answer(500);
    await service.fanOut(delivered(workspaceId));
    await whenSo(
      () => service.deliveries(workspaceId),
      ([first]) => first?.attempt_count === 1,
    );
    await service.webhooks.endpoints.delete(workspaceId);
    await service.pass(1_000);
    await whenSo(
      () => service.deliveries(workspaceId),
      ([first]) => first?.status === 'failed',
    );
    expect(receiver.received).toHaveLength(1);
  });
});
