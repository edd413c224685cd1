import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const tools = join(import.meta.dirname, '../../tools');

let clone: string;

/** A tree that looks like a clone after an install: one library and one application. */
beforeEach(async () => {
  clone = await mkdtemp(join(tmpdir(), 'watchword clone '));
  for (const folder of ['node_modules/typescript', 'libs/one/src', 'apps/all-in-one/src']) {
    await mkdir(join(clone, folder), { recursive: true });
  }
  const manifests = ['libs/one/package.json', 'apps/all-in-one/package.json'];
  for (const file of [...manifests, 'package-lock.json', 'node_modules/typescript/package.json']) {
    await writeFile(join(clone, file), '{"type":"module"}');
  }
  await writeFile(join(clone, 'libs/one/src/index.ts'), 'export const one: number = 1;\n');
  await writeFile(join(clone, 'node_modules/.package-lock.json'), '{}');
});

afterEach(async () => {
  await rm(clone, { recursive: true, force: true });
});

/** Runs a script that has `setUp`. */
function start(statement: string, environment: Record<string, string> = {}) {
  const script = `
    const setUp = await import(${JSON.stringify(join(tools, 'set-up.mjs'))});
    ${statement};
  `;
  const args = ['--input-type=module', '-e', script, clone];
  const env = { ...process.env, ...environment };
  return spawnSync(process.execPath, args, { encoding: 'utf8', env });
}

/** Returns what the script prints. */
function run(statement: string): string {
  const { status, stdout, stderr } = start(statement);
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

function ask(expression: string): unknown {
  return JSON.parse(run(`console.log(JSON.stringify(${expression}))`));
}

const installIsStale = (development = true) =>
  ask(`setUp.installIsStale(process.argv[1], ${development})`);
const buildIsStale = () => ask('setUp.buildIsStale(process.argv[1])');
const setUp = () => run(`await setUp.setUp({ directory: process.argv[1] })`);
const write = (file: string, text: string) => writeFile(join(clone, file), text);

describe('the packages', () => {
  it('the packages are stale when there are none', async () => {
    await rm(join(clone, 'node_modules'), { recursive: true });
    expect(installIsStale()).toBe(true);
  });

  it('the packages are stale when npm did not finish', async () => {
    await rm(join(clone, 'node_modules/.package-lock.json'));
    expect(installIsStale()).toBe(true);
  });

  it('the packages are fresh when they are as new as the lock file', () => {
    expect(installIsStale()).toBe(false);
  });

  it('the packages are stale without development packages only for a command that needs these', async () => {
    await rm(join(clone, 'node_modules/typescript'), { recursive: true });
    expect([installIsStale(false), installIsStale(true)]).toEqual([false, true]);
  });
});

describe('the build', () => {
  beforeEach(() => {
    expect(setUp()).toContain('building');
  });

  it('writes a module for each source file and runs once', async () => {
    expect(await readFile(join(clone, 'libs/one/dist/index.js'), 'utf8')).toContain('one = 1');
    expect([buildIsStale(), setUp()]).toEqual([false, '']);
  });

  it.each(['src/index.ts', 'package.json'])(
    'the build is stale after a change of %s',
    async (file) => {
      await write(`libs/one/${file}`, '{"changed":true}');
      expect(buildIsStale()).toBe(true);
    },
  );

  it('the build does not depend on specs', async () => {
    await write('libs/one/src/index.spec.ts', '');
    expect(buildIsStale()).toBe(false);
  });

  it('the build that fails names the file, and the next start builds again', async () => {
    await write('libs/one/src/index.ts', 'export const one: = 1;');
    expect(() => setUp()).toThrow('index.ts');
    expect(buildIsStale()).toBe(true);
    await write('libs/one/src/index.ts', 'export const one = 2;');
    setUp();
    expect(await readFile(join(clone, 'libs/one/dist/index.js'), 'utf8')).toContain('one = 2');
  });
});

describe('the bundle', () => {
  const folder = () => join(clone, 'node_modules/.cache/bundles');
  const bundled = `(await import(${JSON.stringify(join(tools, 'bundled.mjs'))}))`;
  const runBundled = `${bundled}.runBundled(process.argv[1])`;
  const simulator = 'apps/carrier-sim/src/host/carrier-sim.process.ts';

  beforeEach(async () => {
    await mkdir(join(clone, 'apps/carrier-sim/src/host'), { recursive: true });
    await write('apps/carrier-sim/package.json', '{"type":"module"}');
    await write(simulator, 'globalThis.simulated = true;');
    await write('apps/all-in-one/src/program.ts', 'export const started = Promise.resolve();');
  });

  it('the bundle runs, and its compiled code is stored for the next start', async () => {
    setUp();
    const files = async () => (await readdir(folder())).filter((name) => name.includes('.cjs'));
    expect(await files()).toHaveLength(1);
    ask(`${runBundled} ?? null`);
    expect(await files()).toHaveLength(2);
    ask(`${runBundled} ?? null`);
  });
});

describe('an install that fails', () => {
  /** Returns what the user sees when `npm` prints this and fails. */
  const failure = async (printed: string) => {
    await rm(join(clone, 'node_modules/.package-lock.json'), { force: true });
    const bin = join(clone, 'bin');
    await mkdir(bin, { recursive: true });
    await writeFile(join(bin, 'npm'), `#!/bin/sh\necho "${printed}" >&2\nexit 1\n`, {
      mode: 0o755,
    });
    const fail = `setUp.setUp({ directory: process.argv[1] }).catch(setUp.failWith)`;
    const { stderr, status } = start(`await ${fail}`, { PATH: `${bin}:${process.env['PATH']}` });
    return { stderr, status };
  };

  it.each([
    ['npm error code ENOTFOUND', /^npm cannot reach its registry \(ENOTFOUND\): check .*\n$/],
    ['npm error code ENOSPC', /^No space is left on the disk of .*: free some, .*\n$/],
    ['npm error code EWEIRD', /^npm error code EWEIRD\nnpm ci failed \(1\); .*\n$/],
  ])('with %s says what to do and exits with 1', async (printed, sentence) => {
    const { stderr, status } = await failure(printed);
    expect(status).toBe(1);
    expect(stderr).toMatch(sentence);
    expect(installIsStale()).toBe(true);
  });
});
