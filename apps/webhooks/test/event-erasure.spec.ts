import { describe, expect, it } from '@jest/globals';
import { newEventId } from '@watchword/contracts';
import { answer } from './receiver.kit.js';
import { database, openScene, receiver, service, workspaceId } from './scene.kit.js';
import { delivered, whenSo } from './webhooks.kit.js';

openScene();

const TO = '+2348039990001';

/** Erases from all slices, and returns what each call counted. */
async function erase(name: 'eraseEvents' | 'eraseWebhookAttempts'): Promise<number[]> {
  const counts: number[] = [];
  let after: string | null = null;
  do {
    const asked = { to: TO, erased: '+234•••••', after };
    const slice: { count: number; next: string | null } = await service.webhooks.calls[name](asked);
    counts.push(slice.count);
    after = slice.next;
  } while (after !== null);
  return counts;
}

/** An event of a message to the number. */
function eventTo(number: string) {
  const event = delivered(workspaceId);
  return { ...event, message: { ...event.message, destination: number } };
}

const bodies = async () =>
  (await service.webhooks.calls.readEvents({ workspace_id: workspaceId, after: 0, limit: 200 }))
    .bodies;

describe('an erasure of a number', () => {
  it('takes it out of events and of the answers of receivers, slice by slice', async () => {
    receiver.respond = answer(200, {}, `Thanks for ${TO}.`);
    await service.putEndpoint(workspaceId, receiver.origin);
    await service.fanOut(eventTo(TO), eventTo('+2348039990002'));
    const attempts = 'SELECT FROM webhooks.delivery_attempts';
    await whenSo(
      async () => (await database.pool.query(attempts)).rows,
      (rows) => rows.length === 2,
    );
    const ids = Array.from({ length: 4_500 }, () => newEventId());
    await database.pool.query(
      `INSERT INTO webhooks.events
       SELECT (jsonb_populate_record(event, jsonb_build_object('id', copy.id, 'sequence', 0))).*
       FROM webhooks.events AS event, unnest($1::text[]) AS copy (id)
       WHERE workspace_id = $2 AND sequence = 1`,
      [ids, workspaceId],
    );
    const before = await bodies();

    const counts = await erase('eraseEvents');
    expect(counts).toHaveLength(3);
    expect(counts[0]! + counts[1]! + counts[2]!).toBe(4_501);
    expect(await erase('eraseWebhookAttempts')).toEqual([2]);
    const [erased, other] = await bodies();
    expect(JSON.parse(erased!)).toMatchObject({
      data: { phone_number: '+234•••••', message: '' },
      sequence: 1,
    });
    expect(other).toBe(before[1]);
    expect(await erase('eraseEvents')).toEqual([0, 0, 0]);
    expect(await erase('eraseWebhookAttempts')).toEqual([0]);
  });

  it('holds for a delivery that is not made yet', async () => {
    receiver.respond = answer(500);
    await service.putEndpoint(workspaceId, receiver.origin);
    await service.fanOut(eventTo(TO));
    await service.afterAttempts(workspaceId, 1);
    expect((await erase('eraseEvents')).at(-1)).toBe(1);
    await service.pass(3_600_000);
    const received = await whenSo(
      () => receiver.received,
      (all) => all.length > 1,
    );
    expect(received.at(-1)!.body.toString('utf8')).not.toContain(TO);
  });
});
