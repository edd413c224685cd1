/**
 * `npm run test:sdks [-- typescript python go]`: the cases of `sdks/behaviour.json` with each SDK, against a scripted
 * server and a running product. That for TypeScript runs in Node, Deno, Bun and workerd; PYTHON names another Python.
 * An SDK whose tools are missing is skipped with a sentence.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { differences, requestOf } from './sdks/compare.mjs';
import { startScriptedServer } from './sdks/scripted-server.mjs';
import { cache, once } from './tool-cache.mjs';
import { root } from './set-up.mjs';
import startSharedSystem, { stopSharedSystem } from '../tests/support/shared-system.setup.mjs';

const HTTPX = 'httpx==0.28.1';
const KEY = `svc_test_${'a'.repeat(32)}`;
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const { cases } = JSON.parse(readFileSync(join(root, 'sdks/behaviour.json'), 'utf8'));
const work = mkdtempSync(join(tmpdir(), 'watchword-sdks-'));
const driver = join(root, 'sdks/behaviour');

/** Each returns the command of its driver, or throws where a tool is missing. */
const SDKS = {
  typescript: () => [process.execPath, bundled()],
  'typescript-deno': () => [runtime('deno@2.9.6', 'deno'), 'run', '--quiet', '-A', bundled()],
  'typescript-bun': () => [runtime('bun@1.4.5', 'bun'), bundled()],
  'typescript-workers': workers,
  python: () => [python(), join(driver, 'driver.py')],
  'python-async': () => [python(), join(driver, 'driver.py'), 'async'],
  go: () => [goDriver()],
};

const wanted = process.argv.slice(2).filter((name) => !name.startsWith('--'));
const failed = [];
const server = await startScriptedServer();
await startSharedSystem();
try {
  const credentials = JSON.parse(readFileSync(process.env['WATCHWORD_CREDENTIALS'], 'utf8'));
  for (const name of Object.keys(SDKS)) {
    if (wanted.length > 0 && !wanted.some((one) => name.startsWith(one))) continue;
    await runAll(name, credentials);
  }
} finally {
  await stopSharedSystem();
  server.close();
  rmSync(work, { recursive: true, force: true });
}
for (const line of failed) console.error(line);
process.exitCode = failed.length > 0 ? 1 : 0;

async function runAll(name, credentials) {
  const command = commandOf(name);
  if (!command) return;
  const child = spawn(command[0], command.slice(1), {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PYTHONPATH: join(root, 'sdks/python/src'),
      PYTHONDONTWRITEBYTECODE: '1',
    },
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (request) => {
    child.stdin.write(`${JSON.stringify(request)}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error(`The driver of ${name} ended.`);
    return JSON.parse(value);
  };
  const before = failed.length;
  const own = cases.filter(({ only }) => only === undefined || only.includes(familyOf(name)));
  for (const one of own) {
    const found = one.product
      ? await runOnProduct(one, ask, credentials, name)
      : await runScripted(one, ask, name);
    failed.push(...found.map((text) => `${name}: ${one.name}: ${text}`));
  }
  child.stdin.end();
  console.log(`${name}: ${own.length} cases, ${failed.length - before} differences`);
}

function commandOf(name) {
  try {
    return SDKS[name]();
  } catch (error) {
    console.log(`${name}: SKIPPED, because its tools are missing: ${error.message.split('\n')[0]}`);
    return undefined;
  }
}

async function runScripted(one, ask, name) {
  server.script(one.answers ?? []);
  const { slash, basePath = '', ...client } = one.client ?? {};
  const baseUrl = server.url + basePath + (slash ? '/' : '');
  const given = await ask(requestOf(one, { apiKey: KEY, baseUrl, ...client }));
  return differences(one.expect, given, server.requests, {
    isGo: name === 'go',
    key: KEY,
    userAgent: `watchword-${familyOf(name)}/${version}`,
  });
}

/** The steps of a case share the ids that they save. */
async function runOnProduct(one, ask, credentials, name) {
  const saved = { run: `${name}-${Date.now()}` };
  const found = [];
  for (const step of one.steps) {
    const text = JSON.stringify(step).replaceAll(/<(\w+)>/g, (all, key) => saved[key] ?? all);
    const ready = JSON.parse(text);
    const client = {
      apiKey: credentials[`${one.product}_key`],
      baseUrl: credentials.base_url,
      ...ready.client,
    };
    const given = await ask(requestOf(ready, client));
    for (const [key, member] of Object.entries(step.save ?? {})) saved[key] = given.value?.[member];
    found.push(...differences(ready.expect, given, [], { isGo: name === 'go' }));
  }
  return found;
}

/** Which SDK it is: the part before the hyphen. */
function familyOf(name) {
  return name.split('-', 1)[0];
}

function workers() {
  const packages = dirname(dirname(dirname(runtime('miniflare@4.20260730.0', 'miniflare'))));
  const program = join(root, 'tools/sdks/workers-driver.mjs');
  return [process.execPath, program, packages, bundled('worker')];
}

/** A program of npm, obtained once. */
function runtime(requirement, name) {
  const folder = once(join(cache, `runtime-${requirement}`), (into) => {
    const args = ['install', '--silent', '--no-audit', '--no-fund', '--prefix', into];
    execFileSync('npm', [...args, requirement], { stdio: 'pipe' });
  });
  const program = join(folder, 'node_modules/.bin', name);
  if (!existsSync(program)) throw new Error(`There is no ${program}`);
  return program;
}

function bundled(name = 'driver') {
  const file = join(work, `${name}.mjs`);
  const program = join(root, 'node_modules/.bin/esbuild');
  // A Worker must not need what only Node has.
  const platform = name === 'worker' ? 'neutral' : 'node';
  const options = ['--bundle', `--platform=${platform}`, '--format=esm', '--log-level=warning'];
  execFileSync(program, [join(driver, `${name}.ts`), ...options, `--outfile=${file}`]);
  return file;
}

function python() {
  const interpreter = process.env['PYTHON'] ?? 'python3';
  const { stdout } = spawnSync(interpreter, ['-V'], { encoding: 'utf8' });
  const version = (stdout ?? '').trim().toLowerCase().replace(' ', '-');
  if (version === '') throw new Error(`There is no ${interpreter}`);
  const folder = once(join(cache, `${version}-${HTTPX}`), (into) => {
    execFileSync(interpreter, ['-m', 'venv', '--copies', into], { stdio: 'pipe' });
    const args = ['-m', 'pip', 'install', '--quiet', HTTPX];
    execFileSync(join(into, 'bin/python'), args, { stdio: 'pipe' });
  });
  const program = join(folder, 'bin/python');
  buildWheel(program);
  return program;
}

/** The package can be built. It is copied first, because a build writes beside its sources. */
function buildWheel(program) {
  const copy = join(work, 'python');
  if (existsSync(copy)) return;
  cpSync(join(root, 'sdks/python'), copy, { recursive: true });
  const args = ['-m', 'pip', 'wheel', '--quiet', '--no-deps', '--wheel-dir', work, copy];
  execFileSync(program, args, { stdio: 'pipe' });
}

function goDriver() {
  const file = join(work, 'driver-go');
  const go = join(root, 'sdks/go');
  execFileSync('go', ['vet', './...'], { cwd: go, stdio: 'pipe' });
  execFileSync('go', ['build', '-o', file, './internal/behaviour'], { cwd: go, stdio: 'pipe' });
  return file;
}
