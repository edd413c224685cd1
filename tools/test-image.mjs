/**
 * `npm run test:nightly -- image`: checks deploy/Dockerfile without an engine. Holds it against hadolint and rules of our
 * own, runs its steps in plain directories, and checks the result: production packages only, as the
 * bill of materials lists them, and services that answer. With `--twice` a second build has to give
 * the same files.
 */
import { execFileSync, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { complaintsAbout, readDockerfile } from './image/dockerfile.mjs';
import { contextFiles } from './image/build-context.mjs';
import { hadolint } from './image/hadolint.mjs';

const root = join(import.meta.dirname, '..');
const startedAt = performance.now();
const say = (text) =>
  console.log(`[${((performance.now() - startedAt) / 1_000).toFixed(0)} s] ${text}`);
const expect = (holds, complaint) => {
  if (!holds) throw new Error(complaint);
};
const START_MS_MAX = 90_000;

/** The stages of a Dockerfile as directories: what `FROM`, `COPY`, `RUN` and `WORKDIR` would do in an engine. */
class Build {
  constructor(directory) {
    this.directory = directory;
    this.stages = new Map();
  }

  run(instructions) {
    for (const { name, text } of instructions) {
      if (name === 'FROM') this.from(text);
      else if (name === 'WORKDIR')
        mkdirSync(this.inStage((this.workdir = text)), { recursive: true });
      else if (name === 'COPY') this.copy(text);
      else if (name === 'RUN') this.shell(text);
      else if (name === 'CMD') this.command = JSON.parse(text);
    }
    return this.inStage(this.workdir);
  }

  from(text) {
    this.stage = / AS (\w+)$/.exec(text)?.[1] ?? 'result';
    this.stages.set(this.stage, join(this.directory, this.stage));
    this.workdir = '/';
  }

  inStage(path, stage = this.stage) {
    return join(this.stages.get(stage), path);
  }

  copy(text) {
    const words = text.split(/\s+/);
    const from = words[0].startsWith('--from=') ? words.shift().slice('--from='.length) : undefined;
    const target = words.pop();
    const into = join(this.inStage(this.workdir), target);
    for (const source of words) {
      if (from === undefined) this.copyContext(into);
      else {
        const copied = this.inStage(source, from);
        const name = target.endsWith('/') ? source.split('/').at(-1) : '';
        mkdirSync(dirname(join(into, name)), { recursive: true });
        cpSync(copied, join(into, name), { recursive: true, verbatimSymlinks: true });
      }
    }
  }

  copyContext(into) {
    for (const file of contextFiles(root)) {
      mkdirSync(dirname(join(into, file)), { recursive: true });
      cpSync(join(root, file), join(into, file));
    }
  }

  shell(command) {
    say(command.replace(/\s+/g, ' ').slice(0, 90));
    const path = `${dirname(process.execPath)}:${process.env['PATH']}`;
    execFileSync('/bin/sh', ['-e', '-c', command], {
      cwd: this.inStage(this.workdir),
      env: { PATH: path, HOME: process.env['HOME'], SOURCE_DATE_EPOCH: '0' },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
}

const filesOf = (directory) =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
    .toSorted();

/** `<name>@<version>` of every installed package, workspaces included. */
function installedIn(directory) {
  const manifests = filesOf(directory).filter((file) =>
    /^(?:apps|libs)\/[^/]+\/package\.json$|^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json$/.test(
      file,
    ),
  );
  const named = manifests.map((file) => JSON.parse(readFileSync(join(directory, file), 'utf8')));
  return new Set(named.map(({ name, version }) => `${name}@${version}`));
}

function checkContents(directory) {
  const { devDependencies, version } = JSON.parse(
    readFileSync(join(directory, 'package.json'), 'utf8'),
  );
  const files = filesOf(directory);
  const own = files.filter((file) => !file.startsWith('node_modules/'));
  const strange = own.filter((file) =>
    /\.spec\.|\.tsbuildinfo$|(?<!\.d)\.ts$|(?:^|\/)\.env/.test(file),
  );
  expect(strange.length === 0, `no place in an image: ${strange.slice(0, 5).join(', ')}`);
  expect(
    own.some((file) => file.endsWith('.sql')),
    'the SQL functions are missing',
  );
  const installed = installedIn(directory);
  const sbom = JSON.parse(readFileSync(join(directory, 'sbom.cdx.json'), 'utf8'));
  const listed = new Set(sbom.components.map((one) => one.purl.slice('pkg:npm/'.length)));
  const names = [...listed].map((one) => decodeURIComponent(one));
  const unlisted = [...installed].filter((one) => !names.includes(one));
  const gone = names.filter((one) => !installed.has(one));
  expect(unlisted.length === 0, `not in the bill of materials: ${unlisted.join(', ')}`);
  expect(gone.length === 0, `in the bill of materials only: ${gone.join(', ')}`);
  const direct = Object.keys(devDependencies).filter((name) =>
    existsSync(join(directory, 'node_modules', name, 'package.json')),
  );
  const needed = new Set(sbom.dependencies.flatMap(({ dependsOn }) => dependsOn));
  const surplus = direct.filter((name) => ![...needed].some((ref) => ref.startsWith(`${name}@`)));
  expect(surplus.length === 0, `packages of development: ${surplus.join(', ')}`);
  const bytes = files.reduce((sum, file) => sum + sizeOf(join(directory, file)), 0);
  say(`${version}: ${files.length} files, ${Math.round(bytes / 1e6)} MB, ${names.length} packages`);
}

function sizeOf(file) {
  try {
    return statSync(file).size;
  } catch {
    throw new Error(`${file} leads nowhere`);
  }
}

/** Everything but times; links by where they lead. */
function hashOf(directory) {
  const hash = createHash('sha256');
  for (const file of filesOf(directory)) {
    const path = realpathSync(join(directory, file));
    const isFile = statSync(path).isFile();
    hash.update(`${file}\0${isFile ? '' : relative(directory, path)}\0`);
    if (isFile) hash.update(readFileSync(path));
  }
  return hash.digest('hex').slice(0, 16);
}

/** The image's own command and its fellows, over an empty database. */
async function checkStarts(directory) {
  const { startEmbeddedPostgres } = await import('@watchword/postgres');
  const { freePorts } = await import('@watchword/local-servers');
  const home = mkdtempSync(join(tmpdir(), 'watchword-image-db-'));
  const postgres = await startEmbeddedPostgres({ directory: home });
  const secret = () => randomBytes(32).toString('hex');
  const services = ['billing', 'dispatch', 'webhooks', 'gateway'];
  const ports = await freePorts(services.length * 3);
  const rpc = Object.fromEntries(services.map((name, at) => [name, ports[at * 3]]));
  const addresses = services.map((name) => [
    `${name.toUpperCase()}_ADDRESS`,
    `127.0.0.1:${rpc[name]}`,
  ]);
  const env = {
    PATH: process.env['PATH'],
    NODE_ENV: 'production',
    DATABASE_URL: postgres.url,
    ...Object.fromEntries(addresses),
    ...{ PEPPER: secret(), ENCRYPTION_KEYS: secret(), RPC_SECRET: secret() },
    ...{ OPERATOR_TOKEN: secret(), CALLBACK_SECRET: secret() },
    ...{ HOST: '127.0.0.1', INTERNAL_HOST: '127.0.0.1', CALLBACK_BASE_URL: 'http://127.0.0.1' },
  };
  const children = [];
  try {
    const migrate = ['apps/all-in-one/dist/operator/main.js', 'migrate'];
    execFileSync(process.execPath, migrate, {
      cwd: directory,
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    say('the schemas are up to date');
    for (const [at, name] of services.entries()) {
      const [rpcPort, port, metricsPort] = ports.slice(at * 3, at * 3 + 3).map(String);
      const own = {
        RPC_PORT: name === 'gateway' ? '0' : rpcPort,
        PORT: port,
        METRICS_PORT: metricsPort,
      };
      const child = spawn(process.execPath, [`apps/${name}/dist/main.js`], {
        cwd: directory,
        env: { ...env, ...own },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const one = { child, name, said: '', health: `http://127.0.0.1:${metricsPort}/health` };
      child.stdout.on('data', (text) => (one.said += text));
      child.stderr.on('data', (text) => (one.said += text));
      children.push(one);
    }
    for (const one of children) await untilHealthy(one);
    say(`${services.join(', ')} answer 200 at /health`);
  } finally {
    for (const { child } of children) child.kill('SIGKILL');
    await postgres.destroy();
  }
}

async function untilHealthy({ child, name, health, ...one }) {
  for (const until = Date.now() + START_MS_MAX; ; await sleep(200)) {
    const answer = await fetch(health).catch(() => undefined);
    if (answer?.status === 200) return;
    expect(!isInterrupted, 'interrupted');
    const isOver = child.exitCode !== null || Date.now() > until;
    expect(!isOver, `${name} does not answer at /health: ${one.said}`);
  }
}

const instructions = readDockerfile(join(root, 'deploy/Dockerfile'));
const directory = mkdtempSync(join(tmpdir(), 'watchword-image-'));
process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
/** The first signal ends the step that runs and cleans up; the second ends the process. */
let isInterrupted = false;
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => (isInterrupted = true));
try {
  const complaints = complaintsAbout(instructions);
  expect(complaints.length === 0, complaints.join('\n'));
  say('deploy/Dockerfile follows our rules');
  hadolint(join(root, 'deploy/Dockerfile'), say);
  const result = new Build(join(directory, 'first')).run(instructions);
  checkContents(result);
  if (process.argv.includes('--twice')) {
    const [first, second] = [result, new Build(join(directory, 'second')).run(instructions)];
    expect(hashOf(first) === hashOf(second), 'two builds give different files');
    say(`two builds give the same files: ${hashOf(first)}`);
  }
  await checkStarts(result);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
