/**
 * A cluster without machines, for one test: etcd, an API server, the controllers and the scheduler of
 * Kubernetes, and kwok, which plays the nodes and what runs on them. All listen on 127.0.0.1 alone.
 */
import { freePorts } from '@watchword/local-servers';
import { spawn } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Api, until } from './api.mjs';

const START_SECONDS_MAX = 90;
const STOP_MS_MAX = 10_000;
const NODES = 3;
/** Log lines as the product writes them, so that the pages' `grep` finds something. */
const PLAYED_LINES = ['the ledger is wrong', 'a request failed', 'email provider failed'];
const stages = join(import.meta.dirname, 'stages.yaml');

/** Programs with output to files. An end before `stop` is a failure. */
class Programs {
  #running = new Map();
  #isStopping = false;

  constructor(directory) {
    this.directory = directory;
  }

  start(name, file, args) {
    const log = openSync(this.#log(name), 'a');
    const env = { PATH: process.env['PATH'], HOME: this.directory };
    const child = spawn(file, args, { env, stdio: ['ignore', log, log] });
    closeSync(log);
    this.#running.set(name, child);
    child.on('error', (error) => this.#fail(name, error.message));
    child.on('exit', (code, signal) => this.#fail(name, `it ended with ${signal ?? code}`));
  }

  #log(name) {
    return join(this.directory, `${name}.log`);
  }

  #fail(name, what) {
    if (this.#isStopping) return;
    this.failure ??= new Error(`${name}: ${what}\n${this.lastLines(name)}`);
  }

  lastLines(name) {
    return readFileSync(this.#log(name), 'utf8').trim().split('\n').slice(-15).join('\n');
  }

  /** The last started first: what uses a server goes before it. */
  async stop() {
    this.#isStopping = true;
    for (const child of [...this.#running.values()].toReversed()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await Promise.race([ended, sleep(STOP_MS_MAX, undefined, { ref: false })]);
      child.kill('SIGKILL');
    }
  }

  killAll() {
    this.#isStopping = true;
    for (const child of this.#running.values()) child.kill('SIGKILL');
  }
}

const url = (port) => `http://127.0.0.1:${port}`;

function startEtcd(programs, file, directory, [client, peer]) {
  programs.start('etcd', file, [
    '--name=etcd',
    `--data-dir=${join(directory, 'etcd')}`,
    `--listen-client-urls=${url(client)}`,
    `--advertise-client-urls=${url(client)}`,
    `--listen-peer-urls=${url(peer)}`,
    `--initial-advertise-peer-urls=${url(peer)}`,
    `--initial-cluster=etcd=${url(peer)}`,
    '--unsafe-no-fsync',
    '--log-level=warn',
  ]);
}

function startApiServer(programs, file, directory, { etcd, port, token }) {
  const keys = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  const paths = { keys: join(directory, 'accounts.key'), tokens: join(directory, 'tokens.csv') };
  writeFileSync(paths.keys, keys.privateKey, { mode: 0o600 });
  writeFileSync(paths.tokens, `${token},test,test,system:masters\n`, { mode: 0o600 });
  programs.start('kube-apiserver', file, [
    `--etcd-servers=${url(etcd)}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${port}`,
    `--cert-dir=${join(directory, 'certificates')}`,
    '--endpoint-reconciler-type=none',
    '--service-cluster-ip-range=10.96.0.0/16',
    '--authorization-mode=RBAC',
    `--token-auth-file=${paths.tokens}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${paths.keys}`,
    `--service-account-signing-key-file=${paths.keys}`,
  ]);
  return paths.keys;
}

/** Writes what `kubectl logs` shows for any pod, and for its previous container. */
function writeLogs(directory) {
  const file = join(directory, 'played.log');
  const time = new Date().toISOString();
  const lines = PLAYED_LINES.map((msg) => `${time} stdout F ${JSON.stringify({ msg })}\n`);
  writeFileSync(file, lines.join(''));
  const config = join(directory, 'logs.yaml');
  const logs = [{ logsFile: file, previousLogsFile: file, follow: false }];
  const kind = { apiVersion: 'kwok.x-k8s.io/v1alpha1', kind: 'ClusterLogs' };
  writeFileSync(config, JSON.stringify({ ...kind, metadata: { name: 'played' }, spec: { logs } }));
  return config;
}

function startControllers(programs, binaries, { kubeconfig, keys, certificate, logs, port }) {
  const usual = [`--kubeconfig=${kubeconfig}`, '--leader-elect=false', '--secure-port=0'];
  programs.start('kube-controller-manager', join(binaries, 'kube-controller-manager'), [
    ...usual,
    `--service-account-private-key-file=${keys}`,
    `--root-ca-file=${certificate}`,
    '--horizontal-pod-autoscaler-sync-period=1s',
  ]);
  programs.start('kube-scheduler', join(binaries, 'kube-scheduler'), usual);
  programs.start('kwok', join(binaries, 'kwok'), [
    `--kubeconfig=${kubeconfig}`,
    `--config=${stages}`,
    `--config=${logs}`,
    '--manage-all-nodes=true',
    '--node-lease-duration-seconds=40',
    '--node-ip=127.0.0.1',
    `--node-port=${port}`,
    `--server-address=127.0.0.1:${port}`,
  ]);
}

/** Three nodes in three zones. */
async function addNodes(api) {
  for (const number of Array.from({ length: NODES }, (_, at) => at + 1)) {
    const name = `node-${number}`;
    const labels = {
      'kubernetes.io/hostname': name,
      'topology.kubernetes.io/zone': `zone-${number}`,
      'kubernetes.io/os': 'linux',
    };
    await api.create('/api/v1/nodes', { metadata: { name, labels }, spec: {} });
  }
  await until('nodes without taints', START_SECONDS_MAX, async () => {
    const nodes = await api.list('/api/v1/nodes');
    return nodes.every(({ spec, status }) => !spec.taints && status.phase === 'Running');
  });
}

/** Resolves once pods can be scheduled. */
export async function startControlPlane({ binaries, directory, say }) {
  mkdirSync(directory, { recursive: true });
  const programs = new Programs(directory);
  // Before the directory is deleted.
  process.prependListener('exit', () => programs.killAll());
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
  try {
    return await startAll(programs, { binaries, directory, say });
  } catch (error) {
    await programs.stop();
    throw programs.failure ?? error;
  }
}

async function startAll(programs, { binaries, directory, say }) {
  const [client, peer, port, kubelet] = await freePorts(4);
  const token = randomBytes(24).toString('hex');
  const certificate = join(directory, 'certificates/apiserver.crt');
  startEtcd(programs, join(binaries, 'server'), directory, [client, peer]);
  const apiServer = join(binaries, 'kube-apiserver');
  const keys = startApiServer(programs, apiServer, directory, { etcd: client, port, token });
  const api = await until('the API server', START_SECONDS_MAX, async () => {
    if (programs.failure) return programs;
    const candidate = new Api({ port, token, certificate: readFileSync(certificate, 'utf8') });
    const { status } = await candidate.call('GET', '/readyz');
    return status === 200 && candidate;
  });
  if (programs.failure) throw programs.failure;
  const { gitVersion } = await api.get('/version');
  say(`an API server of Kubernetes ${gitVersion} is ready`);
  const kubeconfig = join(directory, 'kubeconfig');
  writeFileSync(kubeconfig, kubeconfigOf({ port, token, certificate }), { mode: 0o600 });
  const logs = writeLogs(directory);
  startControllers(programs, binaries, { kubeconfig, keys, certificate, logs, port: kubelet });
  await addNodes(api);
  say(`${NODES} nodes are ready`);
  return { api, kubeconfig, failure: () => programs.failure, stop: () => programs.stop() };
}

function kubeconfigOf({ port, token, certificate }) {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'test',
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    clusters: [
      {
        name: 'test',
        cluster: { server: `https://127.0.0.1:${port}`, 'certificate-authority': certificate },
      },
    ],
    users: [{ name: 'test', user: { token } }],
  });
}
