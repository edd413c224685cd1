import { describe, expect, it } from '@jest/globals';
import { createLogger } from '@watchword/observability';
import { eventually } from '@watchword/testing';
import type { Leases } from './leases.js';
import { LogFollower } from './log-follower.js';

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
