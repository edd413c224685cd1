/** Code of the documentation is code: shell and JSON parse, TypeScript compiles, samples fit the SDK. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { AUDIENCES } from '@watchword/contracts';
import { type Sample, samplesOf } from '../../tools/sdks/samples.js';

const root = join(import.meta.dirname, '../..');
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

const pages = execFileSync('git', ['ls-files', 'docs/*.md', 'sdks/*.md', 'cli/*.md', 'README.md'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((name) => name !== '' && !/^docs\/(?:adr|internals)\//.test(name));

interface Block {
  place: string;
  code: string;
}

function blocksOf(...languages: string[]): Block[] {
  return pages.flatMap((page) => {
    const blocks = textOf(page).matchAll(/^( *)```(\w+)\n([\s\S]*?)^\1```/gm);
    return [...blocks]
      .filter(([, , language = '']) => languages.includes(language))
      .map(([, indent = '', , code = ''], index) => ({
        place: `${page} ${languages[0]} ${index + 1}`,
        code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      }));
  });
}

const named = (blocks: Block[]) => blocks.map(({ place, code }) => [place, code] as const);

describe('blocks of shell', () => {
  it.each(named(blocksOf('sh', 'bash')))('%s', (_, code) => {
    const { status, stderr } = spawnSync('bash', ['-n'], { input: code, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });
});

describe('blocks of JSON', () => {
  it.each(named(blocksOf('json')))('%s', (_, code) => {
    // What a page leaves out it writes as three dots.
    const whole = code.replaceAll(/,?\s*\.\.\.\s*(?=[}\]])/g, '');
    const parts = whole.split(/\n(?=[{[])/).filter((part) => part.trim() !== '');
    for (const part of parts) expect(() => JSON.parse(part) as unknown).not.toThrow();
  });
});

describe('blocks of TypeScript and JavaScript', () => {
  it.each(named(blocksOf('ts', 'js', 'mjs')))('%s', (_, code) => {
    const { diagnostics = [] } = ts.transpileModule(code, { reportDiagnostics: true });
    expect(diagnostics.map(({ messageText }) => messageText)).toEqual([]);
  });
});

describe('the samples of the reference', () => {
  const samples = JSON.parse(textOf('apps/docs/samples/keys.json')) as Record<string, Sample[]>;
  const inLanguage = (label: string) =>
    Object.entries(samples).flatMap(([id, own]) =>
      own.filter((sample) => sample.label === label).map(({ source }) => [id, source] as const),
    );

  it.each(AUDIENCES)('are those of the document: %s', (audience) => {
    expect(JSON.parse(textOf(`apps/docs/samples/${audience}.json`))).toEqual(samplesOf(audience));
  });

  it('has every operation in four languages', () => {
    for (const [id, own] of Object.entries(samples)) {
      const labels = own.map(({ label }) => label);
      expect([id, labels]).toEqual([id, ['curl', 'TypeScript', 'Python', 'Go']]);
    }
  });

  it('in curl parses', () => {
    const code = inLanguage('curl').map(([, source]) => source);
    const { stderr } = spawnSync('bash', ['-n'], { input: code.join('\n'), encoding: 'utf8' });
    expect(stderr).toBe('');
  });

  it('in TypeScript fits the SDK', () => {
    const files = new Map(
      inLanguage('TypeScript').map(([id, source]) => [
        join(root, 'sdks/typescript/src', `sample-${id}.ts`),
        source.replace("'watchword'", "'./index.js'"),
      ]),
    );
    expect(problemsOf(files)).toEqual([]);
  });
});

function problemsOf(files: Map<string, string>): string[] {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
  };
  const host = ts.createCompilerHost(options);
  const read = host.readFile.bind(host);
  const exists = host.fileExists.bind(host);
  const source = host.getSourceFile.bind(host);
  host.readFile = (name) => files.get(name) ?? read(name);
  host.fileExists = (name) => files.has(name) || exists(name);
  host.getSourceFile = (name, version, ...rest) => {
    const text = files.get(name);
    return text === undefined
      ? source(name, version, ...rest)
      : ts.createSourceFile(name, text, version, true);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  return [...files.keys()].flatMap((name) =>
    ts.getPreEmitDiagnostics(program, program.getSourceFile(name)).map(({ messageText }) => {
      return `${name}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
    }),
  );
}
