import { describe, expect, it } from '@jest/globals';
import { createLogger } from '@watchword/observability';
import { eventually } from '@watchword/testing';
import type { Leases } from './leases.js';
import { LogFollower } from './log-follower.js';
import type { LogEntry } from './outbox-reader.js';

describe('a log that cannot be followed', () => {
  it('is reported at once, and again every ten seconds', async () => {
    const warnings: string[] = [];
    let tries = 0;
    let now = 5;
    const lease = { name: 'a log', lost: false };
    const leases: Partial<Leases> = { acquire: async () => lease, release: async () => undefined };
    const follower = new LogFollower({
      name: 'a log',
      leases: leases as Leases,
      logger: createLogger(
        { service: 'test', level: 'warn' },
        { write: (line: string) => void warnings.push(line) },
      ),
      batchSizeMax: 1,
      sleepMs: () => 1,
      load: async () => {
        tries += 1;
        throw new Error('ahead');
      },
      read: async () => ({ entries: [], held: false }),
      process: async () => undefined,
      advance: async () => true,
      now: () => now,
    });
    const tryAgain = async () => {
      const before = tries;
      await eventually(() => expect(tries).toBeGreaterThan(before + 1));
    };
    follower.start();
    await tryAgain();
    expect(warnings).toHaveLength(1);
    now += 9_999;
    await tryAgain();
    expect(warnings).toHaveLength(1);
    now += 1;
    await tryAgain();
    expect(warnings).toHaveLength(2);
    await follower.close();
    expect(warnings[1]).toContain('cannot follow a log');
  });
});

describe('a log that is followed', () => {
  const entry = (position: number) => ({ at: { xid: '1', position } }) as LogEntry;

  /**
   * A follower with reads that return `found`, and nothing after it. Only a ring wakes it in time.
   */
  function following(found: { entries: LogEntry[]; held: boolean }[]) {
    const processed: number[] = [];
    const seen = { reads: 0, processed, onProcess: () => undefined as void };
    const lease = { name: 'a log', lost: false };
    const leases: Partial<Leases> = { acquire: async () => lease, release: async () => undefined };
    const follower = new LogFollower({
      name: 'a log',
      leases: leases as Leases,
      logger: createLogger({ service: 'test', level: 'silent' }),
      batchSizeMax: 2,
      sleepMs: () => 60_000,
      load: async () => ({ xid: '0', position: 0 }),
      read: async () => {
        seen.reads += 1;
        return found.shift() ?? { entries: [], held: false };
      },
      process: async (entries) => {
        processed.push(...entries.map(({ at }) => at.position));
        seen.onProcess();
      },
      advance: async () => true,
    });
    follower.start();
    return { follower, seen };
  }

  it('is not looked at again after all there was, until the bell rings', async () => {
    const { follower, seen } = following([
      { entries: [entry(1)], held: false },
      { entries: [entry(2)], held: false },
    ]);
    await eventually(() => expect(seen.processed).toEqual([1]));
    expect(seen.reads).toBe(1);
    follower.wake();
    await eventually(() => expect(seen.processed).toEqual([1, 2]));
    expect(seen.reads).toBe(2);
    await follower.close();
  });

  it.each([
    ['the batch was full', [entry(1), entry(2)], false],
    ['more is held back', [entry(1)], true],
  ])('is looked at again by itself when %s', async (_, entries, held) => {
    const { follower, seen } = following([
      { entries, held },
      { entries: [entry(3)], held: false },
    ]);
    await eventually(() => expect(seen.processed.at(-1)).toBe(3));
    await follower.close();
  });

  it('is looked at again when the bell rang while a batch was handled', async () => {
    const found = [{ entries: [entry(1)], held: false }];
    const { follower, seen } = following(found);
    seen.onProcess = () => {
      seen.onProcess = () => undefined;
      found.push({ entries: [entry(2)], held: false });
      follower.wake();
    };
    await eventually(() => expect(seen.processed).toEqual([1, 2]));
    await follower.close();
  });
});
