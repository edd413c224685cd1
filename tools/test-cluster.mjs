/**
 * `npm run test:cluster`: the contract kits on a real Kafka and Redis, then the black-box suite, unchanged, against
 * a cluster of our own (or the one that WATCHWORD_CREDENTIALS names), then what only a cluster can show, then a
 * short pass over the faults of a cluster. `--parts suite,split` leaves out the
 * others (`kits`, `faults`). Further arguments go to the Jest of the suite.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printConformance } from './conformance.mjs';
import { jestOptions, jestProgram, printFailures, resultsTo } from './jest-run.mjs';
import { failWith, nodeOf, root, setUp } from './set-up.mjs';
import { sharedSettings } from '../tests/support/shared-system.setup.mjs';

const startPatienceMs = 180_000;
/** Seconds in which consumers join and leave here; a minute when that spec runs alone. */
const membersSeconds = 20;
const ownConfig = ['--config', 'jest.cluster.config.mjs'];
/** Kits that measure milliseconds. Both wait most of the time; nothing else runs beside them. */
const measuring = ['redis-rate-limiter', 'kafka-poison'];
const allParts = ['kits', 'suite', 'split', 'faults'];
/** Settings of servers outside the cluster. */
const kafkaSettings = ['BROKERS', 'TLS', 'SASL_MECHANISM', 'USERNAME', 'PASSWORD'];
const serverSettings = [
  'DATABASE_URL',
  'REDIS_URL',
  ...kafkaSettings.map((name) => `KAFKA_${name}`),
];

const [parts, suiteArguments] = partsAndOthers(process.argv.slice(2));
useOwnServers();
await setUp().catch(failWith);
const children = new Set();
/** A signal ends the running part and leaves out the parts after it. */
let stopping = false;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    stopping = true;
    children.forEach((child) => child.kill(signal));
  });
}
const results = mkdtempSync(join(tmpdir(), 'watchword-cluster-results-'));
const [suiteResults, splitResults] = ['suite', 'split'].map((name) => join(results, name));
const verdicts = [];
const given = process.env.WATCHWORD_CREDENTIALS;
// One part after the other: the suite and the faults measure time, and two cores hold one cluster.
await part('kits', 'Contract kits on Kafka and Redis', kits);
await onACluster();
await part('faults', 'Faults of a cluster, in short', shortFaults);
printConformance('the cluster', [suiteResults, splitResults]);
for (const file of [suiteResults, splitResults]) printFailures(file);
rmSync(results, { recursive: true, force: true });
process.exitCode = verdicts.every(({ code }) => code === 0) ? 0 : 1;
for (const { name, code, seconds } of verdicts) {
  console.log(`${`${name}:`.padEnd(34)}${code === 0 ? 'passed' : 'FAILED'} in ${seconds} s`);
}

/** Nearly every part kills or pauses servers, or starts further clusters, which must be strangers. */
function useOwnServers() {
  const given = serverSettings.filter((name) => process.env[name]);
  if (given.length > 0) console.log(`Tested on servers of their own, without ${given.join(', ')}.`);
  // Empty rather than gone: a file `.env` would fill the gap.
  for (const name of serverSettings) process.env[name] = '';
}

function partsAndOthers(given) {
  const at = given.indexOf('--parts');
  if (at === -1) return [allParts, given];
  const wanted = (given[at + 1] ?? '').split(',');
  const unknown = wanted.find((one) => !allParts.includes(one));
  if (unknown === undefined) return [wanted, given.toSpliced(at, 2)];
  console.error(
    `--parts takes ${allParts.join(', ')}, with commas between them, and not '${unknown}'`,
  );
  process.exit(2);
}

async function part(id, name, work) {
  if (!parts.includes(id)) return;
  const startedAt = performance.now();
  const code = await work();
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  verdicts.push({ name, code, seconds });
}

async function onACluster() {
  if (!parts.includes('suite') && !parts.includes('split')) return;
  await (given ? runOn(given) : withCluster(runOn));
}

async function runOn(credentials) {
  // Specs that need their own system get their own cluster.
  const environment = {
    WATCHWORD_CREDENTIALS: credentials,
    WATCHWORD_PROGRAM: 'apps/cluster/dist/main.js',
    // A cluster that the environment names has its own settings.
    ...(given ? {} : { WATCHWORD_SETTINGS: JSON.stringify(sharedSettings) }),
  };
  const suite = ['--maxWorkers', '2', '--selectProjects', 'by URL'];
  const split = [...ownConfig, '--roots', 'tests/split'];
  await part('suite', 'Black-box suite on the cluster', () =>
    jest([...suite, ...resultsTo(suiteResults), '--', ...suiteArguments], { environment }),
  );
  await part('split', 'Replicas, dying and stopped', () =>
    jest([...split, ...resultsTo(splitResults)], { environment }),
  );
}

async function kits() {
  // Redis comes first: two files would run apt-get at once, and one would fail. Where it cannot be installed, its files say so.
  const { findRedis } = await import('@watchword/local-servers');
  await findRedis().catch(() => undefined);
  const environment = { MEMBERS_SECONDS: String(membersSeconds), ...process.env };
  const others = ['--testPathIgnorePatterns', '/node_modules/', ...measuring];
  const codes = [
    await jest([...ownConfig, '--maxWorkers', '2', ...others], { environment }),
    await jest([...ownConfig, '--maxWorkers', '2', '--', ...measuring], { environment }),
  ];
  return Math.max(...codes);
}

function shortFaults() {
  // One replica of each service, then both of each.
  const lengths = { rate: 40, kills: 8, changing: 10, paused: 5, gone: 10, postgres: 2, cut: 5 };
  const options = Object.entries(lengths).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const program = join(root, 'tests', 'faults', 'cluster.ts');
  // The test's own Kafka client plans its looks in the past, which is harmless; the product's does not.
  const quiet = '--disable-warning=TimeoutNegativeWarning';
  return run([quiet, program, '--pass', 'one', ...options], { stdio: 'inherit' }).exited;
}

async function withCluster(work) {
  const dataDir = mkdtempSync(join(tmpdir(), 'watchword-cluster-'));
  const { child, exited } = run([join(root, 'apps/cluster/dist/main.js')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...sharedSettings, LOG_LEVEL: 'warn', PORT: '0', DATA_DIR: dataDir },
  });
  try {
    await ready(child, exited);
    await work(join(dataDir, 'dev-credentials.json'));
  } catch (error) {
    console.error(error.message);
    verdicts.push({ name: 'The cluster of the suite', code: 1, seconds: 0 });
  } finally {
    child.kill('SIGTERM');
    await exited;
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function ready(child, exited) {
  let output = '';
  return new Promise((resolve, reject) => {
    const fail = (why) => reject(new Error(`The cluster ${why}:\n${output}`));
    const timer = setTimeout(() => fail('is not ready'), startPatienceMs);
    child.stdout.on('data', (chunk) => {
      output += chunk;
      if (!output.includes('Ready after')) return;
      clearTimeout(timer);
      resolve();
    });
    void exited.then((code) => (clearTimeout(timer), fail(`ended with ${code}`)));
  });
}

function jest(args, { environment = {} } = {}) {
  const env = { ...process.env, ...environment, NODE_OPTIONS: jestOptions() };
  return run([jestProgram, ...args], { stdio: 'inherit', env }).exited;
}

function run(args, options) {
  if (stopping) process.exit(1);
  const child = spawn(nodeOf(), args, { cwd: root, ...options });
  children.add(child);
  const exited = new Promise((resolve) => {
    child.once('error', () => resolve(1)).once('exit', (code) => resolve(code ?? 1));
  }).finally(() => children.delete(child));
  return { child, exited };
}
