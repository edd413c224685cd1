/** A release of the chart on a server: what Helm does to it, and what the server has of it. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from './api.mjs';

const run = promisify(execFile);
const HELM_MINUTES_MAX = 2;
const chart = join(import.meta.dirname, '../../helm/watchword');

export const expect = (holds, complaint) => {
  if (!holds) throw new Error(complaint);
};

export class Release {
  #helm;
  #env;
  #directory;
  #files = 0;

  constructor({ helm, kubeconfig, directory, api, name, namespace }) {
    this.#helm = helm;
    this.#directory = directory;
    this.#env = { PATH: process.env['PATH'], HOME: directory, KUBECONFIG: kubeconfig };
    this.api = api;
    this.name = name;
    this.namespace = namespace;
    this.label = `app.kubernetes.io/instance=${name}`;
  }

  async #run(command, ...args) {
    const all = [command, this.name, ...args, '--namespace', this.namespace];
    const { stdout, stderr } = await run(this.#helm, all, { env: this.#env });
    // The server warns of pods that the restricted profile forbids, and of kinds that are going away.
    expect(!/warning/i.test(stderr), `helm ${command} was warned: ${stderr}`);
    return stdout;
  }

  #values(values, from = chart) {
    const file = join(this.#directory, `values-${(this.#files += 1)}.json`);
    writeFileSync(file, JSON.stringify(values));
    return [from, '--values', file];
  }

  /** Waits as `--wait` does, and for the migration job. */
  static #waiting = ['--wait', '--wait-for-jobs', '--timeout', `${HELM_MINUTES_MAX}m`];

  install(values) {
    return this.#run('install', ...this.#values(values), ...Release.#waiting);
  }

  /** Waits only until the server has accepted every object. */
  installWithoutWaiting(values, from) {
    return this.#run('install', ...this.#values(values, from));
  }

  upgrade(values) {
    return this.#run('upgrade', ...this.#values(values), ...Release.#waiting);
  }

  upgradeWith(options) {
    return this.#run('upgrade', chart, ...options);
  }

  rollback(revision) {
    return this.#run('rollback', String(revision), ...Release.#waiting);
  }

  uninstall() {
    return this.#run('uninstall', '--wait', '--timeout', `${HELM_MINUTES_MAX}m`);
  }

  async notes() {
    const args = ['get', 'notes', this.name, '--namespace', this.namespace];
    const { stdout } = await run(this.#helm, args, { env: this.#env });
    return stdout;
  }

  async history() {
    const said = await this.#run('history', '--output', 'json');
    return JSON.parse(said).map(({ revision, status }) => `${revision} ${status}`);
  }

  path(api, resource, name) {
    const root = api === 'v1' ? '/api/v1' : `/apis/${api}`;
    const path = `${root}/namespaces/${this.namespace}/${resource}`;
    return name ? `${path}/${name}` : path;
  }

  /** The objects of the release, of one kind. */
  list(api, resource) {
    const label = encodeURIComponent(this.label);
    return this.api.list(`${this.path(api, resource)}?labelSelector=${label}`);
  }

  async names(api, resource) {
    const objects = await this.list(api, resource);
    return objects.map(({ metadata }) => metadata.name).toSorted();
  }

  secret(name) {
    return this.api.get(this.path('v1', 'secrets', name));
  }

  /** Exactly one migration job: that of this revision, and it has ended well. */
  async checkJob(revision) {
    const jobs = await this.list('batch/v1', 'jobs');
    const names = jobs.map(({ metadata }) => metadata.name).join(', ');
    expect(names === `${this.name}-migrate-${revision}`, `jobs of revision ${revision}: ${names}`);
    expect(jobs[0].status.succeeded === 1, `${names} has not ended well`);
  }

  /** The pods of one service that are not on their way out. */
  async podsOf(component) {
    const pods = await this.list('v1', 'pods');
    return pods.filter(
      ({ metadata }) =>
        metadata.labels['app.kubernetes.io/component'] === component && !metadata.deletionTimestamp,
    );
  }

  /**
   * Every pod was admitted and has a node, and each secret that it reads exists, as a kubelet
   * requires.
   */
  async checkPods() {
    const events = await this.api.list(this.path('v1', 'events'));
    const refused = events.find(({ reason }) => reason === 'FailedCreate');
    expect(!refused, `a pod was refused: ${refused?.message}`);
    const pods = await this.list('v1', 'pods');
    for (const { metadata, spec, status } of pods) {
      if (metadata.deletionTimestamp) continue;
      const where = `${metadata.name} on ${spec.nodeName}`;
      expect(['Running', 'Succeeded'].includes(status.phase), `${where} is ${status.phase}`);
      for (const container of spec.containers) await this.#checkSecrets(where, container);
    }
    return pods.length;
  }

  async #checkSecrets(pod, { env = [], envFrom = [] }) {
    const wanted = [
      ...env.map(({ valueFrom }) => valueFrom?.secretKeyRef).filter(Boolean),
      ...envFrom.map(({ secretRef }) => secretRef).filter(Boolean),
    ];
    for (const { name, key, optional } of wanted) {
      if (optional) continue;
      const { data } = await this.secret(name);
      expect(
        !key || data?.[key],
        `${pod} reads ${key} of the secret ${name}, which has no such key`,
      );
    }
  }

  deployment(service) {
    return this.path('apps/v1', 'deployments', `${this.name}-${service}`);
  }

  /**
   * Every deployment has come to rest: as many pods as it declares, all new, all available. Their
   * numbers.
   */
  async replicas() {
    const numbers = await until('deployments at rest', 30, async () => {
      const deployments = await this.list('apps/v1', 'deployments');
      const isAtRest = deployments.every(
        ({ spec, status, metadata }) =>
          status.observedGeneration === metadata.generation &&
          [status.replicas, status.updatedReplicas, status.availableReplicas].every(
            (count) => count === spec.replicas,
          ),
      );
      return isAtRest && deployments.map(({ metadata, spec }) => [metadata.name, spec.replicas]);
    });
    return Object.fromEntries(
      numbers.map(([name, count]) => [name.slice(this.name.length + 1), count]),
    );
  }

  async checkReplicas(wanted) {
    await until(`replicas ${JSON.stringify(wanted)}`, 30, async () => {
      const found = await this.replicas();
      return Object.entries(wanted).every(([service, count]) => found[service] === count);
    });
  }
}
