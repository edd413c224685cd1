import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '@watchword/config';
import { freePort } from '@watchword/postgres';
import { createLogger } from '@watchword/observability';
import type { Platform } from '@watchword/platform';
import { FakeClock } from '@watchword/testing';
import { openLimits } from './limits.js';

describe('what the status shows of the limits', () => {
  const opened = async (settings: Record<string, string>) => {
    const shown = new Map<string, () => boolean>();
    const limits = await openLimits({
      config: loadConfig(settings).config,
      clock: new FakeClock(),
      logger: createLogger({ service: 'gateway', level: 'silent' }),
      database: {},
      rpc: { client: () => ({}) },
      showDependency: (name: string, isThere: () => boolean) => shown.set(name, isThere),
    } as unknown as Platform);
    await limits.limiter.close();
    return [...shown].map(([name, isThere]) => [name, isThere()]);
  };

  it('is that Redis is away, when they are counted without it', async () => {
    const port = await freePort();
    expect(await opened({ REDIS_URL: `redis://127.0.0.1:${port}` })).toEqual([['redis', false]]);
  });

  it('is nothing where no Redis is wanted', async () => {
    expect(await opened({})).toEqual([]);
  });
});
