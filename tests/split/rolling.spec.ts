/** Each replica is stopped with SIGTERM and started again, one after the other, while customers send. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { freshNumber } from '../support/numbers.js';
import { type Customer, Suite } from '../support/suite.js';
import { waitUntil } from '../support/wait-until.js';
import { SplitSystem } from './split-system.js';

jest.setTimeout(900_000);

const suite = new Suite();
let system: SplitSystem;
let customer: Customer;

beforeAll(async () => {
  system = await SplitSystem.openFor(suite);
  customer = await suite.customer({ credits: 100_000 });
});

afterAll(() => system.close());

const sendEveryMs = 50;

/** A customer that sends all the time, without retries. */
class SteadyClient {
  readonly accepted: string[] = [];
  readonly failed: string[] = [];
  private going = true;
  private readonly sending = this.live();

  async stop(): Promise<void> {
    this.going = false;
    await this.sending;
  }

  private async live(): Promise<void> {
    const sends: Promise<void>[] = [];
    for (; this.going; await sleep(sendEveryMs)) sends.push(this.send());
    await Promise.all(sends);
  }

  private async send(): Promise<void> {
    try {
      const headers = { 'idempotency-key': randomUUID() };
      const { status, json, text } = await customer.sendSms(
        { phone_number: freshNumber() },
        { headers },
      );
      if (status === 200) this.accepted.push(json.id as string);
      else this.failed.push(`${status} ${text}`);
    } catch (error) {
      this.failed.push(String(error));
    }
  }
}

async function isReady(url: string): Promise<boolean> {
  const answer = await fetch(url.replace('/health', '/ready')).catch(() => undefined);
  return answer?.status === 200;
}

/** Stops a replica. Resolves when another process answers in its place. */
async function replace(service: string, replica: number): Promise<void> {
  const entry = () => system.processes.services(service).find((one) => one.replica === replica)!;
  const { pid: before, health_url: health } = entry();
  process.kill(before as number, 'SIGTERM');
  const isBack = async () => {
    const { pid } = entry();
    return pid !== null && pid !== before && (await isReady(health));
  };
  await waitUntil(`${service} ${replica} to be back`, isBack, { timeoutMs: 120_000 });
}

/** Lines that say why a gateway has refused. */
function refusalsOfGateways(): string[] {
  const lines = system.processes.services('gateway').flatMap((one) => system.processes.logOf(one));
  return lines.filter((line) => line.includes('answered with 5xx'));
}

it('a rolling restart fails no request and loses no message', async () => {
  const before = await customer.balance();
  const client = new SteadyClient();
  try {
    for (const service of ['billing', 'dispatch', 'webhooks', 'gateway']) {
      for (const { replica } of system.processes.services(service)) await replace(service, replica);
    }
    const soFar = client.accepted.length;
    await waitUntil('sends after the last one', () => client.accepted.length >= soFar + 20);
  } finally {
    await client.stop();
  }
  if (client.failed.length > 0) console.log(refusalsOfGateways().join('\n'));
  expect(client.failed).toEqual([]);
  expect(client.accepted.length).toBeGreaterThan(200);
  expect(await customer.balance()).toBe(before - 5 * client.accepted.length);
  for (const id of client.accepted) await customer.smsWith('delivered', id);
});
