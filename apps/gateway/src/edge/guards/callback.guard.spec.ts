import { expect, it } from '@jest/globals';
import type { Knock } from '@watchword/carriers';
import { FakeClock } from '@watchword/testing';
import { CallbackGuard } from './callback.guard.js';

it('an address of the second secret is logged once a minute', async () => {
  const lines: string[] = [];
  const door = { account: 'twilio', carrier: 'twilio' };
  const knocks = {
    second: { verdict: 'open', door, bySecond: true },
  } as unknown as Record<string, Knock>;
  const clock = new FakeClock();
  const guard = new CallbackGuard(
    { knock: (_: string, secret: string) => knocks[secret] } as never,
    { take: async () => ({ admitted: true }) } as never,
    { trustedProxies: 0 } as never,
    clock,
    { info: () => lines.push('info') } as never,
  );
  const enter = (secret: string) =>
    guard
      .enter({
        params: { account: 'twilio', secret },
        raw: { socket: { remoteAddress: '127.0.0.1' }, headers: {} },
      } as never)
      .catch(() => undefined);
  for (const secret of ['second', 'second']) await enter(secret);
  expect(lines).toEqual(['info']);
  clock.advance(60_000);
  await enter('second');
  expect(lines).toEqual(['info', 'info']);
});
