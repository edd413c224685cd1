/**
 * `npm run test:helm`: checks the chart without a cluster. Renders it with every set of
 * tests/deploy/helm-values.mjs, holds each object against Kubernetes' schemas and the policies in
 * helm/policies, and runs the chart's own unit tests.
 *
 * The tools are built from Go modules and the schemas come from PyPI, at the versions below, into a cache
 * outside the repository (WATCHWORD_HELM_CACHE, else ~/.cache/watchword-helm).
 */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
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
  untt: 'github.com/helm-unittest/helm-unittest/cmd/helm-unittest@v1.1.2',
  conftest: 'github.com/open-policy-agent/conftest@v0.71.1',
};
/** Resources of operators: no schema of theirs is published as a package. */
const WITHOUT_SCHEMA = ['ExternalSecret', 'HTTPRoute', 'ScaledObject', 'ServiceMonitor'];

const startedAt = performance.now();
const seconds = () => ((performance.now() - startedAt) / 1_000).toFixed(0);
const say = (text) => console.log(`[${seconds()} s] ${text}`);

/** The program of a tool, built unless this version is there already. */
function toolPath(name) {
  const module = TOOLS[name];
  const version = module.slice(module.indexOf('@') + 1);
  const file = join(cache, 'bin', `${name}-${version}`);
  if (existsSync(file)) return file;
  say(`building ${module}`);
  mkdirSync(join(cache, 'bin'), { recursive: true });
  const into = mkdtempSync(join(cache, 'build-'));
  const env = { ...process.env, GOBIN: into, GOFLAGS: '-trimpath' };
  execFileSync('go', ['install', module], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  renameSync(join(into, module.slice(0, module.indexOf('@')).split('/').at(-1)), file);
  rmSync(into, { recursive: true });
  return file;
}

function schemaDirectory() {
  const directory = join(cache, `schemas-${KUBERNETES}`);
  if (!existsSync(directory)) {
    say(`installing ${SCHEMAS}`);
    const into = mkdtempSync(join(tmpdir(), 'watchword-schemas-'));
    const args = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', into, SCHEMAS];
    execFileSync('python3', args, { stdio: 'inherit' });
    mkdirSync(cache, { recursive: true });
    execFileSync('mv', [into, directory]);
  }
  return join(directory, 'kubernetes_validate/kubernetes-json-schema');
}

/** Renders the chart with one set, and holds every object against schemas and policies. */
async function check({ name, values }, tools, directory) {
  const file = join(directory, `${name}.values.json`);
  const rendered = join(directory, `${name}.yaml`);
  writeFileSync(file, JSON.stringify(values));
  const { stdout } = await run(
    tools.helm,
    ['template', 'watchword', chart, '--namespace', 'sms', '--values', file],
    { maxBuffer: 1 << 24 },
  );
  writeFileSync(rendered, stdout);
  const location =
    '{{.NormalizedKubernetesVersion}}-local-strict/{{.ResourceKind}}{{.KindSuffix}}.json';
  await run(tools.kubeconform, [
    '-strict',
    '-kubernetes-version',
    KUBERNETES,
    '-schema-location',
    join(tools.schemas, location),
    '-skip',
    WITHOUT_SCHEMA.join(','),
    rendered,
  ]);
  await run(tools.conftest, ['test', '--no-color', '--policy', join(policies, 'each'), rendered]);
  const all = ['test', '--no-color', '--combine', '--policy', join(policies, 'all'), rendered];
  await run(tools.conftest, all);
  return stdout.split(/^---$/m).filter((document) => /^kind:/m.test(document)).length;
}

/** A set that must be refused, with the sentence that says why. */
async function checkRefused({ name, values, refused }, tools, directory) {
  const file = join(directory, `${name}.values.json`);
  writeFileSync(file, JSON.stringify(values));
  const said = await run(tools.helm, ['template', 'watchword', chart, '--values', file]).then(
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
      '--values',
      values,
      '--set',
      'secrets.existing=given',
    ]);
  }
  let objects = 0;
  let failures = 0;
  for (const set of valueSets) {
    try {
      objects += await (set.refused ? checkRefused : check)(set, tools, directory);
    } catch (error) {
      failures += 1;
      console.error(
        `${set.name}: ${error.stdout ?? ''}${error.stderr ?? ''}${error.stdout ? '' : error.message}`,
      );
    }
  }
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
