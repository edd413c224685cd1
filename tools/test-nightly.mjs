/**
 * `npm run test:nightly [-- part ...] [--skip-without-tools] [-- arguments of the suite's Jest]`: what takes minutes,
 * kills processes, or needs servers and tools beyond npm. Without names all parts run, one after the other. Each
 * part says when it begins; the last lines say how each ended, and the numbers of all.
 */
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { countResults, countsLine, jest, printResults } from './jest-run.mjs';
import { openRunFolder } from './run-folder.mjs';
import { failWith, nodeOf, root, setUp } from './set-up.mjs';
import startSharedSystem, { stopSharedSystem } from '../tests/support/shared-system.setup.mjs';

/** Seconds and numbers of the cluster's faults: a short pass. */
const SHORT = { rate: 40, kills: 8, changing: 10, paused: 5, gone: 10, postgres: 2, cut: 5 };
/** Settings of servers outside the cluster: nearly every part kills or pauses servers, which must be its own. */
const SERVER_SETTINGS = [
  'DATABASE_URL',
  'REDIS_URL',
  ...['BROKERS', 'TLS', 'SASL_MECHANISM', 'USERNAME', 'PASSWORD'].map((name) => `KAFKA_${name}`),
];

/** The exit code of a program that lacks what it needs, and has said so. */
const SKIPPED = 77;
const NIGHTLY = ['--config', 'jest.nightly.config.mjs'];

/** Each returns the numbers of its tests. A program that is no Jest is one test. */
const PARTS = {
  kills: ['Kills and crash points of one process', () => specs(['tests/faults/deaths'])],
  faults: [
    'The checker and an erasure, on one process',
    () => specs(['tests/faults'], ['--testPathIgnorePatterns', 'deaths']),
  ],
  cost: ['Statements and bytes of a message', () => specs(['tests/cost'])],
  infrastructure: [
    'PgBouncer, HAProxy (with a standby) and nginx in front of a running system',
    () => specs(['tests/infrastructure']),
  ],
  kits: ['Contract kits on Kafka and Redis', kits],
  suite: ['The suite by URL on a cluster', suite],
  split: ['Replicas of a cluster, killed and stopped', split],
  'cluster-faults': ['Faults of a cluster, in short', clusterFaults],
  attack: ['Timing attacks', () => program('tests/attack/timing.ts')],
  agents: ['The MCP Inspector on the agent endpoint', () => beside('tools/inspect-mcp.mjs')],
  browser: ['Every page of /app in Chromium', () => beside('tools/test-browser.mjs')],
  clients: ['Generated clients', () => beside('tools/test-clients.mjs')],
  examples: ['The examples, and programs for Twilio', () => program('tools/test-examples.mjs')],
  sdks: ['The SDKs, all by one table of behaviour', () => program('tools/test-sdks.mjs')],
  chart: ['The chart, rendered', () => program('tools/test-helm.mjs', ...toolOptions)],
  install: [
    'The image, and the chart on a cluster of kind',
    () => program('tools/test-install.mjs'),
  ],
};

const { names, suiteArguments, toolOptions } = readArguments(process.argv.slice(2));
const run = openRunFolder();
useOwnServers();
await setUp({ development: true }).catch(failWith);
const results = [];
const total = { passed: 0, failed: 0, skipped: 0 };
const verdicts = [];
for (const [index, name] of names.entries()) {
  const [title, work] = PARTS[name];
  console.log(`\n[${index + 1} of ${names.length}] ${name}: ${title}`);
  const startedAt = performance.now();
  const counts = await Promise.resolve()
    .then(work)
    .catch((error) => {
      console.error(error);
      return { passed: 0, failed: 1, skipped: 0 };
    });
  for (const key of Object.keys(total)) total[key] += counts[key];
  const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
  verdicts.push(`${name.padEnd(16)}${countsLine(counts)} in ${minutes} minutes`);
}
for (const { file } of results) printResults(file);
await run.close();
console.log(`\n${verdicts.join('\n')}\n${countsLine(total)}`);
process.exitCode = total.failed === 0 ? 0 : 1;

function readArguments(given) {
  const at = given.indexOf('--');
  const [own, others] = at === -1 ? [given, []] : [given.slice(0, at), given.slice(at + 1)];
  const options = own.filter((one) => one === '--skip-without-tools');
  const wanted = own.filter((one) => !options.includes(one));
  const unknown = wanted.find((one) => !(one in PARTS));
  if (unknown === undefined) {
    const all = Object.keys(PARTS);
    return {
      names: wanted.length > 0 ? wanted : all,
      suiteArguments: others,
      toolOptions: options,
    };
  }
  const list = Object.entries(PARTS).map(([name, [title]]) => `  ${name.padEnd(16)}${title}`);
  console.error(`There is no part "${unknown}". Name one or more of these:\n${list.join('\n')}`);
  process.exit(2);
}

function useOwnServers() {
  const given = SERVER_SETTINGS.filter((name) => process.env[name]);
  if (given.length > 0) console.log(`Tested on servers of their own, without ${given.join(', ')}.`);
  // Empty rather than gone: a file `.env` would fill the gap.
  for (const name of SERVER_SETTINGS) process.env[name] = '';
}

async function runJest(name, args, environment = {}) {
  const file = join(run.folder, `results-${results.length}.json`);
  results.push({ name, file });
  return countResults(file, await jest(args, { resultsFile: file, environment }));
}

function specs(paths, options = []) {
  return runJest(paths.join(), [...NIGHTLY, ...options, '--', ...paths]);
}

async function kits() {
  // Redis comes first: two files would run apt-get at once, and one would fail. Without it, its files say so.
  const { findRedis } = await import('@watchword/local-servers');
  await findRedis().catch(() => undefined);
  return specs(['tests/cluster'], ['--maxWorkers', '2']);
}

function suite() {
  const args = ['--maxWorkers', '2', '--selectProjects', 'by URL', '--', ...suiteArguments];
  return withCluster((environment) => runJest('suite', args, environment));
}

function split() {
  return withCluster((environment) => specs(['tests/split'], [], environment));
}

/** Files that need a system of their own start a cluster of their own. */
async function withCluster(work) {
  const program = { WATCHWORD_PROGRAM: 'apps/cluster/dist/main.js' };
  const given = process.env['WATCHWORD_CREDENTIALS'];
  // A cluster that the environment names has its own settings.
  if (given) return work({ ...program, WATCHWORD_CREDENTIALS: given });
  Object.assign(process.env, program);
  await startSharedSystem();
  try {
    return await work();
  } finally {
    await stopSharedSystem();
    delete process.env['WATCHWORD_PROGRAM'];
  }
}

/** One replica of each service, then both of each. */
function clusterFaults() {
  const options = Object.entries(SHORT).flatMap(([name, value]) => [`--${name}`, String(value)]);
  return program('tests/faults/cluster.ts', '--pass', 'one', ...options);
}

/** A program beside a running system, whose credentials it reads. */
async function beside(file) {
  await startSharedSystem();
  try {
    process.env['DATA_DIR'] = dirname(process.env['WATCHWORD_CREDENTIALS']);
    return await program(file);
  } finally {
    delete process.env['DATA_DIR'];
    await stopSharedSystem();
  }
}

function program(file, ...args) {
  // Kafka's client of the tests plans checks in the past, which is harmless; the product's does not.
  const quiet = '--disable-warning=TimeoutNegativeWarning';
  const child = spawn(nodeOf(), [quiet, file, ...args], { cwd: root, stdio: 'inherit' });
  return new Promise((resolve) => {
    const end = (code) => resolve({ passed: 0, failed: 0, skipped: 0, [verdictOf(code)]: 1 });
    child.once('error', () => end(1)).once('exit', end);
  });
}

function verdictOf(code) {
  if (code === SKIPPED) return 'skipped';
  return code === 0 ? 'passed' : 'failed';
}
