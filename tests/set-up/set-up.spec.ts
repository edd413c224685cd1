import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const tools = join(import.meta.dirname, '../../tools');

let clone: string;

/** A tree that looks like a clone with everything done: two packages, one of them built. */
beforeEach(async () => {
  clone = await mkdtemp(join(tmpdir(), 'watchword clone '));
  await mkdir(join(clone, 'node_modules'));
  await mkdir(join(clone, 'libs/one/src'), { recursive: true });
  await mkdir(join(clone, 'libs/one/dist'));
  await mkdir(join(clone, 'apps'));
  const files = ['package-lock.json', 'libs/one/package.json', 'libs/one/tsconfig.json'];
  for (const file of [...files, 'libs/one/src/index.ts', 'libs/one/dist/tsconfig.tsbuildinfo']) {
    await writeFile(join(clone, file), '{}');
  }
  await writeFile(join(clone, 'node_modules/.package-lock.json'), '{}');
});

afterEach(async () => {
  await rm(clone, { recursive: true, force: true });
});

/** Returns what a script that has `setUp` prints. */
function run(statement: string): string {
  const script = `
    const setUp = await import(${JSON.stringify(join(tools, 'set-up.mjs'))});
    ${statement};
  `;
  const args = ['--input-type=module', '-e', script, clone];
  return execFileSync(process.execPath, args, { encoding: 'utf8' });
}

function ask(expression: string): unknown {
  return JSON.parse(run(`console.log(JSON.stringify(${expression}))`));
}

const installIsStale = () => ask('setUp.installIsStale(process.argv[1])');
const buildIsStale = () => ask('setUp.buildIsStale(process.argv[1])');
const later = new Date(Date.now() + 60_000);

describe('the packages', () => {
  it('are stale when there are none', async () => {
    await rm(join(clone, 'node_modules'), { recursive: true });
    expect(installIsStale()).toBe(true);
  });

  it('are fresh when they are as new as the lock file', () => {
    expect(installIsStale()).toBe(false);
  });

  it('are stale when the lock file is newer', async () => {
    await utimes(join(clone, 'package-lock.json'), later, later);
    expect(installIsStale()).toBe(true);
  });

  it('are fresh when the lock file has only been touched since we installed', async () => {
    ask(`setUp.markInstalled(process.argv[1]) ?? null`);
    await utimes(join(clone, 'package-lock.json'), later, later);
    expect(installIsStale()).toBe(false);
    await writeFile(join(clone, 'package-lock.json'), '{"changed":true}');
    await utimes(join(clone, 'package-lock.json'), later, later);
    expect(installIsStale()).toBe(true);
  });
});

describe('the build', () => {
  beforeEach(() => {
    ask(`setUp.markBuilt(process.argv[1], setUp.sourceHash(process.argv[1])) ?? null`);
  });

  it('is fresh when nothing has changed', () => {
    expect(buildIsStale()).toBe(false);
  });

  it.each(['src/index.ts', 'tsconfig.json', 'package.json'])('is stale after %s', async (file) => {
    await writeFile(join(clone, 'libs/one', file), '{"changed":true}');
    expect(buildIsStale()).toBe(true);
  });

  it('does not depend on specs', async () => {
    await writeFile(join(clone, 'libs/one/src/index.spec.ts'), '');
    expect(buildIsStale()).toBe(false);
  });

  it('is stale when its output has gone', async () => {
    await rm(join(clone, 'libs/one/dist'), { recursive: true });
    expect(buildIsStale()).toBe(true);
  });
});

describe('the bundle', () => {
  const folder = () => join(clone, 'node_modules/.cache/bundles');
  const load = (name: string) => `(await import(${JSON.stringify(join(tools, name))}))`;
  const bundleIsStale = () => ask(`${load('bundle.mjs')}.bundleIsStale(process.argv[1])`);
  const runs = () => ask(`${load('bundled.mjs')}.runBundled(process.argv[1])`);
  const writeBundle = async (text: string) => {
    const file = ask(`${load('bundled.mjs')}.bundleOf(process.argv[1])`) as string;
    await mkdir(folder(), { recursive: true });
    await writeFile(file, text);
  };

  beforeEach(async () => {
    await mkdir(join(clone, 'apps/all-in-one/dist'), { recursive: true });
    await writeFile(join(clone, 'apps/all-in-one/dist/program.js'), '');
  });

  it('is stale when there is none, and nothing runs', () => {
    expect(bundleIsStale()).toBe(true);
    expect(runs()).toBe(false);
  });

  it('runs, and keeps its compiled code, until something is built or installed', async () => {
    await writeBundle('(function (exports) { exports.started = Promise.resolve(); })');
    expect(bundleIsStale()).toBe(false);
    expect(runs()).toBe(true);
    expect(await readdir(folder())).toHaveLength(2);
    expect(runs()).toBe(true);
    await writeFile(join(clone, 'libs/one/dist/tsconfig.tsbuildinfo'), '{"built":"again"}');
    expect(bundleIsStale()).toBe(true);
    expect(runs()).toBe(false);
  });

  it('is of one directory, because its paths are absolute', () => {
    const twin = `${clone}/`;
    const bundleOf = (directory: string) =>
      ask(`${load('bundled.mjs')}.bundleOf(${JSON.stringify(directory)})`) as string;
    expect(basename(bundleOf(twin))).not.toBe(basename(bundleOf(clone)));
  });

  it('has classes with the names that they have in the modules', async () => {
    const dist = join(clone, 'apps/all-in-one/dist');
    await writeFile(join(dist, 'other.js'), 'export class Same {\n}\n');
    await writeFile(
      join(dist, 'program.js'),
      `import * as other from './other.js';
        export class Same extends other.Same {
        }
        let Decorated = class Decorated {
          static it = Decorated.name;
        };
        class OfItsOwn {
          static name = 'its own';
        }
        class WithMethod {
          static name() { return 'the method'; }
        }
        const { Same: of } = other;
        const names = [Same, of, Decorated].map((each) => each.name);
        globalThis.names = [...names, Decorated.it, OfItsOwn.name, WithMethod.name()];`,
    );
    const bundle = `await ${load('bundle.mjs')}.bundle(process.argv[1])`;
    const run = `${load('bundled.mjs')}.runBundled(process.argv[1])`;
    const names = ['Same', 'Same', 'Decorated', 'Decorated', 'its own', 'the method'];
    expect(ask(`(${bundle}, ${run}, globalThis.names)`)).toEqual(names);
  });
});

describe('the prepared database', () => {
  const runs = async () => (await readFile(join(clone, 'runs'), 'utf8').catch(() => '')).length;
  const setUp = () => run(`await setUp.setUp(process.argv[1])`);
  const writeProgram = (more = '') =>
    writeFile(
      join(clone, 'apps/all-in-one/dist/prepare.js'),
      `require('node:fs').appendFileSync(${JSON.stringify(join(clone, 'runs'))}, '.');${more}`,
    );

  beforeEach(async () => {
    await mkdir(join(clone, 'apps/all-in-one/dist'), { recursive: true });
    ask(`setUp.markBuilt(process.argv[1], setUp.sourceHash(process.argv[1])) ?? null`);
    await writeProgram();
  });

  it('is made once, and again after a change of SQL or when it has gone', async () => {
    setUp();
    setUp();
    expect(await runs()).toBe(1);
    await writeFile(join(clone, 'libs/one/src/function.sql'), 'SELECT 1');
    setUp();
    setUp();
    expect(await runs()).toBe(2);
    await rm(join(clone, 'node_modules/.cache'), { recursive: true });
    setUp();
    expect(await runs()).toBe(3);
  });

  it('is made at the next start where that was not finished', async () => {
    await writeProgram('console.error("The disk is full."); process.exit(1)');
    expect(setUp()).toBe('[set-up] There is no prepared database: The disk is full.\n');
    await writeProgram();
    expect([setUp(), setUp()]).toEqual(['', '']);
    expect(await runs()).toBe(2);
  });
});

describe('Node', () => {
  it.each([
    ['18.20.0', true],
    ['20.0.0', false],
    ['24.21.0', false],
  ])('%s is too old: %s', (version, tooOld) => {
    const check = `(() => {
      try { setUp.requireNode('${version}', [20, 0], 'Install Node 20 or newer.'); return false; }
      catch (error) { return error.message.split('\\n').length === 1; }
    })()`;
    expect(ask(check)).toBe(tooOld);
  });
});
