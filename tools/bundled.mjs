/**
 * The program as one script, with the code that V8 compiled of it at an earlier start. `bundle.mjs` writes the
 * script after each build; why is in docs/internals/performance.md. Plain Node without dependencies.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { renameSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cachedDataVersionTag, setFlagsFromString } from 'node:v8';
import vm from 'node:vm';

/** What `npm start` runs. */
export const PROGRAM = 'apps/all-in-one/dist/program.js';

/** Milliseconds after the start. A start that failed has ended by then. */
const KEPT_AFTER_MS = 5_000;
/** After the code was kept. */
const FORGOTTEN_AFTER_MS = KEPT_AFTER_MS + 1_000;
/** Makes the bundle; a bundle of another bundler is stale. */
const bundler = fileURLToPath(new URL('bundle.mjs', import.meta.url));

export function bundleFolder(directory) {
  return join(directory, 'node_modules', '.cache', 'bundles');
}

/**
 * Returns the path of the bundle. Its name says of which directory, build and packages it is: paths in it are
 * absolute.
 */
export function bundleOf(directory) {
  const hash = createHash('sha256').update(`${directory}\n`);
  for (const file of madeOf(directory)) {
    const { size, mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? {};
    hash.update(`${size}:${mtimeMs}\n`);
  }
  return join(bundleFolder(directory), `${hash.digest('hex').slice(0, 16)}.cjs`);
}

function madeOf(directory) {
  const builds = ['libs', 'apps'].flatMap((group) =>
    readdirSync(join(directory, group)).map((project) =>
      join(directory, group, project, 'dist', 'tsconfig.tsbuildinfo'),
    ),
  );
  const packages = join(directory, 'node_modules', '.package-lock.json');
  return [packages, bundler, ...builds];
}

/** Runs the bundle of this build. Returns false where there is none. */
export function runBundled(directory) {
  const file = bundleOf(directory);
  if (!existsSync(file)) return false;
  // The bundler writes ASCII.
  const source = readFileSync(file, 'latin1');
  const compiled = `${file}.${cachedDataVersionTag()}`;
  const cachedData = existsSync(compiled) ? readFileSync(compiled) : undefined;
  const script = new vm.Script(source, { filename: file, cachedData });
  const module = { exports: {} };
  const require = createRequire(join(directory, PROGRAM));
  script.runInThisContext()(module.exports, require, module);
  const { started } = module.exports;
  if (cachedData === undefined || script.cachedDataRejected) {
    void keepCompiled(script, compiled, started);
  }
  void forgetTheStart(started);
  return true;
}

/** A start calls thousands of functions that are never called again. V8 forgets their code after two full collections, not six. */
async function forgetTheStart(started) {
  await started;
  setTimeout(() => setFlagsFromString('--bytecode-old-age=2'), FORGOTTEN_AFTER_MS).unref();
}

/** Keeps the compiled code for later starts: with all functions that this start has run. */
async function keepCompiled(script, file, started) {
  await started;
  let isKept = false;
  const keep = () => {
    if (isKept) return;
    isKept = true;
    try {
      const unfinished = join(dirname(file), `.${process.pid}`);
      writeFileSync(unfinished, script.createCachedData());
      renameSync(unfinished, file);
    } catch {
      // Starts without it are slower, and nothing else.
    }
  };
  setTimeout(keep, KEPT_AFTER_MS).unref();
  process.once('exit', (code) => {
    if (code === 0) keep();
  });
}
