/** Issue 4 section 1 item 4: what a send needs, and what it does not. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { SERVICE_NAMES } from '@watchword/config';
import type { Answer } from '../support/http.js';
import { type Customer, Suite } from '../support/suite.js';
import { isBack } from '../faults/service.faults.js';
import { waitUntil } from '../support/wait-until.js';
import { SplitSystem } from './split-system.js';

const suite = new Suite();
let system: SplitSystem;
let customer: Customer;

beforeAll(async () => {
  system = await SplitSystem.openFor(suite);
  customer = await suite.customer({ credits: 100_000 });
});

afterEach(() => system.processes.resume());
afterAll(() => system.close());

interface Sent {
  answer: Answer;
  key: string;
}

async function send(key: string = randomUUID()): Promise<Sent> {
  const answer = await customer.sendSms(
    { phone_number: numberOf(key) },
    { headers: { 'idempotency-key': key } },
  );
  return { answer, key };
}

/** The same for the same key: a retry is the same request. */
function numberOf(key: string): string {
  return `+234803${String(Number.parseInt(key.slice(0, 8), 16) % 10_000_000).padStart(7, '0')}`;
}

const isDelivered = (id: string) => customer.smsWith('delivered', id);

async function succeedsMeanwhile(look = async () => {}): Promise<void> {
  const ids: string[] = [];
  for (let sends = 0; sends < 5; sends += 1) {
    const { answer } = await send();
    expect(answer.status).toBe(200);
    ids.push(answer.json.id as string);
  }
  await look();
  system.processes.resume();
  for (const id of ids) await isDelivered(id);
}

/** Checks each replica's status, including a replica that still gets work. */
async function statusSays(service: string, dependency: string, isThere: boolean) {
  for (const { health_url: health } of system.processes.services(service)) {
    const what = `${service} to say that ${dependency} is ${isThere ? 'back' : 'away'}`;
    const says = async () => {
      const answer = await fetch(health.replace('/health', '/ready'));
      const { others } = (await answer.json()) as { others: Record<string, boolean> };
      expect(answer.status).toBe(200);
      return others[dependency] === isThere;
    };
    await waitUntil(what, says, { everyMs: 100 });
  }
}

/** Checks that every process answers, whatever hangs. */
async function statusIsAnswered(): Promise<void> {
  const urls = SERVICE_NAMES.flatMap((name) => system.processes.services(name));
  const asked = urls.flatMap(({ health_url: health }) =>
    ['/ready', '/metrics'].map((path) => fetch(health.replace('/health', path))),
  );
  for (const answer of await Promise.all(asked)) expect(await answer.text()).not.toBe('');
}

describe('a send succeeds, and its message arrives afterwards', () => {
  it.each(['dispatch', 'webhooks'])('while %s is stopped', async (service) => {
    system.processes.pause(system.processes.pidsOf(service));
    await succeedsMeanwhile();
  });

  it('while Kafka is stopped', async () => {
    const pids = system.processes.serverPids('kafka', 'kafka-1');
    expect(pids).toHaveLength(1);
    system.processes.pause(pids);
    await succeedsMeanwhile(async () => {
      for (const service of SERVICE_NAMES) await statusSays(service, 'bus', false);
      await statusIsAnswered();
    });
    for (const service of SERVICE_NAMES) await statusSays(service, 'bus', true);
  });

  it('while Redis is stopped', async () => {
    const pids = system.processes.serverPids('redis');
    expect(pids).toHaveLength(1);
    await send();
    await statusSays('gateway', 'redis', true);
    system.processes.pause(pids);
    await send();
    await succeedsMeanwhile(async () => {
      await statusSays('gateway', 'redis', false);
      await statusIsAnswered();
    });
    await statusSays('gateway', 'redis', true);
  });

  it('when both of dispatch die', async () => {
    system.processes.kill(system.processes.pidsOf('dispatch'));
    await succeedsMeanwhile();
  });
});

/** Every answer while it is unavailable is a clear refusal. */
async function refusedMeanwhile(
  goAway: () => void,
  look = async () => {},
  meanwhile = async () => {},
): Promise<void> {
  const before = await customer.balance();
  goAway();
  const refused = await Promise.all([1, 2, 3, 4, 5].map(() => send()));
  for (const { answer } of refused) {
    expect({ status: answer.status, type: answer.json?.error?.type }).toEqual({
      status: 503,
      type: 'internal_error',
    });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  }
  await meanwhile();
  system.processes.resume();
  await back();
  await look();
  // A retry with the same key is one message, also when the first try had succeeded.
  for (const { key } of refused) expect((await send(key)).answer.status).toBe(200);
  expect(await customer.balance()).toBe(before - 5 * refused.length);
}

async function back(): Promise<void> {
  const probe = async () =>
    (await everyReplicaIsReady()) &&
    customer.get('/v1/balance').then(
      ({ status }) => status === 200,
      () => false,
    );
  await waitUntil('the system to answer again', probe, { timeoutMs: 60_000 });
}

/** One replica is enough for an answer. The other one may still be starting. */
async function everyReplicaIsReady(): Promise<boolean> {
  const ready = SERVICE_NAMES.map((name) => isBack(system.processes, name, []));
  return (await Promise.all(ready)).every(Boolean);
}

describe('a send is refused, and charges nothing', () => {
  it('while both of billing are dead', async () => {
    const before = await customer.balance();
    await refusedMeanwhile(
      () => system.processes.kill(system.processes.pidsOf('billing')),
      async () => {
        expect(await customer.balance()).toBe(before);
      },
    );
  });

  it('while PostgreSQL is stopped, after the time-outs of the driver', async () => {
    const postmaster = system.processes.postmasterPid();
    // The first goes first: it could start another server process meanwhile. A charge that was on its way is given
    // up; its outcome is unknown.
    const stop = () => {
      system.processes.pause([postmaster]);
      system.processes.pause(system.processes.serverPids('postgres'));
    };
    await refusedMeanwhile(stop, undefined, statusIsAnswered);
  });
});

describe('PostgreSQL that dies', () => {
  it('costs no acknowledged send, and every send is one message in the end', async () => {
    const before = await customer.balance();
    const done: Sent[] = [];
    const until = performance.now() + 6_000;
    setTimeout(() => system.processes.kill([system.processes.postmasterPid()]), 1_000);
    while (performance.now() < until) {
      done.push(await send());
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const statuses = new Set(done.map(({ answer }) => answer.status));
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    await back();
    for (const { key, answer } of done) {
      const again = await send(key);
      expect(again.answer.status).toBe(200);
      if (answer.status === 200) expect(again.answer.json.id).toBe(answer.json.id);
    }
    expect(await customer.balance()).toBe(before - 5 * done.length);
  });
});
