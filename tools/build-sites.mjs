/**
 * Builds the pages at `/app` from apps/web and those at `/docs` from apps/docs and the Markdown that it collects, as
 * far as they are stale, at the lowest priority: npm start does so once it accepts messages. Both paths show the
 * state that is written here. Plain Node without dependencies.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, constants as zlib, gzipSync } from 'node:zlib';
import { runGuarded } from './guarded-process.mjs';
import { alone } from './set-up.mjs';

const root = join(import.meta.dirname, '..');

/** Each has packages of its own, and writes its build to `node_modules/.cache/site`. */
const SITES = [
  { folder: 'apps/web', sources: ['package-lock.json', 'index.html', 'vite.config.ts', 'src'] },
  {
    folder: 'apps/docs',
    sources: [
      ...['package-lock.json', 'index.md', 'pages.json', 'collect-pages.mjs', 'samples'],
      ...['.vitepress/config.ts', '.vitepress/theme', '../../docs', '../../cli/README.md'],
      ...['README.md', 'typescript/README.md', 'python/README.md', 'go/README.md'].map(
        (name) => `../../sdks/${name}`,
      ),
    ],
  },
].map(({ folder, sources }) => {
  const home = join(root, folder);
  return { folder, home, sources, state: join(home, '.build-state'), built: join(home, 'dist') };
});

/** Starts the build in a process of its own. A failure is shown at its path and leaves the program alone. */
export async function buildSitesInBackground(directory) {
  if (directory !== root || !SITES.some(isStale)) return;
  const options = { cwd: root, stdout: 'ignore' };
  await runGuarded(process.execPath, [import.meta.filename], options).catch(() => undefined);
}

const stampOf = ({ built }) => join(built, 'made-of');

function isStale(site) {
  const stamp = stampOf(site);
  return !existsSync(stamp) || readFileSync(stamp, 'utf8') !== hashOfSources(site);
}

/** Of names, sizes and times: contents would take too long at every start. */
function hashOfSources({ home, sources }) {
  const names = sources.flatMap((source) => filesOf(home, source));
  const lines = names
    .filter((name) => !name.endsWith('.generated.d.ts'))
    .map((name) => [name, statSync(join(home, name))])
    .filter(([, stats]) => stats.isFile())
    .map(([name, { size, mtimeMs }]) => `${name}:${size}:${mtimeMs}`);
  return createHash('sha256').update(lines.toSorted().join('\n')).digest('hex');
}

function filesOf(home, source) {
  const path = join(home, source);
  if (!statSync(path).isDirectory()) return [source];
  return readdirSync(path, { recursive: true }).map((name) => join(source, name));
}

/** Runs npm in the site's folder. */
async function npm({ home }, ...args) {
  const { code, errors } = await runGuarded('npm', args, { cwd: home, stdout: 'ignore' });
  if (code === 0) return;
  throw new Error(errors.trim().split('\n').at(-1) || `npm ${args[0]} ended with ${code}`);
}

/** A file of npm's, which is there when everything else is. */
const installedLock = ({ home }) => join(home, 'node_modules/.package-lock.json');

function isInstalled(site) {
  const installed = installedLock(site);
  const lock = join(site.home, 'package-lock.json');
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs;
}

const INSTALL = 'ci --ignore-scripts --no-fund --no-audit --prefer-offline --omit=dev'.split(' ');

async function build(site) {
  const hash = hashOfSources(site);
  if (!isInstalled(site)) {
    writeFileSync(site.state, 'installing');
    // An install that is broken off must not look finished.
    rmSync(installedLock(site), { force: true });
    await npm(site, ...INSTALL);
  }
  writeFileSync(site.state, 'building');
  await npm(site, 'run', 'build');
  const fresh = join(site.home, 'node_modules/.cache/site');
  compressFiles(fresh);
  writeFileSync(join(fresh, 'made-of'), hash);
  rmSync(site.built, { recursive: true, force: true });
  renameSync(fresh, site.built);
  rmSync(site.state, { force: true });
}

/** Each file also as Brotli and gzip, so that the gateway compresses nothing. */
function compressFiles(folder) {
  const params = { [zlib.BROTLI_PARAM_QUALITY]: 9 };
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!/\.(?:html|js|css|svg|json)$/.test(name)) continue;
    const file = join(folder, name);
    const bytes = readFileSync(file);
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  }
}

if (process.argv[1] === import.meta.filename) {
  setPriority(constants.priority.PRIORITY_LOW);
  // `node tools/build-sites.mjs apps/docs` builds one of them.
  const [only] = process.argv.slice(2);
  const asked = SITES.filter(({ folder }) => only === undefined || folder === only);
  const stale = asked.filter(isStale);
  for (const { state } of stale) if (!existsSync(state)) writeFileSync(state, 'waiting');
  for (const site of stale) {
    try {
      // Programs that start at once in one clone build it once.
      await alone(site.home, () =>
        isStale(site) ? build(site) : rmSync(site.state, { force: true }),
      );
    } catch (error) {
      writeFileSync(site.state, `failed: ${error.message}`);
      console.error(error.message);
      process.exitCode = 1;
    }
  }
}
