/** docker-compose.yml, the chart and `npm run cluster` give each service the same settings and secrets. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { ALL_CARRIERS, settingsOf } from '@watchword/carriers/registry';
import { loadConfig, type ServiceName, SERVICE_NAMES, settings } from '@watchword/config';
import { ALL_TOPICS } from '@watchword/contracts';
import { POOL_SIZES } from '@watchword/host';
import { runCommand } from '../../apps/all-in-one/src/operator/run-command.js';
import { accessOf, planReplicas, portsNeeded } from '../../apps/cluster/src/replica-plan.js';
import { DECIDED_BY_CHART } from '../../tools/chart-settings.mjs';
import { deployedSettings } from '../../tools/deployment-settings.js';
import {
  assignmentsOf,
  composeFile,
  composeWith,
  createdFiles,
  freshSettings,
  interpolate,
  root,
  variablesOf,
} from './compose-file.js';

type Given = Record<ServiceName, string[]>;

const wanted = byService((name) => deployedSettings(name).map(({ variable }) => variable));
const secrets = new Set(
  SERVICE_NAMES.flatMap((name) =>
    deployedSettings(name).flatMap(({ variable, secret }) => (secret ? variable : [])),
  ),
);

function byService(names: (service: ServiceName) => string[]): Given {
  const found = SERVICE_NAMES.map((name) => [name, names(name).toSorted()]);
  return Object.fromEntries(found) as Given;
}

function ofCompose(): Given {
  const { services } = composeWith(freshSettings());
  return byService((name) => Object.keys(services[name]?.environment ?? {}));
}

/** `npm run test:nightly -- chart` holds the rendered containers against the same two lists. */
function ofChart(): Given {
  const file = join(root, 'helm/watchword/settings.json');
  type Optional = Record<ServiceName, { plain: string[]; secret: string[] }>;
  const optional = JSON.parse(readFileSync(file, 'utf8')) as Optional;
  return byService((name) => [
    ...DECIDED_BY_CHART[name],
    ...optional[name].plain,
    ...optional[name].secret,
  ]);
}

/** It passes on what its own environment says. */
function ofCluster(): Given {
  const environment = { PEPPER: 'p'.repeat(32), ENCRYPTION_KEYS: '0f'.repeat(32) };
  const plans = planReplicas({
    config: loadConfig(environment).config,
    servers: {
      databaseUrl: 'postgres://admin:of-all@127.0.0.1:5432/watchword',
      kafkaBrokers: ['127.0.0.1:9092'],
      kafkaHasUsers: true,
      redisUrl: 'redis://127.0.0.1',
    },
    baseUrl: 'http://127.0.0.1:3000',
    replicas: 1,
    inboundSmtpPorts: [2525],
    ports: Array.from({ length: portsNeeded(1) }, (_, index) => index + 1),
    access: accessOf((purpose) => `secret of ${purpose}`),
    carriersFile: '/data/carriers.json',
  });
  const all = new Set(Object.values(wanted).flat());
  return byService((name) => {
    const plan = plans.find(({ service }) => service === name);
    return Object.keys(plan?.environment ?? {}).filter((variable) => all.has(variable));
  });
}

/** Returns missing settings, and those of services that do not read them. */
function complaints(place: string, given: Given): string[] {
  return SERVICE_NAMES.flatMap((name) => [
    ...wanted[name]
      .filter((variable) => !given[name].includes(variable))
      .map((variable) => `${place}: ${name} does not get ${variable}`),
    ...given[name]
      .filter((variable) => !wanted[name].includes(variable))
      .filter((variable) => secrets.has(variable) || place !== 'cluster')
      .map((variable) => `${place}: ${name} gets ${variable}, which it does not read`),
  ]);
}

const before = { ...process.env };
beforeAll(() => {
  for (const variable of Object.values(wanted).flat()) process.env[variable] ??= 'given';
});
afterAll(() => {
  process.env = before;
});

describe('each service gets every setting that it reads, and no secret of another one', () => {
  it('docker-compose.yml', () => expect(complaints('compose', ofCompose())).toEqual([]));
  it('the chart', () => expect(complaints('chart', ofChart())).toEqual([]));
  it('npm run cluster', () => expect(complaints('cluster', ofCluster())).toEqual([]));

  it('the guide lists the settings that Compose decides itself', () => {
    const guide = readFileSync(join(root, 'docs/guides/operate/settings.md'), 'utf8');
    const [, list = ''] = /Compose decides some settings itself: ([^.]+)\./.exec(guide) ?? [];
    const listed = [...list.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name);
    const { wanted: taken } = variablesOf(composeFile());
    const decided = settings.map(({ variable }) => variable).filter((name) => !taken.has(name));
    expect(listed.toSorted()).toEqual(decided.toSorted());
  });

  it('a setting that is missing is named with its place', () => {
    const chart = ofChart();
    const gateway = chart.gateway.filter((variable) => variable !== 'SIGNUP');
    expect(complaints('chart', { ...chart, gateway: [...gateway, 'PEPPER'] })).toEqual([
      'chart: gateway does not get SIGNUP',
      'chart: gateway gets PEPPER, which it does not read',
    ]);
  });
});

it.each(SERVICE_NAMES)('%s gets a password of any characters from Compose', (name) => {
  const password = 'p/#?@%41:word-16';
  const given = { ...freshSettings(), [`${name.toUpperCase()}_DATABASE_PASSWORD`]: password };
  const { environment } = composeWith(given).services[name]!;
  const url = new URL(
    loadConfig({ ...environment, SERVICES: name, CARRIERS_FILE: '' }).config.databaseUrl,
  );
  expect(decodeURIComponent(url.password)).toBe(password);
  expect([url.username, url.host]).toEqual([`watchword_${name}`, 'postgres:5432']);
});

it('the secrets of carriers reach the containers that read them', () => {
  const given = Object.entries(composeFile().services).flatMap(([name, { env_file: files = [] }]) =>
    files.map(({ path, required }) => [name, path, required]),
  );
  expect(given).toEqual([
    ['gateway', 'deploy/accounts.gateway.env', false],
    ['dispatch', 'deploy/accounts.dispatch.env', false],
    ['carrier-sim', 'deploy/accounts.simulator.env', false],
  ]);
  const readers = ALL_CARRIERS.flatMap((carrier) => settingsOf(carrier)).map(
    ({ services }) => services,
  );
  expect(new Set(readers.flat())).toEqual(new Set(['gateway', 'dispatch']));
  const ignored = readFileSync(join(root, '.gitignore'), 'utf8').split('\n');
  expect(ignored).toContain('accounts.*.env');
});

it('callback-urls in Compose prints every address that a proxy or a carrier needs', async () => {
  const files = createdFiles('--simulator');
  const given = { ...assignmentsOf(files['settings.env']), TRACKING_HOST: 'clicks.acme.test' };
  const { services } = composeWith(given);
  const CARRIERS_FILE = join(mkdtempSync(join(tmpdir(), 'watchword-carriers-')), 'carriers.json');
  writeFileSync(CARRIERS_FILE, files['carriers.json']!);
  const lines: string[] = [];
  await runCommand(
    ['callback-urls'],
    { ...services['operator']!.environment, CARRIERS_FILE },
    (line) => lines.push(line),
  );
  const text = lines.join('\n');
  for (const path of ['/callbacks/twilio/', '/callbacks/africas_talking/', '/link-hosts/']) {
    expect(text).toContain(`http://gateway:8300${path}`);
  }
});

it('a trial of the chart runs the servers that Compose pins', () => {
  const text = readFileSync(join(root, 'helm/watchword/values.yaml'), 'utf8');
  const { trialServers } = parse(text) as { trialServers: Record<string, unknown> };
  const { services } = composeFile();
  for (const name of ['postgres', 'kafka', 'redis']) {
    expect(trialServers[`${name}Image`]).toBe(interpolate(services[name]?.image ?? '', {}));
  }
});

it('a pod requests the memory that the guide measured, and has the limit that it names', () => {
  const chart = parse(readFileSync(join(root, 'helm/watchword/values.yaml'), 'utf8')) as Chart;
  interface Chart {
    services: Record<ServiceName, Record<'resources', Record<string, { memory: string }>>>;
  }
  const guide = readFileSync(join(root, 'docs/guides/operate/sizes.md'), 'utf8');
  const { services } = composeFile();
  for (const name of SERVICE_NAMES) {
    const row = new RegExp(`^\\| ${name} \\| \\d+ \\| (\\d+) \\| (\\d+) MB \\|$`, 'm');
    const [, most, limit] = row.exec(guide) ?? [];
    const { requests, limits } = chart.services[name].resources;
    const requested = Number(/^(\d+)Mi$/.exec(requests!.memory)?.[1]) * 2 ** 20;
    expect(requested).toBeGreaterThanOrEqual(Number(most) * 1e6);
    expect([limits!.memory, services[name]?.mem_limit]).toEqual([`${limit}Mi`, `${limit}m`]);
  }
});

it('the guide counts the database connections that a process over Kafka opens', () => {
  const guide = readFileSync(join(root, 'docs/guides/operate/sizes.md'), 'utf8');
  const hasOutbox = (name: ServiceName) => ALL_TOPICS.some(({ owner }) => owner === name);
  const counted = SERVICE_NAMES.map((name) => {
    // Its own, one that checks the server, the relay's two and its control, and a gateway's lease.
    const most = POOL_SIZES[name] + 1 + (hasOutbox(name) ? 3 : 0) + (name === 'gateway' ? 1 : 0);
    expect(guide).toContain(`| ${name} | ${most} |\n`);
    return most;
  });
  // Two of each, one more for an update, and what PostgreSQL reserves.
  const needed = 2 * counted.reduce((sum, one) => sum + one) + Math.max(...counted) + 3;
  expect(guide).toContain(`and your own sessions: ${needed} for two of\neach.`);
});

it('the chart, and the image that it runs, have the version of the package', () => {
  const read = (name: string) => readFileSync(join(root, name), 'utf8');
  const { version } = JSON.parse(read('package.json')) as { version: string };
  expect(parse(read('helm/watchword/Chart.yaml'))).toMatchObject({ version, appVersion: version });
  const { image } = parse(read('helm/watchword/examples/medium.yaml')) as Record<string, unknown>;
  expect(image).toMatchObject({ tag: version });
});
