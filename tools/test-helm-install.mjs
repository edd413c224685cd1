/**
 * `npm run test:nightly -- install`: the life of a release on a real API server. Starts etcd, the servers of
 * Kubernetes and kwok for nodes, and installs, upgrades, rolls back and uninstalls the chart in a namespace
 * of the restricted profile. No container runs: kwok says of each pod that it is ready.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { everything } from '../tests/deploy/helm-install-values.mjs';
import { until } from './helm-install/api.mjs';
import { startControlPlane } from './helm-install/control-plane.mjs';
import { upgradeFromLastRelease } from './helm-install/last-release.mjs';
import { expect, Release } from './helm-install/release.mjs';
import {
  Terminal,
  typeNotes,
  typeOperatorCommand,
  typeRunbooks,
  typeSecretChange,
} from './helm-install/typed.mjs';
import { definitionsIn, operatorSchemas, servers, strimziSchemas, tools } from './helm-tools.mjs';

const NAMESPACE = 'sms';
const SERVICES = ['billing', 'dispatch', 'gateway', 'webhooks'];
const MADE = 'watchword-secrets';
/** What an uninstall leaves: secrets, and the disks of PostgreSQL and Kafka that belong to them. */
const LEFT = [
  'PersistentVolumeClaim/data-watchword-kafka-0',
  'PersistentVolumeClaim/data-watchword-postgres-0',
  `Secret/${MADE}`,
];

const examples = join(import.meta.dirname, '../helm/watchword/examples');
const trial = parse(readFileSync(join(examples, 'trial.yaml'), 'utf8'));
/** What an operator might change: more replicas, autoscaling by CPU, an Ingress. */
const grown = {
  ...trial,
  config: { ...trial.config, logLevel: 'debug' },
  autoscaling: { kind: 'hpa', minReplicas: 2, maxReplicas: 4 },
  podDisruptionBudgets: { enabled: true },
  ingress: { enabled: true, className: 'nginx', host: 'sms.example.com' },
  operatorCommands: { enabled: true },
};

const eachOf = (count) => Object.fromEntries(SERVICES.map((service) => [service, count]));

const startedAt = performance.now();
const seconds = () => ((performance.now() - startedAt) / 1_000).toFixed(1).padStart(6);
const say = (text) => console.log(`[${seconds()} s] ${text}`);

async function makeNamespace(api, name) {
  const labels = Object.fromEntries(
    ['enforce', 'warn', 'audit'].map((mode) => [
      `pod-security.kubernetes.io/${mode}`,
      'restricted',
    ]),
  );
  await api.create('/api/v1/namespaces', { metadata: { name, labels } });
  const path = `/api/v1/namespaces/${name}`;
  await until('what each namespace has', 30, async () => {
    const certificates = await api.call('GET', `${path}/configmaps/kube-root-ca.crt`);
    const account = await api.call('GET', `${path}/serviceaccounts/default`);
    return certificates.status === 200 && account.status === 200;
  });
  // A profile that lets everything in would prove nothing.
  const pod = { metadata: { name: 'root' }, spec: { containers: [{ name: 'a', image: 'a:1' }] } };
  const { status, body } = await api.call('POST', `${path}/pods`, pod);
  const isRefused = status === 403 && body.message.includes('violates PodSecurity "restricted');
  expect(isRefused, `a pod that may run as root was not refused: ${status} ${body.message}`);
  say(`namespace ${name}: the restricted profile refuses a pod that may run as root`);
}

/** No one brings disks here: the server binds claims to those that are there. */
async function makeDisks(api, count) {
  for (let number = 1; number <= count; number += 1) {
    await api.create('/api/v1/persistentvolumes', {
      metadata: { name: `disk-${number}` },
      spec: {
        capacity: { storage: '5Gi' },
        accessModes: ['ReadWriteOnce'],
        hostPath: { path: `/played/${number}` },
      },
    });
  }
}

async function install(release) {
  await release.install(trial);
  await release.checkJob(1);
  const pods = await release.checkPods();
  await release.checkReplicas(eachOf(1));
  const secret = await release.secret(MADE);
  say(`install: ${pods} pods under the restricted profile, each secret that they read is there`);
  return secret;
}

async function expectUnchanged(release, secret, when) {
  const { metadata, data } = await release.secret(MADE);
  const isSame = JSON.stringify(data) === JSON.stringify(secret.data);
  expect(isSame && metadata.uid === secret.metadata.uid, `${MADE} changed at ${when}`);
}

async function upgrade(release, secret) {
  await release.api.patch(release.deployment('gateway'), { spec: { replicas: 3 } });
  await release.upgrade(grown);
  await release.checkJob(2);
  // The autoscaler finds the three that were there, and brings the others to its least.
  await release.checkReplicas({ ...eachOf(2), gateway: 3 });
  await release.checkPods();
  await expectUnchanged(release, secret, 'the upgrade');
  for (const service of SERVICES) {
    const pods = await release.podsOf(service);
    const nodes = new Set(pods.map(({ spec }) => spec.nodeName));
    expect(nodes.size >= 2, `the pods of ${service} share a node`);
    const levels = pods.map(
      ({ spec }) => spec.containers[0].env.find(({ name }) => name === 'LOG_LEVEL').value,
    );
    expect(
      levels.every((level) => level === 'debug'),
      `${service} has not the new values: ${levels}`,
    );
  }
  const kinds = [
    ['networking.k8s.io/v1', 'networkpolicies', 6],
    ['policy/v1', 'poddisruptionbudgets', 4],
    ['autoscaling/v2', 'horizontalpodautoscalers', 4],
    ['networking.k8s.io/v1', 'ingresses', 1],
  ];
  for (const [api, resource, count] of kinds) {
    const names = await release.names(api, resource);
    expect(names.length >= count, `${resource}: ${names.join(', ')}`);
  }
  say('upgrade: new values, the pods of a service on different nodes, one job, the same secrets');
  say(`the server has taken ${kinds.map(([, resource]) => resource).join(', ')}`);
}

/** Runs the commands that pages and NOTES show. Returns the secret as one of them leaves it. */
async function typeWhatPagesShow(release, terminal) {
  await terminal.enter();
  const count = await typeRunbooks(terminal);
  await typeNotes(terminal, await release.notes());
  await typeOperatorCommand(terminal, release);
  await typeSecretChange(terminal, release);
  say('a second callback secret beside the first, and gateway and dispatch replaced');
  say(`${count} lines of the runbooks, NOTES and a command of the operator, typed with kubectl`);
  return release.secret(MADE);
}

/** Checks that one pod of a service can be evicted at a time. */
async function checkEviction(release) {
  const budget = release.path('policy/v1', 'poddisruptionbudgets', 'watchword-billing');
  await until('a budget that knows its pods', 30, async () => {
    const { status } = await release.api.get(budget);
    return status?.currentHealthy === 2 && status.disruptionsAllowed === 1;
  });
  const pods = await release.podsOf('billing');
  const answers = [];
  for (const { metadata } of pods) {
    const path = `${release.path('v1', 'pods', metadata.name)}/eviction`;
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata };
    answers.push((await release.api.call('POST', path, eviction)).status);
  }
  expect(answers.join() === '201,429', `evictions of two pods of billing: ${answers.join()}`);
  await release.checkReplicas({ billing: 2 });
  say('eviction: the first pod of billing goes, the second one has to wait');
}

async function upgradeWithoutSecrets(release, secret) {
  await release.api.remove(release.path('v1', 'secrets', MADE));
  const said = await release.upgrade(grown).then(
    () => 'it passed',
    (error) => String(error.stderr),
  );
  const sentence = `the secret ${MADE} is missing. Restore it from a copy before you upgrade`;
  expect(said.includes(sentence), `an upgrade without its secrets: ${said}`);
  const history = await release.history();
  expect(history.join() === '1 superseded,2 deployed', `the history is ${history.join()}`);
  const { name, labels, annotations } = secret.metadata;
  const copy = { ...secret, metadata: { name, labels, annotations } };
  const { metadata } = await release.api.create(release.path('v1', 'secrets'), copy);
  say('an upgrade that misses its secrets is refused with a sentence, and changes nothing');
  return { ...secret, metadata };
}

async function rollback(release, secret) {
  await release.rollback(1);
  await release.checkJob(1);
  // Helm takes the autoscaler away last: until then it may have brought a service to its least once more.
  const counts = Object.values(await release.replicas());
  expect(Math.max(...counts) <= 2, `replicas after the rollback: ${counts.join()}`);
  await release.checkPods();
  await expectUnchanged(release, secret, 'the rollback');
  const scalers = await release.names('autoscaling/v2', 'horizontalpodautoscalers');
  expect(scalers.length === 0, `the rollback left ${scalers.join(', ')}`);
  say(`rollback: the values of revision 1, history: ${(await release.history()).join(', ')}`);
}

/** Waits for what the server collects after Helm is done, and holds the rest against what was there before. */
async function expectLeft(release, before, left) {
  let more = [];
  await until('an empty namespace', 60, async () => {
    const after = await release.api.inventory(release.namespace, release.label);
    const lost = before.filter((one) => !after.includes(one));
    expect(lost.length === 0, `it took what is not its own: ${lost.join(', ')}`);
    more = after.filter((one) => !before.includes(one));
    return more.join() === left.join();
  }).catch((error) => {
    throw new Error(`uninstall left ${more.join(', ') || 'nothing'}. ${error.message}`);
  });
}

async function uninstall(release, secret, before) {
  await release.uninstall();
  await expectLeft(release, before, LEFT);
  await expectUnchanged(release, secret, 'the uninstall');
  say(`uninstall: of the release are left ${LEFT.join(', ')}`);
  await release.install(trial);
  await expectUnchanged(release, secret, 'the second install');
  await release.uninstall();
  await expectLeft(release, before, LEFT);
  say('a second install takes the secrets that it finds');
}

/**
 * Checks the resources of operators. The server has their definitions, and nothing acts on them.
 */
async function checkOperators({ api, release, definitions }) {
  for (const definition of definitions) {
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    await api.create(path, definition);
    await until(definition.metadata.name, 30, async () => {
      const { status } = await api.get(`${path}/${definition.metadata.name}`);
      return status?.conditions?.some(
        ({ type, status: is }) => type === 'Established' && is === 'True',
      );
    });
  }
  say(`${definitions.length} kinds of operators are defined`);
  const before = await api.inventory(release.namespace, release.label);
  const values = everything(definitions.map(({ spec }) => spec.group));
  await release.installWithoutWaiting(values);
  const own = (await api.inventory(release.namespace, release.label)).filter(
    (one) => !before.includes(one),
  );
  const kinds = [...new Set(own.map((one) => one.split('/')[0]))];
  const unused = definitions.filter(({ spec }) => !kinds.includes(spec.names.kind));
  const names = unused.map(({ spec }) => spec.names.kind).join(', ');
  expect(unused.length === 0, `the values for operators make no ${names}`);
  say(`the server has taken ${kinds.join(', ')}`);
  const kept = own.filter((one) => /^(Cluster|Kafka|KafkaNodePool|KafkaUser)\//.test(one));
  await release.uninstall();
  await expectLeft(release, before, kept);
  say(`uninstall: what holds data stays: ${kept.join(', ')}`);
}

function obtain() {
  const skipsWithoutTools = process.argv.includes('--skip-without-tools');
  const obtained = (make, what) => {
    try {
      return make(say);
    } catch (error) {
      if (!skipsWithoutTools) throw error;
      say(`SKIPPED${what}: it is not to be had here. ${error.message}`);
      return undefined;
    }
  };
  const built = obtained(() => ({ helm: join(tools(say), 'helm'), binaries: servers(say) }), '');
  if (!built) process.exit(0);
  const folders = [
    obtained(operatorSchemas, ' for resources of operators'),
    obtained(strimziSchemas, ' for resources of Strimzi (Maven makes them)'),
  ];
  return { ...built, definitions: folders.filter(Boolean).flatMap(definitionsIn) };
}

async function main(directory) {
  const { helm, binaries, definitions } = obtain();
  say('the programs are built; now the test');
  const plane = await startControlPlane({ binaries, directory, say });
  try {
    const { api, kubeconfig } = plane;
    const start = async (namespace) => {
      await makeNamespace(api, namespace);
      return new Release({ helm, kubeconfig, directory, api, name: 'watchword', namespace });
    };
    await makeDisks(api, 2);
    const release = await start(NAMESPACE);
    const before = await api.inventory(NAMESPACE, release.label);
    const made = await install(release);
    await upgrade(release, made);
    const secret = await typeWhatPagesShow(
      release,
      new Terminal({ binaries, kubeconfig, directory, namespace: NAMESPACE }),
    );
    await checkEviction(release);
    const restored = await upgradeWithoutSecrets(release, secret);
    await rollback(release, restored);
    await uninstall(release, restored, before);
    await upgradeFromLastRelease(await start('from-last-release'), directory, say);
    await checkOperators({ api, release: await start('operators'), definitions });
    say('done');
  } catch (error) {
    throw plane.failure() ?? error;
  } finally {
    await plane.stop();
  }
}

const directory = mkdtempSync(join(tmpdir(), 'watchword-helm-install-'));
// Also when a signal ends it.
process.on('exit', () => {
  if (process.argv.includes('--keep')) say(`logs: ${directory}`);
  else rmSync(directory, { recursive: true, force: true });
});
try {
  await main(directory);
} catch (error) {
  console.error([error.stdout, error.stderr, error.message].filter(Boolean).join('\n'));
  process.exitCode = 1;
}
