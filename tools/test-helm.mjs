/**
 * `npm run test:nightly -- chart`: checks the chart without a cluster. Renders it with every set of
 * tests/deploy/helm-values.mjs, holds each object against the schemas of Kubernetes and of the operators,
 * and against the policies in helm/policies, and runs the chart's own unit tests. Checks the rules of
 * Prometheus and their tests as well.
 */
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { apiVersions, everySetting, valueSets } from '../tests/deploy/helm-values.mjs';
import { DECIDED_BY_CHART } from './chart-settings.mjs';
import { KUBERNETES, kubernetesSchemas, operatorSchemas } from './helm-tools.mjs';
import { strimziSchemas, tools as buildTools } from './helm-tools.mjs';
import { orSkipped } from './tool-cache.mjs';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
const chart = join(root, 'helm/watchword');
const policies = join(root, 'helm/policies');
const kubeVersion = ['--kube-version', KUBERNETES];

const startedAt = performance.now();
const seconds = () => ((performance.now() - startedAt) / 1_000).toFixed(0);
const say = (text) => console.log(`[${seconds()} s] ${text}`);

async function template(set, tools, directory) {
  const { name, values, apiVersions: known = apiVersions, release = 'watchword' } = set;
  const file = join(directory, `${name}.json`);
  writeFileSync(file, JSON.stringify(values));
  const cluster = [...kubeVersion, ...known.flatMap((one) => ['--api-versions', one])];
  const args = ['template', release, chart, ...cluster, '--namespace', 'sms', '--values', file];
  return output(tools.helm, args);
}

/** Renders the chart with one set of values, or finds it refused with its sentences. */
async function checkSet(set, tools, directory) {
  const { failed, text } = await template(set, tools, directory);
  const unsaid = [set.refused ?? []].flat().filter((sentence) => !text.includes(sentence));
  if (failed !== (set.refused !== undefined) || unsaid.length > 0)
    throw new Error(`${set.name}: Helm does not say "${unsaid.join('", "')}", but: ${text}`);
  if (!failed) writeFileSync(join(directory, 'rendered', `${set.name}.yaml`), text);
}

async function output(tool, args) {
  return run(tool, args, { maxBuffer: 1 << 26 }).then(
    ({ stdout }) => ({ failed: false, text: stdout.trim() }),
    ({ stdout, stderr }) => ({ failed: true, text: `${stdout}${stderr}` }),
  );
}

/** Holds all that was rendered against the schemas and the policies. */
async function checkRendered(tools, directory) {
  const locations = [
    join(tools.schemas, '{{.ResourceKind}}{{.KindSuffix}}.json'),
    ...[tools.crds, tools.strimzi ?? []]
      .flat()
      .map((folder) => join(folder, '{{.Group}}_{{.ResourceKind}}_{{.ResourceAPIVersion}}.json')),
  ];
  const skipped = tools.strimzi ? [] : ['-skip', 'Kafka,KafkaNodePool,KafkaUser'];
  const kubeconform = ['-strict', '-summary', ...skipped, '-kubernetes-version', KUBERNETES];
  const schemas = locations.flatMap((location) => ['-schema-location', location]);
  const schema = await output(tools.kubeconform, [...kubeconform, ...schemas, directory]);
  const files = readdirSync(directory).map((name) => join(directory, name));
  const folders = [join(policies, 'each'), join(policies, 'all')];
  const policy = await output(tools.policies, [...folders, ...files]);
  const text = `${schema.text}\npolicies: ${policy.text}`;
  if (schema.failed || policy.failed) throw new Error(text);
  say(text);
}

/** Checks that pass everything would prove nothing: they have to find planted mistakes. */
async function checkCanary(tools, directory) {
  const planted = join(directory, 'canary');
  mkdirSync(planted);
  cpSync(join(root, 'tests/deploy/helm-canary.yaml'), join(planted, 'canary.yaml'));
  const found = await checkRendered(tools, planted).catch(({ message }) => message);
  for (const mistake of ['intervall', 'may run as root', 'mutable tag', 'no network policy']) {
    if (!found?.includes(mistake)) throw new Error(`a planted mistake was not found: ${mistake}`);
  }
}

/** The rules, and for each alarm a case that fires and one that is quiet. */
async function checkRules({ promtool }) {
  const rules = await run(promtool, ['check', 'rules', join(chart, 'rules/watchword.rules.yaml')]);
  say(rules.stdout.trim().split('\n').at(-1).trim());
  await run(promtool, ['test', 'rules', join(root, 'tests/deploy/alarms/alarms.test.yaml')]);
  say('the alarms fire when they should, and are quiet otherwise');
}

/** Checks that each container gets every setting of its service, once, and no other. */
function checkSettings(directory) {
  const known = JSON.parse(readFileSync(join(chart, 'settings.json'), 'utf8'));
  const text = readFileSync(join(directory, 'rendered', `${everySetting.name}.yaml`), 'utf8');
  for (const document of parseAllDocuments(text)) {
    const { kind, metadata, spec } = document.toJS() ?? {};
    const service = metadata?.labels?.['app.kubernetes.io/component'];
    if (kind !== 'Deployment' || !known[service]) continue;
    const { plain, secret } = known[service];
    const wanted = [...DECIDED_BY_CHART[service], ...plain, ...secret].toSorted();
    const [{ env }] = spec.template.spec.containers;
    const given = env.map(({ name }) => name);
    const missing = wanted.filter((name) => !given.includes(name));
    const strange = given.filter((name, at) => !wanted.includes(name) || given.indexOf(name) < at);
    if (missing.length + strange.length === 0) continue;
    throw new Error(
      `${service} of the chart lacks ${missing.join(', ')}; too many: ${strange.join(', ')}`,
    );
  }
  say('each container gets every setting that its service reads, and no other');
}

/** Checks that each service accepts the trial's settings, with secrets in the generated form. */
async function checkTrial(directory) {
  const { loadConfig } = await import('@watchword/config');
  const text = readFileSync(join(directory, 'rendered/trial.yaml'), 'utf8');
  const documents = parseAllDocuments(text).map((document) => document.toJS() ?? {});
  const carriers = join(directory, 'carriers.json');
  const rows = documents.find(({ metadata }) => metadata?.name === 'watchword-carriers');
  writeFileSync(carriers, rows.data['carriers.json']);
  for (const { kind, metadata, spec } of documents) {
    const service = metadata?.labels?.['app.kubernetes.io/component'];
    const isOperator = kind === 'CronJob';
    if (!isOperator && (kind !== 'Deployment' || !DECIDED_BY_CHART[service])) continue;
    // A command of the operator reads the settings of all services.
    const environment = isOperator ? {} : { SERVICES: service };
    const { template } = isOperator ? spec.jobTemplate.spec : spec;
    for (const { name, value, valueFrom } of template.spec.containers[0].env) {
      if (valueFrom?.secretKeyRef.optional) continue;
      const given = value ?? '0f'.repeat(32);
      environment[name] = given.replaceAll(/\$\((\w+)\)/g, (_, other) => environment[other]);
    }
    if (environment.CARRIERS_FILE) environment.CARRIERS_FILE = carriers;
    const { warnings } = loadConfig(environment);
    if (warnings.length > 0 && !isOperator)
      throw new Error(`trial: ${service} warns: ${warnings.join('. ')}`);
  }
  say('each service, and a command of the operator, takes the settings of the trial');
}

function obtainTools() {
  const built = buildTools(say);
  const names = ['helm', 'kubeconform', 'helm-unittest', 'policies', 'promtool'];
  return {
    ...Object.fromEntries(names.map((name) => [name, join(built, name)])),
    schemas: kubernetesSchemas(say),
    crds: operatorSchemas(say),
    // They need Maven, which the rest does not.
    strimzi: orSkipped('the schemas of Strimzi', () => strimziSchemas(say), say),
  };
}

const directory = mkdtempSync(join(tmpdir(), 'watchword-helm-'));
process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
try {
  const tools = orSkipped('the tools of this check', obtainTools, say);
  if (tools === undefined) process.exit(0);
  await checkRules(tools);
  say('helm lint --strict');
  for (const example of ['trial', 'medium', 'large']) {
    const values = join(chart, `examples/${example}.yaml`);
    const given = ['--values', values, '--set', 'secrets.existing=given'];
    await run(tools.helm, ['lint', '--strict', chart, ...kubeVersion, ...given]);
  }
  mkdirSync(join(directory, 'rendered'));
  for (const set of valueSets) await checkSet(set, tools, directory);
  checkSettings(directory);
  await checkTrial(directory);
  await checkCanary(tools, directory);
  await checkRendered(tools, join(directory, 'rendered'));
  say(`${valueSets.length} sets of values are rendered, or refused as they should be`);
  execFileSync(tools['helm-unittest'], [chart], { stdio: 'inherit' });
  say('done');
} catch (error) {
  console.error([error.stdout, error.stderr, error.message].filter(Boolean).join('\n'));
  process.exitCode = 1;
}
