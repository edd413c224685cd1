/**
 * `npm run test:cluster`: the contract kits on a real Kafka and Redis, then the black-box suite,
 * unchanged, against a cluster of our own (or the one that WATCHWORD_CREDENTIALS names), then what
 * only a cluster can show, then a short pass over the faults of a cluster. Further arguments go to the
 * Jest of the suite.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printConformance } from './conformance.mjs';
import { failWith, nodeOf, root, setUp } from './set-up.mjs';

const startPatienceMs = 180_000;
/** Where and how a cluster finds servers that are not its own. */
const kafkaSettings = ['BROKERS', 'TLS', 'SASL_MECHANISM', 'USERNAME', 'PASSWORD'];
const serverSettings = [
  'DATABASE_URL',
  'REDIS_URL',
  ...kafkaSettings.map((name) => `KAFKA_${name}`),
];

useOwnServers();
await setUp().catch(failWith);
const children = new Set();
/** Whoever stops it does not want the next part either. */
let stopping = false;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    stopping = true;
    children.forEach((child) => child.kill(signal));
  });
}
const kits = await jest(['--config', 'jest.cluster.config.mjs']);
const results = mkdtempSync(join(tmpdir(), 'watchword-cluster-results-'));
const resultsFiles = ['suite.json', 'split.json'].map((name) => join(results, name));
const given = process.env.WATCHWORD_CREDENTIALS;
const [suite, split] = given ? await runOn(given) : await withCluster(runOn);
const faults = await shortFaults();
process.exitCode = [kits, suite, split, faults].every((code) => code === 0) ? 0 : 1;
printConformance('the cluster', resultsFiles);
rmSync(results, { recursive: true, force: true });
console.log(`Contract kits on Kafka and Redis: ${verdict(kits)}`);
console.log(`Black-box suite on the cluster:   ${verdict(suite)}`);
console.log(`Replicas, dying and stopped:      ${verdict(split)}`);
console.log(`Faults of a cluster, in short:    ${verdict(faults)}`);

/** Nearly every part kills or pauses servers, or starts further clusters, which must be strangers. */
function useOwnServers() {
  const given = serverSettings.filter((name) => process.env[name]);
  if (given.length > 0) console.log(`Tested on servers of their own, without ${given.join(', ')}.`);
  // Empty rather than gone: a file `.env` would fill the gap.
  for (const name of serverSettings) process.env[name] = '';
}

function verdict(code) {
  return code === 0 ? 'passed' : 'FAILED';
}

async function runOn(credentials) {
  // What wants a system of its own gets a cluster of its own, one at a time.
  const environment = {
    WATCHWORD_CREDENTIALS: credentials,
    WATCHWORD_PROGRAM: 'apps/cluster/dist/main.js',
  };
  const [suiteResults, splitResults] = resultsFiles.map((file) => [
    '--json',
    `--outputFile=${file}`,
  ]);
  const suite = ['--maxWorkers', '1', '--selectProjects', 'by URL', ...suiteResults, '--'];
  const split = ['--config', 'jest.cluster.config.mjs', '--roots', 'tests/split', ...splitResults];
  return [
    await jest([...suite, ...process.argv.slice(2)], environment),
    await jest(split, environment),
  ];
}

function shortFaults() {
  const lengths = { rate: 40, kills: 4, changing: 10, paused: 5, gone: 10, postgres: 2, cut: 5 };
  const options = Object.entries(lengths).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const program = join(root, 'tests', 'faults', 'cluster.ts');
  return run([program, '--pass', 'one', ...options], { stdio: 'inherit' }).exited;
}

async function withCluster(work) {
  const dataDir = mkdtempSync(join(tmpdir(), 'watchword-cluster-'));
  const { child, exited } = run([join(root, 'apps/cluster/dist/main.js')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, LOG_LEVEL: 'warn', PORT: '0', DATA_DIR: dataDir },
  });
  try {
    await ready(child, exited);
    return await work(join(dataDir, 'dev-credentials.json'));
  } catch (error) {
    console.error(error.message);
    return [1, 1];
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

function jest(args, environment = {}) {
  const options = '--experimental-vm-modules --disable-warning=ExperimentalWarning';
  const NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} ${options}`;
  const program = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  const env = { ...process.env, ...environment, NODE_OPTIONS };
  return run([program, ...args], { stdio: 'inherit', env }).exited;
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
