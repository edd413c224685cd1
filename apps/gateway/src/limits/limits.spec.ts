import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '@watchword/config';
import { freePort } from '@watchword/postgres';
import { createLogger } from '@watchword/observability';
import type { Platform } from '@watchword/platform';
import { FakeClock } from '@watchword/testing';
import { openLimiter } from './limits.js';

describe('what the status shows of the limits', () => {
  const opened = async (settings: Record<string, string>) => {
    const shown = new Map<string, () => boolean>();
    const limiter = await openLimiter({
      config: loadConfig(settings).config,
      clock: new FakeClock(),
      logger: createLogger({ service: 'gateway', level: 'silent' }),
      showDependency: (name: string, isThere: () => boolean) => shown.set(name, isThere),
    } as unknown as Platform);
    await limiter.close();
    return [...shown].map(([name, isThere]) => [name, isThere()]);
  };

  it('is that Redis is unavailable, when they are counted without it', async () => {
    const port = await freePort();
    expect(await opened({ REDIS_URL: `redis://127.0.0.1:${port}` })).toEqual([['redis', false]]);
  });

  it('is nothing where no Redis is wanted', async () => {
    expect(await opened({})).toEqual([]);
  });
});
