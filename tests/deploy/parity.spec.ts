/** docker-compose.yml, the chart and `npm run cluster` give each service the same settings and secrets. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { ALL_CARRIERS, settingsOf } from '@watchword/carriers/registry';
import { loadConfig, type ServiceName, SERVICE_NAMES } from '@watchword/config';
import { accessOf, planReplicas, portsNeeded } from '../../apps/cluster/src/replica-plan.js';
import { DECIDED_BY_CHART } from '../../tools/chart-settings.mjs';
import { deployedSettings } from '../../tools/deployment-settings.js';
import { composeFile, composeWith, freshSettings, root } from './compose-file.js';

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

it('the chart, and the image that it runs, have the version of the package', () => {
  const read = (name: string) => readFileSync(join(root, name), 'utf8');
  const { version } = JSON.parse(read('package.json')) as { version: string };
  expect(parse(read('helm/watchword/Chart.yaml'))).toMatchObject({ version, appVersion: version });
  const { image } = parse(read('helm/watchword/examples/medium.yaml')) as Record<string, unknown>;
  expect(image).toMatchObject({ tag: version });
});
