/**
 * `npm run test:nightly -- chart`: checks the chart without a cluster. Renders it with every set of
 * tests/deploy/helm-values.mjs, holds each object against the schemas of Kubernetes and of the operators,
 * and against the policies in helm/policies, and runs the chart's own unit tests. Checks the rules of
 * Prometheus and their tests as well.
 */
import { execFile, execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { apiVersions, everySetting, valueSets } from '../tests/deploy/helm-values.mjs';
import { DECIDED_BY_CHART } from './chart-settings.mjs';
import {
  kubernetesSchemas,
  KUBERNETES,
  operatorSchemas,
  strimziSchemas,
  tools as buildTools,
} from './helm-tools.mjs';
import { orSkipped } from './tool-cache.mjs';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
const chart = join(root, 'helm/watchword');
const policies = join(root, 'helm/policies');
const kubeVersion = ['--kube-version', KUBERNETES];
const knowing = (known) => known.flatMap((one) => ['--api-versions', one]);

const startedAt = performance.now();
const seconds = () => ((performance.now() - startedAt) / 1_000).toFixed(0);
const say = (text) => console.log(`[${seconds()} s] ${text}`);

/** Renders the chart with one set, and answers how many objects that are. */
async function render({ name, values }, tools, directory) {
  const file = join(directory, `${name}.json`);
  writeFileSync(file, JSON.stringify(values));
  const cluster = [...kubeVersion, ...knowing(apiVersions), '--namespace', 'sms'];
  const args = ['template', 'watchword', chart, ...cluster, '-f', file];
  const { stdout } = await run(tools.helm, args, { maxBuffer: 1 << 24 });
  writeFileSync(join(directory, 'rendered', `${name}.yaml`), stdout);
  return stdout.split(/^---$/m).filter((document) => /^kind:/m.test(document)).length;
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
  if (schema.failed || policy.failed) {
    throw Object.assign(new Error('invalid'), { schema: schema.text, policy: policy.text });
  }
  say(schema.text);
  say(`policies: ${policy.text}`);
}

/** Checks that pass everything would prove nothing: they have to find planted mistakes. */
async function checkCanary(tools, directory) {
  const planted = join(directory, 'canary');
  mkdirSync(planted);
  copyFileSync(join(root, 'tests/deploy/helm-canary.yaml'), join(planted, 'canary.yaml'));
  const error = await checkRendered(tools, planted).then(
    () => undefined,
    (found) => found,
  );
  const text = `${error?.schema ?? ''}${error?.policy ?? ''}`;
  for (const mistake of ['intervall', 'may run as root', 'mutable tag', 'no network policy']) {
    if (!text.includes(mistake)) throw new Error(`a planted mistake was not found: ${mistake}`);
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
    const ofSecondTwilio = secret
      .filter((name) => name.startsWith('TWILIO_'))
      .map((name) => name.replace('TWILIO_', 'TWILIO_EU_'));
    const all = [...DECIDED_BY_CHART[service], ...plain, ...secret, ...ofSecondTwilio];
    const wanted = all.toSorted();
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
  for (const document of parseAllDocuments(text)) {
    const { kind, metadata, spec } = document.toJS() ?? {};
    const service = metadata?.labels?.['app.kubernetes.io/component'];
    const isOperator = kind === 'CronJob';
    if (!isOperator && (kind !== 'Deployment' || !DECIDED_BY_CHART[service])) continue;
    // A command of the operator reads the settings of all services.
    const environment = isOperator ? {} : { SERVICES: service };
    const { template } = isOperator ? spec.jobTemplate.spec : spec;
    for (const { name, value, valueFrom } of template.spec.containers[0].env) {
      // The chart generates one of these.
      if (valueFrom?.secretKeyRef.optional && name !== 'TWILIO_AUTH_TOKEN') continue;
      const given = value ?? '0f'.repeat(32);
      environment[name] = given.replaceAll(/\$\((\w+)\)/g, (_, other) => environment[other]);
    }
    const { warnings } = loadConfig(environment);
    if (warnings.length > 0 && !isOperator)
      throw new Error(`trial: ${service} warns: ${warnings.join('. ')}`);
  }
  say('each service, and a command of the operator, takes the settings of the trial');
}

/** `--matrix`: the objects of each set that is rendered, and the sentences of those that are refused. */
function showMatrix(counts) {
  const sets = [...counts];
  const rendered = sets.filter(([{ refused }]) => !refused);
  console.log(rendered.map(([{ name }, count]) => `${name} ${count}`).join(', '));
  for (const [{ name, refused }] of sets) if (refused) console.log(`${name}: ${refused}`);
}

/** A set that must be refused, with the sentence that says why. */
async function checkRefused(
  { name, values, refused, apiVersions: known = apiVersions, release = 'watchword' },
  tools,
  directory,
) {
  const file = join(directory, `${name}.json`);
  writeFileSync(file, JSON.stringify(values));
  const said = await run(tools.helm, [
    'template',
    release,
    chart,
    ...kubeVersion,
    ...knowing(known),
    '--values',
    file,
  ]).then(
    () => '',
    (error) => String(error.stderr),
  );
  if (!said.includes(refused)) throw new Error(`not refused with "${refused}": ${said}`);
  return 0;
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
  for (const documents of ['helm-documents.mjs', 'dashboards.mjs']) {
    const args = [join(root, 'tools', documents), '--check'];
    execFileSync(process.execPath, args, { stdio: 'inherit' });
  }
  const tools = orSkipped('the tools of this check', obtainTools, say);
  if (tools === undefined) process.exit(0);
  await checkRules(tools);
  say('helm lint --strict');
  for (const example of ['trial', 'medium', 'large']) {
    const values = join(chart, `examples/${example}.yaml`);
    await run(tools.helm, [
      'lint',
      '--strict',
      chart,
      ...kubeVersion,
      '--values',
      values,
      '--set',
      'secrets.existing=given',
    ]);
  }
  mkdirSync(join(directory, 'rendered'));
  const counts = new Map();
  let failures = 0;
  for (const set of valueSets) {
    try {
      counts.set(set, await (set.refused ? checkRefused : render)(set, tools, directory));
    } catch (error) {
      failures += 1;
      console.error(
        `${set.name}: ${error.stdout ?? ''}${error.stderr ?? ''}${error.stdout ? '' : error.message}`,
      );
    }
  }
  checkSettings(directory);
  await checkTrial(directory);
  await checkCanary(tools, directory);
  await checkRendered(tools, join(directory, 'rendered'));
  const objects = [...counts.values()].reduce((sum, count) => sum + count, 0);
  say(`${valueSets.length} sets of values, ${objects} objects checked, ${failures} failures`);
  if (process.argv.includes('--matrix')) showMatrix(counts);
  execFileSync(tools['helm-unittest'], [chart], { stdio: 'inherit' });
  say('done');
  if (failures > 0) process.exitCode = 1;
} catch (error) {
  const said = [error.schema, error.policy, error.stdout, error.stderr, error.message];
  console.error(said.filter(Boolean).join('\n'));
  process.exitCode = 1;
}
