import { expect, it } from '@jest/globals';
import type { InboundMessage } from '@watchword/contracts';
import { FakeClock } from '@watchword/testing';
import { ConnectionInbound } from './connection-inbound.js';
import type { InboundHandler } from './inbound.handler.js';

const stop = { from: '+2348031234567', to: '20880', body: ' Stop. ', providerMessageId: null };

function inbound(handle: (messages: readonly InboundMessage[]) => Promise<void>) {
  const handler = { handle } as unknown as InboundHandler;
  return new ConnectionInbound(handler, new FakeClock());
}

it('only the keyword of a message reaches the handler', async () => {
  const handled: InboundMessage[] = [];
  await inbound(async (messages) => void handled.push(...messages)).take('smpp', [stop]);
  expect(handled).toMatchObject([
    { provider: 'smpp', from: '+2348031234567', to: '20880', keyword: 'stop' },
  ]);
  expect(JSON.stringify(handled)).not.toContain('Stop.');
});

it('a message that could not be recorded is not acknowledged', async () => {
  const failing = inbound(() => Promise.reject(new Error('the database is away')));
  await expect(failing.take('smpp', [stop])).rejects.toThrow('the database is away');
});
