import { beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '@watchword/observability';
import { eventually } from '@watchword/testing';
import type { WindowCount } from './listening-gateways.adapter.js';
import { type KnownWindow, StrictWindows } from './strict-windows.js';

let nowMs = 0;
let lines: string[] = [];

/** A Redis with answers that the test gives one by one. */
class SlowRedis {
  run = 'first';
  refusal: Error | undefined;
  restored: WindowCount[][] = [];
  pages: { cursor: string; windows: WindowCount[] }[] = [];
  cursors: string[] = [];
  answer: () => Promise<void> = async () => undefined;

  memory = async () => this.run;

  async restore(windows: WindowCount[]): Promise<void> {
    await this.answer();
    this.restored.push(windows);
  }

  async pageOf(cursor: string) {
    this.cursors.push(cursor);
    if (this.refusal) throw this.refusal;
    await this.answer();
    return this.pages.shift() ?? { cursor: '0', windows: [] };
  }
}

const knownOf = (count: number, endsAtMs = 60_000): KnownWindow[] =>
  Array.from({ length: count }, (_, n) => ({ key: `strict:${n}`, count: 1, endsAtMs }));

describe('strict windows', () => {
  let redis: SlowRedis;
  let known: KnownWindow[];
  let learned: WindowCount[];
  let windows: StrictWindows;

  beforeEach(() => {
    [nowMs, lines, known, learned] = [0, [], [], []];
    redis = new SlowRedis();
    const logger = createLogger(
      { service: 'test', level: 'info' },
      { write: (line) => lines.push(line) },
    );
    windows = new StrictWindows({
      redis,
      clock: { now: () => nowMs },
      logger,
      known: () => known,
      onLearned: (window) => learned.push(window),
      isRefusal: (error) => String(error).includes('NOPERM'),
    });
  });

  it('are learned page by page at first, and again only after a gap', async () => {
    const window = (key: string) => ({ key, count: 2, leftMs: 1_000 });
    redis.pages = [
      { cursor: '7', windows: [window('one')] },
      { cursor: '0', windows: [window('two')] },
    ];
    await windows.catchUp();
    await windows.catchUp();
    expect(redis.cursors).toEqual(['0', '7']);
    expect(learned).toEqual([window('one'), window('two')]);
    windows.fallBehind();
    await windows.catchUp();
    expect(redis.cursors).toEqual(['0', '7', '0']);
  });

  it('end no later than in Redis, however long a page took', async () => {
    redis.answer = async () => void (nowMs += 400);
    const ending = { key: 'ending', count: 1, leftMs: 300 };
    redis.pages = [{ cursor: '0', windows: [ending, { key: 'on', count: 1, leftMs: 1_000 }] }];
    await windows.catchUp();
    expect(learned).toEqual([{ key: 'on', count: 1, leftMs: 600 }]);
  });

  it('are sent once to a new run of Redis, also when it is checked several times meanwhile', async () => {
    await windows.catchUp();
    known = knownOf(1_200);
    redis.run = 'second';
    let answer: () => void = () => undefined;
    redis.answer = () => new Promise((resolve) => (answer = resolve));
    const looks = [windows.catchUp(), windows.catchUp(), windows.catchUp()];
    for (let batch = 1; batch <= 3; batch += 1) {
      await eventually(() => expect(redis.restored).toHaveLength(batch - 1));
      await new Promise(setImmediate);
      answer();
    }
    await Promise.all(looks);
    expect(redis.restored.map(({ length }) => length)).toEqual([500, 500, 200]);
    await windows.catchUp();
    expect(redis.restored).toHaveLength(3);
  });

  it('are sent with the time that is left then, and not once they have ended', async () => {
    await windows.catchUp();
    known = [...knownOf(500, 60_000), ...knownOf(1, 60_000), ...knownOf(1, 1_000)];
    redis.run = 'second';
    redis.answer = async () => void (nowMs += 2_000);
    await windows.catchUp();
    expect(redis.restored[0]?.[0]).toMatchObject({ leftMs: 60_000 });
    expect(redis.restored[1]).toEqual([{ key: 'strict:0', count: 1, leftMs: 58_000 }]);
  });

  it('that cannot be learned are asked for again, and a refusal is said once', async () => {
    redis.refusal = new Error('no answer');
    await windows.catchUp();
    expect(lines).toEqual([]);
    redis.cursors = [];
    redis.refusal = new Error('NOPERM');
    await windows.catchUp();
    await windows.catchUp();
    expect(redis.cursors).toHaveLength(2);
    expect(lines).toHaveLength(1);
    redis.refusal = undefined;
    await windows.catchUp();
    expect(redis.cursors).toHaveLength(3);
  });
});
