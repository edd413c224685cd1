/** Issue 4 section 1 item 2: the consumer of docs/guides/consume-topics.md, as it stands there. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Customer, Suite } from '../support/suite.js';
import { waitUntil } from '../support/wait-until.js';
import { SplitSystem } from './split-system.js';

jest.setTimeout(120_000);

const root = join(import.meta.dirname, '../..');
const suite = new Suite();
let system: SplitSystem;
let customer: Customer;
let consumer: ChildProcess;
let lines = '';

beforeAll(async () => {
  system = await SplitSystem.openFor(suite);
  customer = await suite.customer();
  const { NODE_OPTIONS: _, ...environment } = process.env;
  consumer = spawn(process.execPath, ['--input-type=module', '--eval', codeOfTheGuide()], {
    cwd: root,
    env: { ...environment, ...environmentOfTheGuide() },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  consumer.stdout?.on('data', (chunk: Buffer) => (lines += chunk.toString()));
});

afterAll(async () => {
  consumer?.kill('SIGKILL');
  await system.close();
});

function environmentOfTheGuide() {
  const { kafka_brokers, kafka_username, kafka_password } = system.processes.credentials;
  return {
    KAFKA_BROKERS: kafka_brokers.join(','),
    ...(kafka_username && { KAFKA_USERNAME: kafka_username, KAFKA_PASSWORD: kafka_password }),
  };
}

function codeOfTheGuide(): string {
  const guide = readFileSync(`${root}/docs/guides/consume-topics.md`, 'utf8');
  const [, code] = /```js\n([^]*?)```/.exec(guide) ?? [];
  if (code === undefined) throw new Error('the guide has no code');
  return code;
}

describe('the consumer of the guide', () => {
  it('hears once of each delivered message, and of no test', async () => {
    const test = await customer.sendSms({}, { key: customer.testKey });
    const live = [await customer.sendSms(), await customer.sendSms()];
    const ids = live.map(({ json }) => json.id as string);
    await customer.smsWith('delivered', test.json.id as string, { key: customer.testKey });
    const hasAll = () => ids.every((id) => lines.includes(id));
    await waitUntil('the consumer to hear of both', async () => hasAll(), { timeoutMs: 60_000 });
    for (const id of ids) expect(lines.split(id)).toHaveLength(2);
    expect(lines).not.toContain(test.json.id);
    expect(lines).toMatch(/^[0-9a-f-]{36} \{.*"NG":\d+.*\}$/m);
  });

  it('ends at its signal', async () => {
    const ended = new Promise((resolve) => consumer.once('exit', resolve));
    consumer.kill('SIGTERM');
    expect(await ended).toBe(0);
  });
});
