/**
 * The program as one script, with the code that V8 compiled of it at an earlier start. `build.mjs` writes the
 * script; why is in docs/internals/performance.md. Plain Node without dependencies.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { cachedDataVersionTag, setFlagsFromString } from 'node:v8';
import vm from 'node:vm';

/** What `npm start` runs. */
export const PROGRAM = 'apps/all-in-one/dist/program.js';

/** Milliseconds after the start. A start that failed has ended by then. */
const KEPT_AFTER_MS = 5_000;
/** After the code was kept. */
const FORGOTTEN_AFTER_MS = KEPT_AFTER_MS + 1_000;

export function bundleFolder(directory) {
  return join(directory, 'node_modules', '.cache', 'bundles');
}

/** Holds the hash of what the last finished build was made of. */
export function buildStamp(directory) {
  return join(bundleFolder(directory), 'made-of');
}

/** Returns the path of the script of this build: each build has a name of its own. */
export function bundleOf(directory, hash = readFileSync(buildStamp(directory), 'utf8')) {
  return join(bundleFolder(directory), `${hash}.cjs`);
}

/** Runs the script of the last build. Returns a promise of the program's start. */
export function runBundled(directory) {
  // For modules outside of the script, and for the carrier simulator.
  module.enableCompileCache(join(directory, 'node_modules/.cache/compiled'));
  const file = bundleOf(directory);
  // The bundler writes ASCII.
  const source = readFileSync(file, 'latin1');
  const compiled = `${file}.${cachedDataVersionTag()}`;
  const cachedData = existsSync(compiled) ? readFileSync(compiled) : undefined;
  const script = new vm.Script(source, { filename: file, cachedData });
  const own = { exports: {} };
  const require = createRequire(join(directory, PROGRAM));
  script.runInThisContext()(own.exports, require, own);
  const { started } = own.exports;
  if (cachedData === undefined || script.cachedDataRejected) {
    void keepCompiled(script, compiled, started);
  }
  void forgetTheStart(started);
  return started;
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
