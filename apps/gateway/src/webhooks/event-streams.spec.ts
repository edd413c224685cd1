import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ApiError, newId, type WorkspaceId } from '@watchword/contracts';
import { createLogger } from '@watchword/observability';
import type { Session } from '../people/account.js';
import type { EventStream } from './event-stream.js';
import { BEHIND_MAX, EventStreams, STREAMS_PER_WORKSPACE_MAX } from './event-streams.js';

let last: number;
let reads: number;
let isOpen: boolean;
let streams: EventStreams;

const event = (sequence: number) => `{"id":"evt_${sequence}","sequence":${sequence}}`;

const webhooks = {
  getLastSequence: async () => ({ sequence: last }),
  readEvents: async ({ after, limit }: { after: number; limit: number }) => {
    reads += 1;
    const count = Math.min(last - after, limit);
    const bodies = Array.from({ length: count }, (_, index) => event(after + index + 1));
    return after + count < last ? { bodies, next_after: after + count } : { bodies };
  },
};

const workspaceId = newId() as WorkspaceId;
const session = (of = workspaceId) =>
  ({ token: 'token', member: { workspaceId: of } }) as unknown as Session;

beforeEach(() => {
  jest.useFakeTimers();
  [last, reads, isOpen] = [0, 0, true];
  const sessions = { find: async () => (isOpen ? session() : null) };
  const logger = createLogger({ service: 'gateway', level: 'silent' });
  streams = new EventStreams(webhooks, sessions, logger);
});

afterEach(async () => {
  await streams.onModuleDestroy();
  jest.useRealTimers();
});

const idsIn = (stream: EventStream) =>
  [...String(stream.read() ?? '').matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));

describe('the streams of a workspace', () => {
  it('begin now or after a number, share one poll, and send each event once', async () => {
    last = 2;
    const [now, resumed] = [
      await streams.open(session(), undefined),
      await streams.open(session(), 1),
    ];
    await jest.advanceTimersByTimeAsync(10);
    expect([idsIn(now), idsIn(resumed)]).toEqual([[2], [1, 2]]);
    [last, reads] = [4, 0];
    await jest.advanceTimersByTimeAsync(1_000);
    expect(reads).toBe(1);
    expect([idsIn(now), idsIn(resumed)]).toEqual([
      [3, 4],
      [3, 4],
    ]);
  });

  it('tell a reader that is far behind to load its page again', async () => {
    last = BEHIND_MAX + 1;
    const stream = await streams.open(session(), 0);
    expect(String(stream.read())).toContain(`event: reset\nid: ${last}\n`);
  });

  it('end with the session, and stop the poll with the last of them', async () => {
    const stream = await streams.open(session(), undefined);
    stream.resume();
    isOpen = false;
    await streams.beat();
    await jest.advanceTimersByTimeAsync(2_000);
    expect(stream.destroyed).toBe(true);
    reads = 0;
    await jest.advanceTimersByTimeAsync(5_000);
    expect(reads).toBe(0);
  });

  it('are bounded in a workspace, and leave room for others', async () => {
    const open = () => streams.open(session(), undefined);
    for (let count = 0; count < STREAMS_PER_WORKSPACE_MAX; count += 1) await open();
    await expect(open()).rejects.toThrow(ApiError);
    await streams.open(session(newId()), undefined);
  });

  it('are cut off where the reader does not take them', async () => {
    const stream = await streams.open(session(), undefined);
    stream.send(`{"text":"${'x'.repeat(2_000_000)}","sequence":1}`);
    expect(stream.destroyed).toBe(true);
  });
});
