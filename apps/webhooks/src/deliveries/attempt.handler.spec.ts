import { expect, it } from '@jest/globals';
import { newId } from '@watchword/contracts';
import { createLogger } from '@watchword/observability';
import { signingKey } from '../payloads/signature.policy.js';
import { AttemptHandler, type Task } from './attempt.handler.js';

const PHONE_NUMBER = '+2348031234567';

function taskOf(messageId: string): Task {
  const body = JSON.stringify({ data: { id: messageId, phone_number: PHONE_NUMBER } });
  const event = { id: `evt_${newId()}`, type: 'sms.delivered', body: Buffer.from(body) };
  const delivery = {
    workspaceId: newId(),
    deliveryId: newId(),
    endpointId: newId(),
    endpointVersion: 1,
    attemptCount: 0,
    leasedUntilMs: Date.now() + 60_000,
    event,
  };
  const receiver = {
    endpointId: delivery.endpointId,
    version: 1,
    url: new URL('https://example.com/hooks'),
    keys: { current: signingKey('whsec_a2V5'), previous: null },
    pace: 'fast',
  };
  return { delivery, receiver } as unknown as Task;
}

it.each([
  [200, 'webhook delivered'],
  [500, 'webhook to be retried'],
])('an attempt answered with %i is a line with the id of the message', async (statusCode, msg) => {
  const lines: string[] = [];
  const logger = createLogger(
    { service: 'webhooks', level: 'info' },
    { write: (line) => void lines.push(line) },
  );
  const outcome = { statusCode, retryAfter: null, responseBody: null, error: null, latencyMs: 5 };
  const handler = new AttemptHandler(
    { record: async () => [], release: async () => undefined } as never,
    { post: async () => outcome },
    { due: () => undefined, passedTest: async () => undefined, disabled: () => undefined },
    { now: () => Date.now() },
    logger,
  );
  const messageId = newId();
  await handler.attempt(taskOf(messageId));
  await handler.drained();
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { messageId, event: 'sms.delivered', attempt: 1, statusCode, msg },
  ]);
  expect(lines[0]).not.toContain(PHONE_NUMBER);
});
