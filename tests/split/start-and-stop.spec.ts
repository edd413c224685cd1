/** Issue 4 section 1 item 8: a separate cluster is started, stopped, and started once more. */
import { mkdtempSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { SERVICE_NAMES } from '@watchword/config';
import { freePort } from '@watchword/postgres';
import type { ClusterCredentials } from '../support/cluster-processes.js';
import { type Descendant, isListening, processTree, stillThere } from '../support/process-tree.js';
import { type Customer, Suite } from '../support/suite.js';
import { RunningSystem } from '../support/system.js';
import { waitUntil } from '../support/wait-until.js';

jest.setTimeout(300_000);

const program = 'apps/cluster/dist/main.js';
/** The cluster starts its own servers and ignores those of the environment. */
const settings = { DATABASE_URL: '', KAFKA_BROKERS: '', REDIS_URL: '', LOG_LEVEL: 'info' };
const suite = new Suite();
let system: RunningSystem;

beforeAll(async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'watchword cluster '));
  system = new RunningSystem(await freePort(), dataDir, settings, program);
});

afterAll(() => system?.close());

const credentials = () => system.credentials as ClusterCredentials;

/** Returns the ports in the file. */
function portsSaid(): number[] {
  const { base_url, simulator_url, services, kafka_brokers, redis_url, database_url } =
    credentials();
  const ofServices = services.flatMap(({ health_url, metrics_url, base_url: own }) =>
    [health_url, metrics_url, own].filter((url) => url !== undefined),
  );
  const brokers = kafka_brokers.map((address) => `kafka://${address}`);
  const urls = [base_url, simulator_url, redis_url, database_url, ...ofServices, ...brokers];
  return [...new Set(urls.map((url) => Number(new URL(url).port)))];
}

async function openOf(ports: readonly number[]): Promise<number[]> {
  const open = await Promise.all(ports.map(isListening));
  return ports.filter((_, index) => open[index]);
}

/** Returns all parts of a running cluster: processes and ports, its own and its containers'. */
async function parts(): Promise<{ processes: Descendant[]; ports: number[] }> {
  const processes = processTree(system.child!.pid!);
  const said = portsSaid();
  expect(await openOf(said)).toEqual(said);
  const ports = [...new Set([...said, ...processes.flatMap((one) => one.ports)])];
  const pids = processes.map(({ pid }) => pid);
  expect(pids).toEqual(expect.arrayContaining(credentials().services.map(({ pid }) => pid)));
  return { processes, ports };
}

/** Returns the servers on this machine. An engine's containers are not killed. */
function serversOfIts(name: 'Redis' | 'Kafka'): Descendant[] {
  const program = { Redis: /redis-server/, Kafka: /kafka\.Kafka/ }[name];
  return processTree(system.child!.pid!).filter(({ command }) => program.test(command));
}

/** A container's process is a child of its engine: the port has a listener, and none of ours. */
function isInContainer(name: 'Redis' | 'Kafka'): boolean {
  const { redis_url, kafka_brokers } = credentials();
  const url = { Redis: redis_url, Kafka: `kafka://${kafka_brokers[0]}` }[name];
  const ours = processTree(system.child!.pid!).flatMap(({ ports }) => ports);
  return !ours.includes(Number(new URL(url).port));
}

/** SIGKILL; it comes back by itself, where it was. */
async function losesAndRegains(name: 'Redis' | 'Kafka'): Promise<void> {
  if (isInContainer(name)) return;
  const server = serversOfIts(name)[0]!;
  expect(server).toBeDefined();
  process.kill(server.pid, 'SIGKILL');
  const places = JSON.stringify(server.ports.toSorted());
  const isAnother = ({ pid, ports }: Descendant) =>
    pid !== server.pid && JSON.stringify(ports.toSorted()) === places;
  await waitUntil(`another ${name}`, () => serversOfIts(name).some(isAnother));
  const logged = system.output.match(new RegExp(`"${name}[^"]* died and is started again"`, 'g'));
  expect(logged).toHaveLength(1);
}

/** Sends requests until the system has stopped. Returns how many were answered, and how those without an answer ended. */
async function requestsUntilAway(customer: Customer) {
  const ends: string[] = [];
  let answered = 0;
  const goOn = async () => {
    for (;;) {
      const { status } = await customer.sendSms();
      expect(status).toBe(200);
      answered += 1;
    }
  };
  const busy = Array.from({ length: 8 }, () =>
    goOn().catch((error: NodeJS.ErrnoException) => void ends.push(error.code ?? String(error))),
  );
  await Promise.all(busy);
  return { answered, ends };
}

async function endsWithoutATrace(): Promise<void> {
  const { processes, ports } = await parts();
  const exitCode = await system.stop('SIGTERM');
  expect({ exitCode, output: system.output }).toMatchObject({ exitCode: 0 });
  // The watchdog of a server ends after the server.
  await waitUntil('every process to be gone', () => stillThere(processes).length === 0).catch(() =>
    expect(stillThere(processes)).toEqual([]),
  );
  expect(await openOf(ports)).toEqual([]);
  expect(readdirSync(system.dataDir)).not.toContain('lock.json');
}

let customer: Customer;
let sent: string;
let delivered: Awaited<ReturnType<Customer['smsWith']>>;
let before: ClusterCredentials;
let balanceLeft: number;

// Each case continues from the one before.
it('a cluster starts in an empty directory with two replicas of each service', async () => {
  expect(readdirSync(system.dataDir)).toEqual([]);
  await suite.open(() => system.start());
  before = credentials();
  expect(system.output).toContain('two of each service behind it');
  expect(system.output).not.toContain('is not reached');
  expect(statSync(join(system.dataDir, 'dev-credentials.json')).mode & 0o777).toBe(0o600);
  const names = before.services.map(({ name, replica }) => `${name} ${replica}`);
  const twice = SERVICE_NAMES.flatMap((name) => [`${name} 1`, `${name} 2`]);
  expect(names.toSorted()).toEqual(twice.toSorted());
  customer = await suite.customer({ credits: 100_000 });
  sent = (await customer.sendSms()).json.id as string;
  delivered = await customer.smsWith('delivered', sent);
});

it.each(['Redis', 'Kafka'] as const)(
  'a cluster starts a killed %s again, and delivers messages',
  async (name) => {
    await losesAndRegains(name);
    const { json } = await customer.sendSms();
    await customer.smsWith('delivered', json.id as string);
  },
);

it('a cluster answers open requests at SIGTERM, and leaves no process and no listener', async () => {
  const balance = await customer.balance();
  const busy = requestsUntilAway(customer);
  await endsWithoutATrace();
  // Afterwards connections are refused. One that no process had taken yet is reset.
  const { answered, ends } = await busy;
  expect(ends).toHaveLength(8);
  for (const end of ends) expect(['ECONNREFUSED', 'ECONNRESET']).toContain(end);
  balanceLeft = balance - 5 * answered;
});

it('a restarted cluster keeps its data and keys, and has charged what it answered', async () => {
  await system.start();
  const { live_key, test_key, operator_token, workspace_id } = before;
  expect(credentials()).toMatchObject({ live_key, test_key, operator_token, workspace_id });
  expect((await customer.getSms(sent)).json).toEqual(delivered);
  const left = await customer.balance();
  expect(left).toBe(balanceLeft);
  const { json: after } = await customer.sendSms();
  await customer.smsWith('delivered', after.id as string);
  expect(await customer.balance()).toBe(left - 5);
});

it('a restarted cluster leaves no process and no listener either', () => endsWithoutATrace());
