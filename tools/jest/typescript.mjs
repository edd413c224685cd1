/** Loads TypeScript into this process: SWC removes the types, and packages of the workspace are read from source. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createRequire, enableCompileCache, registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { TYPESCRIPT } from '../typescript-options.mjs';

const root = join(import.meta.dirname, '../..');
const cache = join(root, 'node_modules/.cache/typescript');
const require = createRequire(import.meta.url);
/** A change of these makes the cached output stale. */
const options = `${require('@swc/core/package.json').version}:${JSON.stringify(TYPESCRIPT)}`;

/** Path of each file's source map, by path and by URL of the file. Jest reads it to show an error's place. */
export const sourceMaps = new Map();

export function registerTypeScript() {
  mkdirSync(cache, { recursive: true });
  enableCompileCache(join(root, 'node_modules/.cache/compiled-tests'));
  registerHooks({ resolve, load });
}

function resolve(specifier, context, nextResolve) {
  if (specifier === '@jest/globals') {
    return { url: new URL('globals.mjs', import.meta.url).href, shortCircuit: true };
  }
  if (isTypeScript(context.parentURL) && /^\.{1,2}\//.test(specifier)) {
    const source = new URL(specifier, context.parentURL);
    source.pathname = source.pathname.replace(/\.js$/, '.ts');
    // A page that is opened anew (`import('./main.js?opened=2')`) has new modules throughout.
    source.search ||= new URL(context.parentURL).search;
    if (isTypeScript(source.href) && existsSync(fileURLToPath(source))) {
      return { url: source.href, format: 'module', shortCircuit: true };
    }
  }
  const conditions = [...context.conditions, '@watchword/source'];
  return nextResolve(specifier, { ...context, conditions });
}

function load(url, context, nextLoad) {
  if (!isTypeScript(url)) return nextLoad(url, context);
  return { format: 'module', source: compiled(fileURLToPath(url)), shortCircuit: true };
}

const isTypeScript = (url) => url?.startsWith('file:') && new URL(url).pathname.endsWith('.ts');

/** The JavaScript of a file; compiled again when the file has changed. */
function compiled(path) {
  const { size, mtimeMs } = statSync(path);
  const hash = createHash('sha256').update(`${options}:${path}:${size}:${mtimeMs}`);
  const output = join(cache, `${hash.digest('hex').slice(0, 24)}.js`);
  const map = `${output}.map`;
  sourceMaps.set(path, map).set(pathToFileURL(path).href, map);
  if (existsSync(output)) return readFileSync(output, 'utf8');
  const { transformSync } = require('@swc/core');
  const result = transformSync(readFileSync(path, 'utf8'), {
    ...TYPESCRIPT,
    filename: path,
    sourceMaps: true,
  });
  write(map, result.map);
  write(output, result.code);
  return result.code;
}

/** Workers compile side by side: each sees no file or a whole one. */
function write(file, text) {
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, text);
  renameSync(unfinished, file);
}
