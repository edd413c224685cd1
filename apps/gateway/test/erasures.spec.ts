/** An erasure goes on until all messages have ended: decisions 28, ADR 97. */
import { expect, it } from '@jest/globals';
import { FakeClock } from '@watchword/testing';
import { pino } from 'pino';
import { EraseHandler } from '../src/messages/erasures/erase.handler.js';
import { ErasureStore } from '../src/messages/erasures/erasure.store.js';
import { ErasuresJob } from '../src/messages/erasures/erasures.job.js';
import { gateway, useGateway } from './one-gateway.kit.js';

const MINUTE_MS = 60_000;
const TO = '+2348031234567';
useGateway();

it('an erasure is repeated until nothing is open, also after a failure and by two gateways', async () => {
  const clock = new FakeClock('2026-11-20T08:00:00.000Z');
  const passes: number[] = [];
  let open = 1;
  let ended = 0;
  let isAway = false;
  const nothing = async () => ({ count: 0, next: null });
  const dispatch = {
    cancelScheduledMessages: async () => {
      if (isAway) throw new Error('away');
      return { count: 0, next: null };
    },
    countOpenMessages: async () => ({ count: open, tests: 0, next: null }),
    eraseMessages: async () => {
      passes.push(clock.now());
      return { count: ended, next: null };
    },
  };
  const webhooks = { eraseEvents: nothing, eraseWebhookAttempts: nothing };
  const store = new ErasureStore(gateway.database.pool);
  const handler = new EraseHandler(dispatch, webhooks, store, clock);
  const job = new ErasuresJob(store, handler, clock, pino({ level: 'silent' }));
  const looks = async (afterMs: number) => {
    clock.advance(afterMs);
    const before = passes.length;
    await Promise.all([job.run(), job.run()]);
    return passes.length - before;
  };
  const answer = await handler.erase({ to: TO, reason: 'Asked.' });
  expect(answer.body).toMatchObject({ erased_later: 1 });
  expect(await looks(MINUTE_MS - 1)).toBe(0);
  expect(await looks(1)).toBe(1);
  expect(await looks(MINUTE_MS)).toBe(0);
  isAway = true;
  expect(await looks(9 * MINUTE_MS)).toBe(0);
  [isAway, open, ended] = [false, 0, 1];
  expect(await looks(10 * MINUTE_MS)).toBe(1);
  ended = 0;
  expect(await looks(10 * MINUTE_MS)).toBe(1);
  expect(await looks(60 * MINUTE_MS)).toBe(0);
});
