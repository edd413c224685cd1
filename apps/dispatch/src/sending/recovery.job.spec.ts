import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createLogger } from '@watchword/observability';
import { asId, type MessageId } from '@watchword/contracts';
import { message, SENDER } from '../../test/message.kit.js';
import type { Message } from '../messages/message.js';
import type { MessageStore } from '../messages/message.store.js';
import { Liveness } from './liveness.js';
import { RecoveryJob } from './recovery.job.js';
import type { Sending } from './running-sendings.js';
import type { Sender } from './sender.js';
import type { HeldPage, UnfinishedStore } from './unfinished.store.js';

const logger = createLogger({ service: 'dispatch', level: 'silent' });
const idOf = (n: number) =>
  asId<MessageId>(`00000000-0000-7000-8000-${String(n).padStart(12, '0')}`);
const RUNS_MAX = 10;

/** Records this many as ours, of which these are not being sent. */
function recovery(count: number, strays: ReadonlySet<string>) {
  const held: Sending[] = Array.from({ length: count }, (_, n) => ({
    messageId: idOf(n),
    resend: 0,
  }));
  const pages: number[] = [];
  const said: number[] = [];
  const unfinished = {
    alive: async () => undefined,
    aliveAndClaim: async (_: string, until: Date) => {
      said.push(until.getTime());
      return [];
    },
    heldBy: async (_: string, { after, limit }: HeldPage) => {
      const page = held.filter(({ messageId }) => messageId > after.messageId).slice(0, limit);
      pages.push(page.length);
      return page;
    },
  };
  const messages = {
    read: async (wanted: { id: string }[]) =>
      new Map(wanted.map(({ id }) => [id, { ...message('sms'), id }])),
  };
  const resumed: string[] = [];
  const sender = {
    id: SENDER,
    hasFreeSlot: true,
    isBusy: false,
    isSending: ({ messageId }: Sending) => !strays.has(messageId),
    resume: ({ id }: Message) => void resumed.push(id),
  };
  const clock = { now: () => performance.now() };
  const parts = [unfinished as unknown as UnfinishedStore, sender as unknown as Sender] as const;
  const job = new RecoveryJob(
    new Liveness(...parts, clock),
    parts[0],
    messages as unknown as MessageStore,
    parts[1],
    clock,
    logger,
  );
  return { job, pages, resumed, said, sender };
}

describe('a process says that it lives', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('every second while it has something in hand, and seldom and for longer when it has not', async () => {
    const { job, said, sender } = recovery(0, new Set());
    sender.isBusy = true;
    for (let second = 0; second < 10; second += 1) {
      const now = performance.now();
      await job.run();
      expect(said.at(-1)).toBe(now + 10_000);
      jest.advanceTimersByTime(1_000);
    }
    expect(said).toHaveLength(10);
    sender.isBusy = false;
    for (let second = 0; second < 60; second += 1) {
      await job.run();
      expect(said.at(-1)).toBeGreaterThan(performance.now() + 3_000);
      jest.advanceTimersByTime(1_000);
    }
    expect(said.length).toBeLessThan(26);
    sender.isBusy = true;
    await job.run();
    expect(said.at(-1)).toBe(performance.now() + 10_000);
  });

  it('and claims at once what a look found of dead processes', async () => {
    const { job, said } = recovery(0, new Set());
    await job.run();
    jest.advanceTimersByTime(6_000);
    await job.run();
    const before = said.length;
    await job.run();
    expect(said).toHaveLength(before);
    job.expect({ left: true, strays: false });
    await job.run();
    expect(said).toHaveLength(before + 1);
  });
});

describe('a look for strays', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('comes to the last one, in pages, and begins anew with the next look', async () => {
    const strays = new Set([idOf(7), idOf(249)]);
    const { job, pages, resumed } = recovery(250, strays);
    for (let look = 0; look < 2; look += 1) {
      for (let run = 0; run < RUNS_MAX && (await job.run()); run += 1);
      job.expect({ left: false, strays: true });
    }
    expect(pages).toEqual([100, 100, 50, 100, 100, 50]);
    expect(resumed).toEqual([idOf(7), idOf(249), idOf(7), idOf(249)]);
  });

  it('ends at a full page with nothing behind it', async () => {
    const { job, pages } = recovery(100, new Set());
    for (let run = 0; run < RUNS_MAX && (await job.run()); run += 1);
    expect(pages).toEqual([100, 0]);
  });
});
