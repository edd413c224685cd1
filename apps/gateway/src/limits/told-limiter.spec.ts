import { expect, it } from '@jest/globals';
import { newId } from '@watchword/contracts';
import { createLogger } from '@watchword/observability';
import { MemoryRateLimiter } from '@watchword/rate-limit';
import { FakeClock } from '@watchword/testing';
import { toldLimiter } from './told-limiter.js';

function limits(level: string) {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const logger = createLogger({ service: 'gateway', level }, { write });
  const memory = new MemoryRateLimiter({ clock: new FakeClock(0) });
  return { memory, limiter: toldLimiter(memory, logger), lines };
}

it('a refusal is a debug line with its limit, and without the number or the address', async () => {
  const { memory, limiter, lines } = limits('debug');
  const workspace = newId();
  const counters = [
    { key: 'ip:live:10.1.2.3', limit: null, windowSeconds: 60 },
    { key: `otp-number:${workspace}:+2348031234567`, limit: 1, windowSeconds: 600 },
  ];
  await limiter.take(counters);
  await limiter.take(counters);
  await limiter.take([{ key: 'ip:live:10.1.2.3', limit: 0, windowSeconds: 60 }]);
  await memory.close();
  const told = lines.map((line) => JSON.parse(line) as object);
  expect(told).toMatchObject([
    { level: 'debug', counter: `otp-number:${workspace}:…`, limit: 1, windowSeconds: 600 },
    { counter: 'ip:live:…', limit: 0, msg: 'request refused by a limit' },
  ]);
});

it('without debug lines the limiter is as it was', async () => {
  const { memory, limiter } = limits('info');
  expect(limiter).toBe(memory);
  await memory.close();
});
