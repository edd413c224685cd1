/**
 * Everything between a fresh clone and a program that can run: packages, the build and the database that a first
 * start copies. Plain Node without dependencies, because it runs before there are any. Each step runs only if it is
 * stale, and says so. A step that was interrupted is stale, so the next start runs it again.
 */
import { createHash } from 'node:crypto';
import fs, { accessSync, constants, existsSync, linkSync, mkdirSync, readFileSync } from 'node:fs';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { projects, sourceFiles } from './build.mjs';
import { buildStamp, bundleOf, PROGRAM } from './bundled.mjs';
import { Interrupted, runGuarded } from './guarded-process.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** A failure that one line explains. */
export class SetUpError extends Error {}

/** Milliseconds between two lines of progress. */
const PROGRESS_MS = 5_000;
/** Megabytes that an install takes at most: without and with the development packages. */
const INSTALLED_MB = { runtime: 600, development: 1_200 };
/** Error codes of npm and of Node for a registry that does not answer. */
const NO_NETWORK =
  /^(?:ENOTFOUND|EAI_AGAIN|ECONN\w+|E(?:NET|HOST)UNREACH|ETIMEDOUT|ENOTCACHED|ERR_SOCKET_TIMEOUT|EIDLETIMEOUT|E5\d\d)$/;

/**
 * Does what is missing. Without `development` only the packages that the program needs are installed: no tests,
 * linters or type checker. Development packages that are installed stay.
 */
export async function setUp({ directory = root, development = true } = {}) {
  requireNode(process.versions.node, [20, 11], 'Install Node 20.11 or newer.');
  const wanted = development || hasDevelopmentPackages(directory);
  const steps = [
    [() => installIsStale(directory, wanted), (step) => install(directory, wanted, step)],
    [() => buildIsStale(directory), (step) => build(directory, step)],
  ];
  if (!steps.some(([isStale]) => isStale())) return;
  accessSync(directory, constants.W_OK);
  await alone(directory, async () => {
    for (const [index, [isStale, make]] of steps.entries()) {
      if (isStale()) await make(`Step ${index + 1} of ${steps.length}`);
    }
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
export function installIsStale(directory, development) {
  const lock = join(directory, 'package-lock.json');
  const installed = installedLock(directory);
  // npm writes it when everything else is there.
  if (!existsSync(installed)) return true;
  if (development && !hasDevelopmentPackages(directory)) return true;
  if (statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return false;
  const stamp = installStamp(directory);
  return !existsSync(stamp) || readFileSync(stamp, 'utf8') !== fileHash(lock);
}

function hasDevelopmentPackages(directory) {
  return existsSync(join(directory, 'node_modules/typescript/package.json'));
}

export function buildIsStale(directory) {
  const stamp = buildStamp(directory);
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== sourceHash(directory)) return true;
  const isBundleGone = existsSync(join(directory, PROGRAM)) && !existsSync(bundleOf(directory));
  return isBundleGone || projects(directory).some((project) => !existsSync(join(project, 'dist')));
}

async function install(directory, development, step) {
  const packages = packagesOf(directory, development);
  const kind = development ? 'development' : 'runtime';
  // npm deletes a former install first, which frees its space.
  requireSpace(directory, existsSync(join(directory, 'node_modules')) ? 0 : INSTALLED_MB[kind]);
  say(`${step}: installing ${packages.length} packages (npm ci, ${kind} dependencies)`);
  // An install that is interrupted while npm deletes the former one must not look finished.
  rmSync(installedLock(directory), { force: true });
  const isThere = (path) => existsSync(join(directory, path, 'package.json'));
  const progress = () => [packages.filter(isThere).length, packages.length];
  try {
    await withProgress('packages', progress, () => npmInstall(directory, development));
    // npm does not notice a disk that is full.
    requireSpace(directory, 1);
    markInstalled(directory);
  } catch (error) {
    say('  removing what was installed');
    rmSync(join(directory, 'node_modules'), { recursive: true, force: true, maxRetries: 5 });
    throw error;
  }
}

/** After it, a lock file that is only newer is not another one. */
export function markInstalled(directory) {
  writeFileSync(installStamp(directory), fileHash(join(directory, 'package-lock.json')));
}

async function npmInstall(directory, development) {
  const kind = development ? '--include=dev' : '--omit=dev';
  const args = ['ci', kind, '--ignore-scripts', '--no-fund', '--no-audit', '--prefer-offline'];
  // Milliseconds. Without a network npm gives up after three tries.
  args.push('--fetch-retry-maxtimeout=10000');
  // The packaged Node is about to be deleted: npm has to run on the system's.
  const bin = join('node_modules', '.bin');
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((part) => !part.endsWith(bin));
  const env = { ...process.env, PATH: path.join(delimiter) };
  const options = { cwd: directory, env, stdout: 'inherit' };
  const { code, errors } = await runGuarded('npm', args, options).catch((error) => {
    if (error.code !== 'ENOENT') throw error;
    throw new SetUpError('npm was not found on the PATH: install Node with npm.');
  });
  if (code !== 0) throw installError(directory, code, errors);
}

function installError(directory, code, errors) {
  const [, cause = ''] = /^npm (?:error|ERR!) code (\w+)/m.exec(errors) ?? [];
  if (cause === 'ENOSPC') return noSpace(directory);
  if (NO_NETWORK.test(cause)) {
    return new SetUpError(
      `npm cannot reach its registry (${cause}): check the network and npm's proxy settings, then run this command again.`,
    );
  }
  if (['EACCES', 'EPERM'].includes(cause)) {
    const [, path = 'its cache'] = /^npm (?:error|ERR!) path (.+)/m.exec(errors) ?? [];
    return new SetUpError(
      `npm may not write ${path}: set npm_config_cache to a folder of yours, then run this command again.`,
    );
  }
  return new SetUpError(`${errors}npm ci failed (${code}); what it said is above.`);
}

function requireSpace(directory, neededMb) {
  const { bavail, bsize } = fs.statfsSync(directory);
  if ((bavail * bsize) / 1e6 < neededMb) throw noSpace(directory, neededMb);
}

function noSpace(directory, neededMb) {
  const wanted = neededMb === undefined ? 'some' : `${neededMb} MB`;
  return new SetUpError(
    `No space is left on the disk of ${directory}: free ${wanted}, then run this command again.`,
  );
}

async function build(directory, step) {
  const hash = sourceHash(directory);
  const { length } = sourceFiles(directory);
  say(`${step}: building ${length} source files and the script of npm start`);
  const stamp = buildStamp(directory);
  rmSync(stamp, { force: true });
  // A process of its own, so that the program does not keep the memory of the compilers.
  const args = [join(root, 'tools/build.mjs'), directory, bundleOf(directory, hash)];
  await withProgress('build', undefined, async () => {
    const { code, errors } = await runGuarded(nodeOf(directory), args, { cwd: directory });
    if (/ENOSPC|no space left/i.test(errors)) throw noSpace(directory);
    if (code !== 0) throw new SetUpError(`${errors}The build failed; what it said is above.`);
  });
  // Sources that changed during the build are built next time.
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, hash);
}

/** Says how far the work is; where `count` returns done and all, also how long it will take. */
async function withProgress(what, count, work) {
  const started = Date.now();
  const seconds = () => (Date.now() - started) / 1_000;
  const timer = setInterval(() => {
    const elapsed = seconds();
    const [done = 0, all = 1] = count?.() ?? [];
    const isSteady = done / all > 0.1 && done < all;
    const left = isSteady ? `, about ${Math.ceil((elapsed / done) * (all - done))} s left` : '';
    const part = count === undefined ? `${what}: running` : `${done} of ${all} ${what}`;
    say(`  ${part} after ${Math.round(elapsed)} s${left}`);
  }, PROGRESS_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  say(`  done in ${seconds().toFixed(1)} s`);
}

/** Two starts at once in one clone: the second waits, and then finds everything done. */
export async function alone(directory, work) {
  const lock = join(directory, '.set-up.lock');
  const started = Date.now();
  let shownAt = -Infinity;
  while (!tryLock(lock)) {
    // Empty where the other process has just ended.
    const [holder] = readLock(lock).split(' ');
    if (holder && Date.now() - shownAt >= PROGRESS_MS) {
      const waited = Math.round((Date.now() - started) / 1_000);
      say(`Waiting for process ${holder}, which is setting up this folder (${waited} s)`);
      shownAt = Date.now();
    }
    await sleep(200);
  }
  try {
    await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** Other processes see no lock or a whole one: it is written aside and then linked. */
function tryLock(lock) {
  const aside = `${lock}.${process.pid}`;
  writeFileSync(aside, `${process.pid} ${startOf(process.pid)}`);
  try {
    linkSync(aside, lock);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (!isAlive(readLock(lock))) rmSync(lock, { force: true });
    return false;
  } finally {
    rmSync(aside, { force: true });
  }
}

function readLock(lock) {
  return existsSync(lock) ? readFileSync(lock, 'utf8') : '';
}

/** Whether the process runs that took the lock. Its id alone may be another's by now. */
function isAlive(owner) {
  const [pid, start] = owner.split(' ');
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    if (error.code !== 'EPERM') return false;
  }
  return startOf(pid) === start;
}

/** When a process started, in the kernel's ticks; empty where there is no such process, or no /proc. */
function startOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ')[19];
  } catch {
    return '';
  }
}

/** Paths of the packages that npm installs on this platform. */
function packagesOf(directory, development) {
  const { packages = {} } = JSON.parse(readFileSync(join(directory, 'package-lock.json'), 'utf8'));
  const fits = (allowed, own) => allowed === undefined || allowed.includes(own);
  const isMusl = process.report?.getReport().header.glibcVersionRuntime === undefined;
  return Object.entries(packages)
    .filter(([path]) => path.includes('node_modules/'))
    .filter(([, { dev, devOptional }]) => development || (!dev && !devOptional))
    .filter(([, { os, cpu }]) => fits(os, process.platform) && fits(cpu, process.arch))
    .filter(([, { libc }]) => process.platform !== 'linux' || fits(libc, isMusl ? 'musl' : 'glibc'))
    .map(([path]) => path);
}

/** Of everything the build reads, and of the directory: the script has absolute paths. */
export function sourceHash(directory) {
  const settings = ['build.mjs', 'bundled.mjs', 'typescript-options.mjs'].map((name) =>
    join(root, 'tools', name),
  );
  const manifests = projects(directory).map((project) => join(project, 'package.json'));
  const lock = join(directory, 'package-lock.json');
  const files = [lock, ...settings, ...manifests, ...sourceFiles(directory)];
  return timesHash(directory, files);
}

/** Names, sizes and times of the files; contents would take too long. */
function timesHash(directory, files) {
  const lines = files.map((file) => {
    const { size, mtimeMs } = statSync(file);
    return `${file}:${size}:${mtimeMs}`;
  });
  const text = [directory, ...lines].join('\n');
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function fileHash(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

function installedLock(directory) {
  return join(directory, 'node_modules', '.package-lock.json');
}

/** In node_modules, so that it goes when that goes. */
function installStamp(directory) {
  return join(directory, 'node_modules', '.watchword-install');
}

function say(sentence) {
  process.stdout.write(`[set-up] ${sentence}\n`);
}

/** Ends the process with one line for errors that the user can fix; all others keep their stack. */
export function failWith(error) {
  console.error(sentenceFor(error) ?? error);
  process.exit(1);
}

function sentenceFor(error) {
  if (error.code === 'ENOSPC') return noSpace(error.path ?? root).message;
  if (['EACCES', 'EPERM', 'EROFS'].includes(error.code)) {
    const user = process.getuid?.() === 0 ? 'root' : 'this user';
    return `${error.path ?? root} is not writable by ${user}: clone into a folder of yours.`;
  }
  if (error instanceof Interrupted) return 'Interrupted. Run this command again to go on.';
  return error instanceof SetUpError ? error.message : undefined;
}
