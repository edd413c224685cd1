/**
 * Everything between a fresh clone and a program that can run: packages, the build, its bundle and the database
 * that a first start copies. Plain Node without dependencies, because it runs before there are any. Does only what
 * is missing, says what it does, and costs a few milliseconds when there is nothing to do.
 */
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bundle, bundleIsStale } from './bundle.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** A failure that one line explains. */
export class SetUpError extends Error {}

const heartbeatMs = 10_000;
/** Makes the database that a first start copies, unless it is there. */
const PREPARE = 'apps/all-in-one/dist/prepare.js';

export async function setUp(directory = root) {
  requireNode(process.versions.node, [20, 0], 'Install Node 20 or newer.');
  const steps = [
    [installIsStale, install],
    [buildIsStale, build],
    [bundleIsStale, bundleOrSay],
    [preparedIsStale, prepareOrSay],
  ];
  if (!steps.some(([isStale]) => isStale(directory))) return;
  await alone(directory, async () => {
    for (const [isStale, make] of steps) if (isStale(directory)) await make(directory);
  });
}

/** The Node that runs the program: the packaged one, where there is one for this platform. */
export function nodeOf(directory = root) {
  const packaged = join(directory, 'node_modules', '.bin', 'node');
  if (existsSync(packaged)) return packaged;
  requireNode(
    process.versions.node,
    [24, 7],
    `There is no packaged Node for ${process.platform} ${process.arch}: install Node 24.7 or newer.`,
  );
  return process.execPath;
}

export function requireNode(version, [majorMin, minorMin], advice) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > majorMin || (major === majorMin && minor >= minorMin)) return;
  throw new SetUpError(`Node ${version} is too old for Watchword. ${advice}`);
}

/** True when the packages are older than the lock file, unless that has only been touched. */
export function installIsStale(directory) {
  const lock = join(directory, 'package-lock.json');
  const installed = join(directory, 'node_modules', '.package-lock.json');
  if (!existsSync(installed)) return true;
  if (statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return false;
  return readStamp(directory, 'install') !== fileHash(lock);
}

export function buildIsStale(directory) {
  if (readStamp(directory, 'build') !== sourceHash(directory)) return true;
  return projects(directory).some(
    (project) => !existsSync(join(project, 'dist', 'tsconfig.tsbuildinfo')),
  );
}

/** True after a build, after a change of an SQL file, and where the step was not finished. */
export function preparedIsStale(directory) {
  if (!existsSync(join(directory, PREPARE))) return false;
  const stamp = preparedStamp(directory);
  return !existsSync(stamp) || readFileSync(stamp, 'utf8') !== preparedHash(directory);
}

async function install(directory) {
  say('Installing packages (npm ci); the first time this takes about a minute.');
  // The packaged Node is about to be deleted: npm has to run on the system's.
  const bin = join('node_modules', '.bin');
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((part) => !part.endsWith(bin));
  const environment = { ...process.env, PATH: path.join(delimiter) };
  const command = ['npm', 'ci', '--ignore-scripts', '--no-fund', '--no-audit'];
  await run(directory, command, environment, 'npm ci failed; what it said is above.');
  markInstalled(directory);
}

async function build(directory) {
  say('Building what changed.');
  const before = sourceHash(directory);
  const compiler = join(directory, 'node_modules', 'typescript', 'bin', 'tsc');
  const command = [nodeOf(directory), compiler, '-b', 'tsconfig.json'];
  await run(directory, command, process.env, 'The build failed; what the compiler said is above.');
  markBuilt(directory, before);
}

/** A program without its bundle runs as well, and starts later. */
async function bundleOrSay(directory) {
  await bundle(directory).catch((error) => say(`There is no bundle: ${error.message}`));
}

/** A first start without a prepared database makes its own. */
async function prepareOrSay(directory) {
  const before = preparedHash(directory);
  try {
    await promisify(execFile)(nodeOf(directory), [join(directory, PREPARE)]);
    const stamp = preparedStamp(directory);
    mkdirSync(dirname(stamp), { recursive: true });
    writeFileSync(stamp, before);
  } catch (error) {
    say(`There is no prepared database: ${(error.stderr || error.message).trim()}`);
  }
}

async function run(directory, [program, ...args], environment, failure) {
  const started = Date.now();
  const heartbeat = setInterval(() => {
    say(`still at it after ${Math.round((Date.now() - started) / 1000)} s`);
  }, heartbeatMs);
  try {
    const child = spawn(program, args, { cwd: directory, env: environment, stdio: 'inherit' });
    const code = await new Promise((resolve, reject) => {
      child.once('error', reject).once('exit', resolve);
    });
    if (code !== 0) throw new SetUpError(failure);
    say(`done in ${((Date.now() - started) / 1000).toFixed(1)} s`);
  } catch (error) {
    if (error.code === 'ENOENT') throw new SetUpError(`${program} was not found on the PATH.`);
    throw error;
  } finally {
    clearInterval(heartbeat);
  }
}

/** Two starts at once in one clone: the second waits, and then finds everything done. */
async function alone(directory, work) {
  const name = createHash('sha256').update(directory).digest('hex').slice(0, 12);
  const lock = join(tmpdir(), `watchword-set-up-${name}.lock`);
  let told = false;
  while (!tryLock(lock)) {
    if (!told) say('Waiting for another start that is setting up this folder.');
    told = true;
    await sleep(200);
  }
  try {
    await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function tryLock(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (!isAlive(lock)) rmSync(lock, { force: true });
    return false;
  }
}

function isAlive(lock) {
  try {
    const owner = Number(readFileSync(lock, 'utf8'));
    // An empty file is a lock that is just being taken.
    if (owner > 0) process.kill(owner, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function projects(directory) {
  return ['libs', 'apps'].flatMap((group) => {
    const path = join(directory, group);
    if (!existsSync(path)) return [];
    return readdirSync(path)
      .map((name) => join(path, name))
      .filter((project) => existsSync(join(project, 'tsconfig.json')));
  });
}

/** Of everything the build reads. */
export function sourceHash(directory) {
  const settings = ['tsconfig.base.json', 'tsconfig.json', 'package-lock.json']
    .map((file) => join(directory, file))
    .filter((file) => existsSync(file));
  const isRead = (name) => /\.(?:ts|json)$/.test(name) && !name.endsWith('.spec.ts');
  const sources = projects(directory).flatMap((project) => [
    join(project, 'tsconfig.json'),
    join(project, 'package.json'),
    ...filesBelow(join(project, 'src'), isRead),
  ]);
  return timesHash(directory, [...settings, ...sources]);
}

/** Of the build and the SQL files, which it does not read. */
function preparedHash(directory) {
  const isSql = (name) => name.endsWith('.sql');
  const files = projects(directory).flatMap((project) => filesBelow(join(project, 'src'), isSql));
  return `${readStamp(directory, 'build')} ${timesHash(directory, files)}`;
}

/** Names, sizes and times of the files; contents would take too long. */
function timesHash(directory, files) {
  const hash = createHash('sha256');
  for (const file of files) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${relative(directory, file)}:${size}:${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

function filesBelow(path, isWanted) {
  if (!existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    const child = join(path, entry.name);
    if (entry.isDirectory()) return filesBelow(child, isWanted);
    return isWanted(entry.name) ? [child] : [];
  });
}

function fileHash(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/** Stamps live in node_modules, so that they go when it goes. */
function stampFile(directory, name) {
  return join(directory, 'node_modules', `.watchword-${name}`);
}

/** Beside the database, so that it goes with it. */
function preparedStamp(directory) {
  return join(directory, 'node_modules/.cache/clusters/made-of');
}

function readStamp(directory, name) {
  const file = stampFile(directory, name);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

function writeStamp(directory, name, value) {
  writeFileSync(stampFile(directory, name), value);
}

export function markInstalled(directory) {
  writeStamp(directory, 'install', fileHash(join(directory, 'package-lock.json')));
}

/** Stores the hash of the sources from before the build. Changes during it are built next time. */
export function markBuilt(directory, hash) {
  writeStamp(directory, 'build', hash);
}

function say(sentence) {
  process.stdout.write(`[set-up] ${sentence}\n`);
}

/** Ends the process with one line for errors that the user can fix; all others keep their stack. */
export function failWith(error) {
  const denied = ['EACCES', 'EPERM', 'EROFS'].includes(error.code);
  if (denied) {
    const user = process.getuid?.() === 0 ? 'root' : 'this user';
    console.error(
      `${error.path ?? root} is not writable by ${user}: clone into a folder of yours.`,
    );
  } else console.error(error instanceof SetUpError ? error.message : error);
  process.exit(1);
}
