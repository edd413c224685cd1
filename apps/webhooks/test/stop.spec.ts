import { expect, it } from '@jest/globals';
import { WebhookHttpClient } from '../src/deliveries/http-client.adapter.js';
import { TestReceiver } from './receiver.kit.js';

it('a stop awaits a receiver for as long as the process may, however long it takes', async () => {
  const asked = Promise.withResolvers<void>();
  const receiver = await TestReceiver.start();
  receiver.respond = () => asked.resolve();
  const client = new WebhookHttpClient({ allowLoopback: true, deadlineMs: 600_000 });
  const outcome = client.post(new URL(receiver.origin), [], Buffer.from('{}'));
  await asked.promise;
  await client.close(0);
  expect(await outcome).toMatchObject({ statusCode: null });
  await receiver.stop();
});
