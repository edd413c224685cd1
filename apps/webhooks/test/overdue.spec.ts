import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@watchword/contracts';
import { renderMetrics } from '@watchword/observability';
import type { TestDatabase } from '@watchword/testing';
import { DeliveryStore } from '../src/deliveries/delivery.store.js';
import { measureOverdue } from '../src/deliveries/measurements.js';
import { RETRY_DELAYS_MS } from '../src/deliveries/retry-schedule.policy.js';
import { answer, TestReceiver } from './receiver.kit.js';
import { delivered, whenSo, openTestDatabase, TestProcess } from './webhooks.kit.js';

let database: TestDatabase;
let receiver: TestReceiver;
let service: TestProcess;

beforeAll(async () => {
  [database, receiver] = await Promise.all([openTestDatabase(), TestReceiver.start()]);
  service = await TestProcess.open(database);
});

afterAll(async () => {
  await service?.stop();
  await receiver?.stop();
  await database?.drop();
});

async function shown(): Promise<string[]> {
  const text = await renderMetrics();
  return text.split('\n').filter((line) => /^watchword_webhook_(?:deliveries|oldest)/.test(line));
}

describe('deliveries that are due', () => {
  it('are counted, with the age of the oldest, when no process makes them', async () => {
    const { clock } = service;
    const store = new DeliveryStore(database.pool);
    const overdue = () => store.overdue(new Date(clock.now()));
    receiver.respond = answer(500);
    const [first, second] = [newId(), newId()];
    for (const workspace of [first, second]) await service.putEndpoint(workspace, receiver.origin);
    await service.fanOut(delivered(first), delivered(first), delivered(second));
    for (const workspace of [first, second]) {
      await whenSo(
        () => service.deliveries(workspace),
        (made) => made.length > 0 && made.every(({ attempt_count: count }) => count === 1),
      );
    }
    await service.stop();
    expect(await overdue()).toEqual({ count: 0, oldestSeconds: 0 });

    clock.advance(RETRY_DELAYS_MS[0]! * 2 + 90_000);
    const { count, oldestSeconds } = await overdue();
    expect(count).toBe(3);
    expect(oldestSeconds).toBeGreaterThanOrEqual(90);
    expect(oldestSeconds).toBeLessThanOrEqual(90 + (RETRY_DELAYS_MS[0]! * 2) / 1_000);

    const end = measureOverdue(overdue);
    expect(await shown()).toEqual([
      'watchword_webhook_deliveries_due 3',
      `watchword_webhook_oldest_due_seconds ${oldestSeconds}`,
    ]);
    end();
    const endLost = measureOverdue(() => Promise.reject(new Error('away')));
    expect(await shown()).toEqual([]);
    endLost();
  });
});
