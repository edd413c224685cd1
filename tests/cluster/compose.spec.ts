/**
 * Without a container engine: every service of docker-compose.yml starts with exactly its
 * environment, command and ports, against local servers. Only names of Compose's network become
 * addresses of this machine. Issue 4 section 1 item 10.
 */
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SERVICE_NAMES } from '@watchword/config';
import { ALL_TOPICS } from '@watchword/contracts';
import { findRedis, ServerProcess, startKafka } from '@watchword/local-servers';
import { freePort } from '@watchword/postgres';
import { createClient, startEmbeddedPostgres } from '@watchword/postgres';
import { Kafka, logLevel } from 'kafkajs';
import {
  assignmentsOf,
  type ComposeService,
  composeWith,
  createdFiles,
  root,
} from '../deploy/compose-file.js';
import { HttpClient } from '../support/http.js';
import { waitUntil } from '../support/wait-until.js';

const reader = { username: 'finance', password: 'a password of its own' };
const files = createdFiles('--simulator');
const settings: Record<string, string> = {
  ...assignmentsOf(files['settings.env']),
  KAFKA_READER_USERS: `user_${reader.username}="${reader.password}"`,
};
const { services } = composeWith(settings);
const names = ['carrier-sim', 'billing', 'dispatch', 'webhooks', 'gateway'];
const path = [dirname(process.execPath), process.env['PATH']].join(delimiter);

let directory: string;
/** Values in the file, and their replacement on this machine. */
let places: [inCompose: string | RegExp, here: string][];
const running: { stop(): Promise<unknown> }[] = [];
const clients: HttpClient[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'watchword-compose-'));
  // The database server runs under another user.
  await chmod(directory, 0o755);
  const starting = [database(), kafka(), redis()] as const;
  // The test must know all starting servers before one of them fails.
  await Promise.allSettled(starting);
  places = (await Promise.all(starting)).flat();
  for (const name of names) places.push([`//${name}:`, '//127.0.0.1:']);
  const carriers = join(directory, 'carriers.json');
  places.push(['/etc/watchword/carriers.json', carriers]);
  for (const name of names) places.push([new RegExp(`(?<!\\w)${name}:8`, 'g'), '127.0.0.1:8']);
  // A relay has no address with a scheme, as the others have.
  const rows = placed(files['carriers.json']!).replace('"carrier-sim"', '"127.0.0.1"');
  await writeFile(carriers, rows);
  await migrate();
  for (const name of names) await start(name);
});

afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  for (const one of running.toReversed()) await one.stop();
  await rm(directory, { recursive: true, force: true });
});

async function database(): Promise<[string, string][]> {
  const server = await startEmbeddedPostgres({ directory });
  running.push(server);
  const { DATABASE_URL: ofAdministrator = '' } = services['migrate']?.environment ?? {};
  const { host } = new URL(server.url);
  return [
    [ofAdministrator, server.url],
    ['@postgres:5432/watchword', `@${host}/postgres`],
  ];
}

/** Starts Kafka with the file's settings, as the image turns them into properties. */
async function kafka(): Promise<[string, string][]> {
  const ofPlace = /LISTENERS|VOTERS|LOG_DIRS|HEAP_OPTS|ADMIN_PASSWORD/;
  const entries = Object.entries(services['kafka']?.environment ?? {})
    .filter(([name]) => !ofPlace.test(name))
    .map(([name, value]) => [
      name
        .replace(/^KAFKA_/, '')
        .toLowerCase()
        .replaceAll('_', '.'),
      value,
    ]);
  const properties = Object.fromEntries(entries) as Record<string, string>;
  const server = await startKafka({ dataDir: join(directory, 'kafka'), settings: properties });
  running.push(server);
  return [['kafka:9092', server.brokers.join(',')]];
}

async function redis(): Promise<[string, string][]> {
  const { command = [], environment = {}, healthcheck } = services['redis'] as ComposeService;
  // The image has it; this machine may not have it yet.
  await findRedis();
  const port = await freePort();
  const [shell, ...args] = command as [string, ...string[]];
  const check = healthcheck.test.slice(1).toSpliced(1, 0, '-p', String(port));
  const server = new ServerProcess({
    name: 'Redis',
    command: shell,
    args: args.map((text) => text.replace('redis-server ', `redis-server --port ${port} `)),
    directory: join(directory, 'redis'),
    environment: { ...environment, PATH: path },
    isReady: () => succeeds(check, { cwd: directory, env: { ...environment, PATH: path } }),
  });
  running.push(server);
  await server.start();
  return [['redis:6379', `127.0.0.1:${port}`]];
}

/** Runs the administrator's job, which the services wait for. */
async function migrate(): Promise<void> {
  const { command = [], environment = {} } = services['migrate'] as ComposeService;
  const here = Object.entries(environment).map(([variable, value]) => [variable, placed(value)]);
  const env = { ...Object.fromEntries(here), PATH: path } as Record<string, string>;
  await promisify(execFile)(command[0] ?? '', command.slice(1), { cwd: root, env });
}

async function start(name: string): Promise<void> {
  const {
    command = [],
    environment = {},
    env_file: given = [],
    healthcheck,
  } = services[name] as ComposeService;
  const secrets = given.map(({ path: file }) => assignmentsOf(files[basename(file)]));
  const here = Object.entries(Object.assign({}, ...secrets, environment) as typeof environment).map(
    ([variable, value]) => [variable, placed(value)],
  );
  // The image's working directory, which has only some paths of this tree.
  const workplace = join(directory, name);
  await mkdir(workplace);
  for (const part of ['apps', 'deploy']) await symlink(join(root, part), join(workplace, part));
  const env = { ...Object.fromEntries(here), PATH: path } as Record<string, string>;
  const server = new ServerProcess({
    name,
    command: command[0] ?? '',
    args: command.slice(1),
    directory: workplace,
    environment: env,
    isReady: () => succeeds(healthcheck.test.slice(1), { cwd: workplace, env }),
    startTimeoutMs: 60_000,
  });
  running.push(server);
  await server.start();
}

function placed(value: string): string {
  return places.reduce((text, [inCompose, here]) => text.replaceAll(inCompose, here), value);
}

async function succeeds(
  command: string[],
  where: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<boolean> {
  const [program, ...args] = command as [string, ...string[]];
  return promisify(execFile)(program, args, where).then(
    ({ stdout }) => !stdout.includes('ERR'),
    () => false,
  );
}

function client(port: string | undefined): HttpClient {
  const made = new HttpClient(`http://127.0.0.1:${port}`);
  clients.push(made);
  return made;
}

describe('the services of docker-compose.yml', () => {
  it.each(names.slice(1))('%s answers on its own port', async (name) => {
    const status = client(services[name]?.environment?.['METRICS_PORT']);
    expect((await status.get('/health')).json).toEqual({ status: 'ok' });
    expect((await status.get('/ready')).json).toMatchObject({
      status: 'ready',
      others: { bus: true },
    });
    const metrics = await status.get('/metrics');
    expect(metrics.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(metrics.text).toMatch(/^process_resident_memory_bytes \d+$/m);
  });

  it('the services of docker-compose.yml bring a message to the handset and its report back', async () => {
    const gateway = client(services['gateway']?.environment?.['PORT']);
    const headers = { authorization: `Bearer ${settings['OPERATOR_TOKEN']}` };
    const workspace = { name: 'Composed', credits: 100, billing_country: 'NG' };
    const made = await gateway.post('/operator/v1/workspaces', workspace, { headers });
    expect(made.status).toBe(201);
    const key = made.json.live_key as string;
    const sms = { phone_number: '+2348031234567', message: 'From containers, as it were.' };
    const sent = await gateway.post('/v1/sms/send', sms, { key });
    expect(sent.status).toBe(200);
    const isDelivered = async () => {
      const { json } = await gateway.get(`/v1/sms/${sent.json.id}`, { key });
      return json.status === 'delivered';
    };
    await waitUntil('the delivery', isDelivered);
    const { text } = await client(services['dispatch']?.environment?.['METRICS_PORT']).get(
      '/metrics',
    );
    expect(text).toMatch(/^watchword_provider_submit_seconds_count\{provider="africas_talking"/m);
  });
});

/** Returns the access that its environment allows. */
function inside(name: string) {
  const { environment = {} } = services[name] as ComposeService;
  const given = Object.entries(environment).map(([variable, value]) => [variable, placed(value)]);
  return Object.fromEntries(given) as Record<string, string>;
}

describe.each(SERVICE_NAMES)('%s is refused', (name) => {
  const others = SERVICE_NAMES.filter((other) => other !== name);

  it('at the tables of its neighbours, and as an administrator', async () => {
    const { DATABASE_URL = '', DATABASE_PASSWORD: password = '' } = inside(name);
    const { href: url } = Object.assign(new URL(DATABASE_URL), { password });
    const database = createClient({ url, applicationName: 'neighbour' });
    await database.connect();
    const refused = (text: string) =>
      expect(database.query(text)).rejects.toMatchObject({ code: '42501' });
    for (const other of others) await refused(`SELECT FROM ${other}.message_queue`);
    await refused('CREATE ROLE watchword_other');
    await refused(
      `DELETE FROM ${name}.migrations; ALTER TABLE ${name}.message_queue DISABLE TRIGGER ALL`,
    );
    await database.end();
  });

  it('at the topics of its neighbours, and without its password', async () => {
    const { KAFKA_BROKERS = '', KAFKA_USERNAME, KAFKA_PASSWORD: own = '' } = inside(name);
    const open = (password: string) =>
      new Kafka({
        brokers: KAFKA_BROKERS.split(','),
        logLevel: logLevel.NOTHING,
        retry: { retries: 0 },
        sasl: { mechanism: 'plain', username: KAFKA_USERNAME ?? '', password },
      });
    const producer = open(own).producer();
    await producer.connect();
    for (const topic of ALL_TOPICS) {
      if (topic.owner === name) continue;
      const sent = producer.send({ topic: topic.name, messages: [{ value: 'forged' }] });
      await expect(sent).rejects.toMatchObject({ type: 'TOPIC_AUTHORIZATION_FAILED' });
    }
    await producer.disconnect();
    await expect(open('wrong').admin().connect()).rejects.toThrow();
  });
});
