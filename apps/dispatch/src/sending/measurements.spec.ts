import { describe, expect, it } from '@jest/globals';
import { renderMetrics } from '@watchword/observability';
import { PROVIDER_NAMES, SIMULATOR_NAMES } from '@watchword/carriers';
import { asId } from '@watchword/contracts';
import type { Attempt } from '../messages/message.js';
import { noteSubmit } from './measurements.js';

function submitTo(provider: string): void {
  const attempt = { provider, number: 1, resend: 0 } as Attempt;
  noteSubmit(
    asId('a message'),
    attempt,
    { outcome: 'accepted', providerMessageId: 'a reference' },
    20,
  );
}

async function submits(): Promise<Record<string, number>> {
  const count =
    /^watchword_provider_submit_seconds_count\{provider="(\w+)",outcome="accepted"\} (\d+)$/gm;
  const found = [...(await renderMetrics()).matchAll(count)];
  return Object.fromEntries(found.map(([, provider, times]) => [provider, Number(times)]));
}

describe('the label of a submit', () => {
  it('is the name that clients see, one for all simulators, and never `other`', async () => {
    const carriers = PROVIDER_NAMES.filter((name) => name !== 'simulator');
    const before = await submits();
    for (const provider of [...carriers, ...SIMULATOR_NAMES]) submitTo(provider);
    const now = await submits();
    const added = Object.entries(now).map(([name, count]) => [name, count - (before[name] ?? 0)]);
    const each = Object.fromEntries(carriers.map((name) => [name, 1]));
    expect(Object.fromEntries(added)).toEqual({ ...each, simulator: 3 });
  });
});
