/**
 * `npm run test:helm`: checks the chart without a cluster. Renders it with every set of
 * tests/deploy/helm-values.mjs, holds each object against Kubernetes' schemas and the policies in
 * helm/policies, and runs the chart's own unit tests.
 *
 * The tools are built from Go modules and the schemas come from PyPI, at the versions below, into a cache
 * outside the repository (WATCHWORD_HELM_CACHE, else ~/.cache/watchword-helm).
 */
import { execFile, execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { valueSets } from '../tests/deploy/helm-values.mjs';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
const chart = join(root, 'helm/watchword');
const policies = join(root, 'helm/policies');
const cache = process.env['WATCHWORD_HELM_CACHE'] ?? join(homedir(), '.cache/watchword-helm');

const KUBERNETES = '1.37.0';
const SCHEMAS = `kubernetes-validate==${KUBERNETES}`;
const TOOLS = {
  helm: 'helm.sh/helm/v3/cmd/helm@v3.19.0',
  kubeconform: 'github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0',
  untt: 'github.com/helm-unittest/helm-unittest@v1.1.2/cmd/helm-unittest',
  conftest: 'github.com/open-policy-agent/conftest@v0.71.1',
};
/** Resources of operators: no schema of theirs is published as a package. */
const WITHOUT_SCHEMA = ['ExternalSecret', 'HTTPRoute', 'ScaledObject', 'ServiceMonitor'];

const kubeVersion = ['--kube-version', KUBERNETES];

const QUIET = ['ignore', 'ignore', 'inherit'];

const startedAt = performance.now();
const seconds = () => ((performance.now() - startedAt) / 1_000).toFixed(0);
const say = (text) => console.log(`[${seconds()} s] ${text}`);

/** The program of a tool, built unless this version is there already. */
function toolPath(name) {
  const module = TOOLS[name];
  const [path, version, directory] = /^([^@]+)@([^/]+)(\/.*)?$/.exec(module).slice(1);
  const file = join(cache, 'bin', `${name}-${version}`);
  if (existsSync(file)) return file;
  say(`building ${module}`);
  mkdirSync(join(cache, 'bin'), { recursive: true });
  const into = mkdtempSync(join(cache, 'build-'));
  if (directory === undefined) {
    execFileSync('go', ['install', module], { env: { ...process.env, GOBIN: into }, stdio: QUIET });
    renameSync(join(into, path.split('/').at(-1)), file);
  } else {
    buildInside(`${path}@${version}`, directory, into, file);
  }
  rmSync(into, { recursive: true });
  return file;
}

/** A module that replaces one of its own cannot be installed: it is built in a copy of its sources. */
function buildInside(module, directory, into, file) {
  const told = execFileSync('go', ['mod', 'download', '-json', module], {
    encoding: 'utf8',
    cwd: into,
  });
  const sources = join(into, 'sources');
  execFileSync('cp', ['-r', '--no-preserve=mode', JSON.parse(told).Dir, sources]);
  execFileSync('go', ['build', '-o', file, `.${directory}`], { cwd: sources, stdio: QUIET });
}

/** The schemas of one version, whose references lead to a file beside them. */
function schemaDirectory() {
  const directory = join(cache, `schemas-${KUBERNETES}`);
  if (existsSync(directory)) return directory;
  say(`installing ${SCHEMAS}`);
  mkdirSync(cache, { recursive: true });
  const into = mkdtempSync(join(cache, 'schemas-'));
  const args = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--root-user-action=ignore'];
  execFileSync('python3', [...args, '--target', into, SCHEMAS], { stdio: 'inherit' });
  const installed = join(into, 'kubernetes_validate/kubernetes-json-schema');
  const strict = join(installed, `v${KUBERNETES}-local-strict`);
  for (const name of readdirSync(strict)) {
    const { $id: _id, ...schema } = JSON.parse(readFileSync(join(strict, name), 'utf8'));
    const text = JSON.stringify(schema);
    writeFileSync(join(strict, name), text.replaceAll('"/api/_definitions', '"_definitions'));
  }
  renameSync(strict, directory);
  rmSync(into, { recursive: true });
  return directory;
}

/** Renders the chart with one set, and answers how many objects that are. */
async function render({ name, values }, tools, directory) {
  const file = join(directory, `${name}.json`);
  writeFileSync(file, JSON.stringify(values));
  const args = ['template', 'watchword', chart, ...kubeVersion, '--namespace', 'sms', '-f', file];
  const { stdout } = await run(tools.helm, args, { maxBuffer: 1 << 24 });
  writeFileSync(join(directory, 'rendered', `${name}.yaml`), stdout);
  return stdout.split(/^---$/m).filter((document) => /^kind:/m.test(document)).length;
}

/** Holds all that was rendered against the schemas and the policies. */
async function checkRendered(tools, directory) {
  const kubeconform = [
    '-strict',
    '-kubernetes-version',
    KUBERNETES,
    '-skip',
    WITHOUT_SCHEMA.join(),
  ];
  const location = join(tools.schemas, '{{.ResourceKind}}{{.KindSuffix}}.json');
  await run(tools.kubeconform, [...kubeconform, '-schema-location', location, directory]);
  const conftest = ['test', '--no-color', directory, '--policy'];
  await run(tools.conftest, [...conftest, join(policies, 'each')], { maxBuffer: 1 << 24 });
  await run(tools.conftest, [...conftest, join(policies, 'all'), '--combine']);
}

/** A set that must be refused, with the sentence that says why. */
async function checkRefused({ name, values, refused }, tools, directory) {
  const file = join(directory, `${name}.json`);
  writeFileSync(file, JSON.stringify(values));
  const said = await run(tools.helm, [
    'template',
    'watchword',
    chart,
    ...kubeVersion,
    '--values',
    file,
  ]).then(
    () => '',
    (error) => String(error.stderr),
  );
  if (!said.includes(refused)) throw new Error(`not refused with "${refused}": ${said}`);
  return 0;
}

const directory = mkdtempSync(join(tmpdir(), 'watchword-helm-'));
try {
  execFileSync(process.execPath, [join(root, 'tools/helm-documents.mjs'), '--check'], {
    stdio: 'inherit',
  });
  const names = Object.keys(TOOLS).map((name) => [name, toolPath(name)]);
  const tools = { ...Object.fromEntries(names), schemas: schemaDirectory() };
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
  let objects = 0;
  let failures = 0;
  for (const set of valueSets) {
    try {
      objects += await (set.refused ? checkRefused : render)(set, tools, directory);
    } catch (error) {
      failures += 1;
      console.error(
        `${set.name}: ${error.stdout ?? ''}${error.stderr ?? ''}${error.stdout ? '' : error.message}`,
      );
    }
  }
  await checkRendered(tools, join(directory, 'rendered'));
  say(`${valueSets.length} sets of values, ${objects} objects checked, ${failures} failures`);
  execFileSync(tools.untt, [chart], { stdio: 'inherit' });
  say('done');
  if (failures > 0) process.exitCode = 1;
} catch (error) {
  console.error(error.stdout ?? '', error.stderr ?? '', error.message);
  process.exitCode = 1;
} finally {
  rmSync(directory, { recursive: true, force: true });
}
