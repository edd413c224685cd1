/**
 * Builds what programs run. Each TypeScript file of libs and apps becomes a module in `dist` (SWC). The program of
 * `npm start` becomes one script (esbuild), so that a start reads two files instead of 2,600. Types are checked by
 * `npm run check`, not here.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PROGRAM } from './bundled.mjs';
import { TYPESCRIPT } from './typescript-options.mjs';

/** The process beside the program, which Node runs as a module. */
const SIMULATOR = 'apps/carrier-sim/dist/host/carrier-sim.process.js';

/** Loaded from node_modules when they are used: native, or not used by most installations. */
const RARELY_USED = [
  '@modelcontextprotocol/node',
  '@modelcontextprotocol/server',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/sdk-node',
  'html-to-text',
  'kafkajs',
  'mailparser',
  'redis',
  'smpp',
  'stripe',
  'typeorm',
];
/** The program shares its state with packages above, so it must exist once. */
const SHARED = ['reflect-metadata'];
/** Packages that others would use if they were installed. */
const NOT_INSTALLED = [
  '@fastify/multipart',
  '@fastify/static',
  '@fastify/view',
  '@nats-io/transport-node',
  '@nestjs/platform-express',
  '@nestjs/websockets',
  'amqp-connection-manager',
  'class-transformer',
  'ioredis',
  'mqtt',
  'pg-native',
];

/** Writes the modules of all projects. */
async function compile(directory) {
  const { transform } = await import('@swc/core');
  const outputs = sourceFiles(directory).map((file) => [file, outputOf(directory, file)]);
  const folders = projects(directory).map((project) => join(project, 'dist'));
  for (const folder of new Set([...folders, ...outputs.map(([, output]) => dirname(output))])) {
    mkdirSync(folder, { recursive: true });
  }
  const write = async ([file, output]) => {
    if (!file.endsWith('.ts')) return copyFileSync(file, output);
    const { code } = await transform(readFileSync(file, 'utf8'), { ...TYPESCRIPT, filename: file });
    writeFileSync(output, code);
  };
  await Promise.all(outputs.map(write));
}

/** CommonJS, because an import of a built-in module as an ECMAScript module loads all of it. */
const BUNDLE = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node22',
  supported: { 'dynamic-import': false },
  external: [...RARELY_USED, ...SHARED, ...NOT_INSTALLED],
  legalComments: 'none',
  logLevel: 'silent',
};

/** Writes the script of the program from its modules, and one of the simulator that its module loads. */
async function bundle(directory, script) {
  if (!existsSync(join(directory, PROGRAM))) return;
  const { build } = await import('esbuild');
  const folder = dirname(script);
  mkdirSync(folder, { recursive: true });
  const simulator = join(directory, SIMULATOR);
  const simulatorScript = simulator.replace(/js$/, 'cjs');
  await Promise.all([
    build({
      ...BUNDLE,
      entryPoints: [join(directory, PROGRAM)],
      outfile: `${script}.new`,
      banner: { js: `(function (exports, require, module) {${NAME_CLASS}` },
      footer: { js: '})' },
      plugins: [asTheModules],
    }),
    build({
      ...BUNDLE,
      entryPoints: [simulator],
      outfile: simulatorScript,
      banner: { js: NAME_CLASS },
      plugins: [asTheModules],
    }),
  ]);
  writeFileSync(
    simulator,
    `import { createRequire } from 'node:module';\ncreateRequire(import.meta.url)('./${basename(simulatorScript)}');\n`,
  );
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    // A running process may rename the code that it caches at this very moment.
    if (file !== `${script}.new`) rmSync(file, { force: true });
  }
  renameSync(`${script}.new`, script);
}

/** Folders of the projects that have sources. */
export function projects(directory) {
  return ['libs', 'apps'].flatMap((group) => {
    const path = join(directory, group);
    if (!existsSync(path)) return [];
    return readdirSync(path)
      .map((name) => join(path, name))
      .filter((project) => existsSync(join(project, 'src')) && !isBuiltApart(project));
  });
}

/** apps/web and apps/docs have packages of their own: build-sites.mjs builds them. */
function isBuiltApart(project) {
  return existsSync(join(project, 'package-lock.json'));
}

/** Modules, and the data that they import. */
export function sourceFiles(directory) {
  const isRead = (name) => /(?<!\.(?:spec|d))\.(?:ts|json)$/.test(name);
  return projects(directory).flatMap((project) => filesBelow(join(project, 'src'), isRead));
}

export function filesBelow(path, isWanted) {
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    const child = join(path, entry.name);
    if (entry.isDirectory()) return filesBelow(child, isWanted);
    return isWanted(entry.name) ? [child] : [];
  });
}

/** `libs/one/src/a.ts` becomes `libs/one/dist/a.js`. */
function outputOf(directory, file) {
  const [group, project, , ...rest] = file.slice(directory.length + 1).split(sep);
  return join(directory, group, project, 'dist', ...rest).replace(/\.ts$/, '.js');
}

/** Every class names itself, because esbuild renames classes where two have one name. */
const NAME_CLASS = `
var __nameClass = (target, name) => {
  const own = Object.getOwnPropertyDescriptor(target, 'name');
  if (own?.writable === false && own.value !== name) Object.defineProperty(target, 'name', { ...own, value: name });
};`;
/** The head of a class as compilers write it. esbuild's own `keepNames` would slow every closure, too. */
const CLASS_HEAD = /^(?![ \t]*(?:\*|\/\/)).*\bclass (\w+)(?: extends [^{}\n]+)? \{$/gm;

/**
 * A module of a bundle stands where its file is: it finds its SQL, its workers and its binaries. And its classes
 * have their names: a database knows migrations by them.
 */
const asTheModules = {
  name: 'as-the-modules',
  setup(build) {
    build.onLoad({ filter: /\.[cm]?js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!/import\.meta\.|__dirname|__filename|\bclass /.test(text)) return undefined;
      const contents = text
        .replaceAll(CLASS_HEAD, '$& static { __nameClass(this, "$1"); }')
        .replaceAll(/\bimport\.meta\.url\b/g, JSON.stringify(pathToFileURL(path).href))
        .replaceAll(/\b(?:import\.meta\.dirname|__dirname)\b/g, JSON.stringify(dirname(path)))
        .replaceAll(/\b(?:import\.meta\.filename|__filename)\b/g, JSON.stringify(path));
      return { contents, loader: 'js' };
    });
  },
};

// `node tools/build.mjs [<directory> <script>]`: without a script the modules alone, for an image.
if (process.argv[1] === import.meta.filename) {
  const [, , directory = join(import.meta.dirname, '..'), script] = process.argv;
  try {
    await compile(directory);
    if (script !== undefined) await bundle(directory, script);
  } catch (error) {
    // The messages of the compilers name file and line.
    console.error(error.message);
    process.exit(1);
  }
}
