import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createLogger } from '@watchword/observability';
import { message, SENDER } from '../../test/message.kit.js';
import type { Message } from '../messages/message.js';
import type { MessageStore } from '../messages/message.store.js';
import { RecoveryJob } from './recovery.job.js';
import type { Sending } from './running-sendings.js';
import type { Sender } from './sender.js';
import type { HeldPage, UnfinishedStore } from './unfinished.store.js';

const logger = createLogger({ service: 'dispatch', level: 'silent' });
const idOf = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const RUNS_MAX = 10;

/** So many are on record as ours, of which these are not being sent. */
function recovery(count: number, strays: ReadonlySet<string>) {
  const held: Sending[] = Array.from({ length: count }, (_, n) => ({
    messageId: idOf(n),
    resend: 0,
  }));
  const pages: number[] = [];
  const unfinished = {
    alive: async () => undefined,
    aliveAndClaim: async () => [],
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
    hasRoom: true,
    isSending: ({ messageId }: Sending) => !strays.has(messageId),
    resume: ({ id }: Message) => void resumed.push(id),
  };
  const job = new RecoveryJob(
    unfinished as unknown as UnfinishedStore,
    messages as unknown as MessageStore,
    sender as unknown as Sender,
    { now: () => 0 },
    logger,
  );
  return { job, pages, resumed };
}

describe('a look for strays', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('comes to the last one, in pages, and begins anew with the next look', async () => {
    const strays = new Set([idOf(7), idOf(249)]);
    const { job, pages, resumed } = recovery(250, strays);
    for (let look = 0; look < 2; look += 1) {
      for (let run = 0; run < RUNS_MAX && (await job.run()); run += 1);
      jest.advanceTimersByTime(3_000);
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
