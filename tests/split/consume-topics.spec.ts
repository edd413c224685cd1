/** Issue 4 section 1 item 2: the consumer of docs/guides/consume-topics.md, as it stands there. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Customer, Suite, UNLIMITED_OTPS } from '../support/suite.js';
import { waitUntil } from '../support/wait-until.js';
import { SplitSystem } from './split-system.js';

const root = join(import.meta.dirname, '../..');
const suite = new Suite();
let system: SplitSystem;
let customer: Customer;
let consumer: ChildProcess;
let before: number;
let lines = '';
let errors = '';

beforeAll(async () => {
  system = await SplitSystem.openFor(suite);
  customer = await suite.customer({ credits: 1_000, settings: UNLIMITED_OTPS });
  before = await customer.balance();
  const { NODE_OPTIONS: _, ...environment } = process.env;
  consumer = spawn(process.execPath, ['--input-type=module', '--eval', codeOfTheGuide()], {
    cwd: root,
    env: { ...environment, ...environmentOfTheGuide() },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  consumer.stdout?.on('data', (chunk: Buffer) => (lines += chunk.toString()));
  consumer.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
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

async function printed(line: string): Promise<void> {
  // Joining a group takes its time after a start.
  await waitUntil(`the consumer to print ${line}`, async () => lines.includes(line), {
    timeoutMs: 100_000,
  }).catch((error: unknown) => {
    throw new Error(`the consumer said:\n${errors.slice(-2_000)}`, { cause: error });
  });
}

/** The last line about these messages has the sum of the ledger. */
async function countedAsCharged(ids: string[]): Promise<void> {
  const spent = before - (await customer.balance());
  const isAbout = (line: string) => ids.some((id) => line.includes(id));
  const last = () => lines.trim().split('\n').findLast(isAbout);
  await waitUntil('the sum of the ledger', async () => last()?.endsWith(` ${spent}`) ?? false);
}

it('the consumer of the guide prints each delivered message once, and no test message', async () => {
  const test = await customer.sendSms({}, { key: customer.testKey });
  const live = [await customer.sendSms(), await customer.sendSms()];
  const ids = live.map(({ json }) => json.id as string);
  await customer.smsWith('delivered', test.json.id as string, { key: customer.testKey });
  for (const id of ids) await printed(`message.delivered ${id}`);
  for (const id of ids) expect(lines.split(`message.delivered ${id}`)).toHaveLength(2);
  expect(lines).not.toContain(test.json.id);
  await countedAsCharged(ids);
});

it('the consumer of the guide ends at its signal', async () => {
  const ended = new Promise((resolve) => consumer.once('exit', resolve));
  consumer.kill('SIGTERM');
  expect(await ended).toBe(0);
});
