/**
 * Builds the pages at `/app` from apps/web, if they are stale, at the lowest priority: npm start does so once it
 * accepts messages. `/app` shows the state that is written here. Plain Node without dependencies.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { runGuarded } from './guarded-process.mjs';

const root = join(import.meta.dirname, '..');
const web = join(root, 'apps/web');
const state = join(web, '.build-state');
const built = join(web, 'dist');
const stamp = join(built, 'made-of');

/** Starts the build in a process of its own. A failure is shown at `/app` and leaves the program alone. */
export async function buildWebInBackground(directory) {
  if (directory !== root || !isStale()) return;
  const options = { cwd: root, stdout: 'ignore' };
  await runGuarded(process.execPath, [import.meta.filename], options).catch(() => undefined);
}

function isStale() {
  return !existsSync(stamp) || readFileSync(stamp, 'utf8') !== hashOfSources();
}

/** Of names, sizes and times: contents would take too long at every start. */
function hashOfSources() {
  const names = ['package-lock.json', 'index.html', 'vite.config.ts'];
  const sources = readdirSync(join(web, 'src'), { recursive: true }).map((name) => `src/${name}`);
  const lines = [...names, ...sources]
    .filter((name) => !name.endsWith('.generated.d.ts'))
    .map((name) => [name, statSync(join(web, name))])
    .filter(([, stats]) => stats.isFile())
    .map(([name, { size, mtimeMs }]) => `${name}:${size}:${mtimeMs}`);
  return createHash('sha256').update(lines.toSorted().join('\n')).digest('hex');
}

/** Runs npm in apps/web. Returns its errors, or undefined. */
async function npm(...args) {
  const { code, errors } = await runGuarded('npm', args, { cwd: web, stdout: 'ignore' });
  return code === 0
    ? undefined
    : errors.trim().split('\n').at(-1) || `npm ${args[0]} ended with ${code}`;
}

/** A file of npm's, which is there when everything else is. */
function isInstalled() {
  const installed = join(web, 'node_modules/.package-lock.json');
  const lock = join(web, 'package-lock.json');
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs;
}

async function build() {
  const hash = hashOfSources();
  if (!isInstalled()) {
    writeFileSync(state, 'installing');
    const failed = await npm(
      'ci',
      '--ignore-scripts',
      '--no-fund',
      '--no-audit',
      '--prefer-offline',
      '--omit=dev',
    );
    if (failed) throw new Error(failed);
  }
  writeFileSync(state, 'building');
  const failed = await npm('run', 'build');
  if (failed) throw new Error(failed);
  const fresh = join(web, 'node_modules/.cache/web');
  writeFileSync(join(fresh, 'made-of'), hash);
  rmSync(built, { recursive: true, force: true });
  renameSync(fresh, built);
  rmSync(state, { force: true });
}

if (process.argv[1] === import.meta.filename && isStale()) {
  setPriority(constants.priority.PRIORITY_LOW);
  try {
    await build();
  } catch (error) {
    writeFileSync(state, `failed: ${error.message}`);
    console.error(error.message);
    process.exitCode = 1;
  }
}
