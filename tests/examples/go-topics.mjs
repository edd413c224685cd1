import assert from 'node:assert/strict';
import { join } from 'node:path';
import { call, run, until, whileRunning } from './support.mjs';

/** The worker prints the events of a message with what the workspace spent; every message fits its schema. */
export async function check(folder, { credentials }) {
  await run('go', ['vet', './...'], { cwd: folder });
  await run('go', ['build', '-o', 'go-topics', '.'], { cwd: folder });
  const env = {
    KAFKA_BROKERS: credentials.kafka_brokers.join(),
    KAFKA_USERNAME: credentials.kafka_username,
    KAFKA_PASSWORD: credentials.kafka_password,
  };
  const send = (key) =>
    call('POST', `${credentials.base_url}/v1/otp/send`, key, { phone_number: '+2348031234571' });
  await send(credentials.test_key);
  const { id, credit_cost: cost } = await send(credentials.live_key);
  const command = [join(folder, 'go-topics')];
  const output = await whileRunning(command, { cwd: folder, env }, (soFar) =>
    until('message.sent', async () => {
      const text = soFar();
      return text.includes(`message.sent ${id} `) ? text : undefined;
    }),
  );
  assert.match(output, new RegExp(`message.sent ${id} ${cost}\n`));
  assert.doesNotMatch(output, /@\d+: /, 'no message was refused by its schema');
  return 'the events of a message were read and counted';
}
