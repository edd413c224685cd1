/**
 * Writes the program of `npm start` as one script, so that a start reads two files instead of 2,600. It is made
 * after each build and kept in node_modules/.cache, where `start.mjs` finds it.
 */
import { existsSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleFolder, bundleOf, PROGRAM } from './bundled.mjs';

/** Loaded from node_modules when they are used: native, or not used by most installations. */
const RARELY_USED = [
  '@modelcontextprotocol/node',
  '@modelcontextprotocol/server',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/sdk-node',
  'kafkajs',
  'mailparser',
  'redis',
  'smpp',
  'typeorm',
];
/** The program shares their classes and their state with packages above, so each must exist once. */
const SHARED = ['@opentelemetry/api', 'pg', 'reflect-metadata'];
/** Packages that others would use if they were installed. */
const NOT_INSTALLED = [
  '@fastify/multipart',
  '@fastify/static',
  '@fastify/view',
  '@nats-io/transport-node',
  '@nestjs/platform-express',
  '@nestjs/websockets',
  'amqp-connection-manager',
  'ioredis',
  'mqtt',
  'pg-native',
];

export function bundleIsStale(directory) {
  return existsSync(join(directory, PROGRAM)) && !existsSync(bundleOf(directory));
}

export async function bundle(directory) {
  const { build } = await import('esbuild');
  const script = bundleOf(directory);
  await build({
    entryPoints: [join(directory, PROGRAM)],
    outfile: `${script}.new`,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    supported: { 'dynamic-import': false },
    external: [...RARELY_USED, ...SHARED, ...NOT_INSTALLED],
    legalComments: 'none',
    banner: { js: `(function (exports, require, module) {${NAME_CLASS}` },
    footer: { js: '})' },
    plugins: [asTheModules],
    logLevel: 'error',
  });
  for (const name of readdirSync(bundleFolder(directory))) {
    const file = join(bundleFolder(directory), name);
    // A running process may rename the code that it keeps at this very moment.
    if (file !== `${script}.new`) rmSync(file, { force: true });
  }
  renameSync(`${script}.new`, script);
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
