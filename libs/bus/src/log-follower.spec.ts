import { describe, expect, it } from '@jest/globals';
import { createLogger } from '@watchword/observability';
import { eventually } from '@watchword/testing';
import type { Leases } from './leases.js';
import { LogFollower } from './log-follower.js';
import type { LogEntry } from './outbox-reader.js';

describe('a log that cannot be followed', () => {
  it('is told of at once, and again every ten seconds', async () => {
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
  it('is looked at once when somebody rings, and again only where more may be left', async () => {
    const entry = (position: number) => ({ at: { xid: '1', position } }) as LogEntry;
    const held = { entries: [entry(3)], held: true };
    const answers = [{ entries: [entry(1), entry(2)], held: false }, held];
    const processed: number[] = [];
    let reads = 0;
    const lease = { name: 'a log', lost: false };
    const leases: Partial<Leases> = { acquire: async () => lease, release: async () => undefined };
    const follower = new LogFollower({
      name: 'a log',
      leases: leases as Leases,
      logger: createLogger({ service: 'test', level: 'silent' }),
      batchSizeMax: 3,
      sleepMs: () => 60_000,
      load: async () => ({ xid: '0', position: 0 }),
      read: async () => {
        reads += 1;
        return answers.shift() ?? { entries: [], held: false };
      },
      process: async (entries) => void processed.push(...entries.map(({ at }) => at.position)),
      advance: async () => true,
    });
    follower.start();
    await eventually(() => expect(processed).toEqual([1, 2]));
    expect(reads).toBe(1);
    follower.wake();
    await eventually(() => expect(reads).toBe(3));
    expect(processed).toEqual([1, 2, 3]);
    await follower.close();
  });
});
