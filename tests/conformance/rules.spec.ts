/** The rules hold what they promise: each has a proof, and each proof is in the source. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { conformanceReference } from './conformance-reference.js';
import { conformanceLine, type JestResults } from './conformance-tally.js';
import { caseName, section } from './rule.js';
import { ruleSections } from './rules/all-rules.js';

const root = new URL('../..', import.meta.url);
const rules = ruleSections.flatMap((one) => one.rules);
const sources = new Map<string, string>();

function sourceOf(file: string): string {
  const source = sources.get(file) ?? readFileSync(new URL(file, root), 'utf8');
  sources.set(file, source);
  return source;
}

/** Whether the file has a test of this name, as `it('…'` or at the end of `it.each(…)('…'`. */
function hasTest(file: string, test: string): boolean {
  const name = test.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`\\(\\s*(['"\`])${name}\\1,`).test(sourceOf(file));
}

describe('the rules of the specification', () => {
  it('have ids of their own', () => {
    const ids = rules.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it('have a proof each, or await what is not built', () => {
    const awaited = /^email$/;
    const bare = rules.filter(({ proofs, awaits }) =>
      awaits === undefined ? proofs.length === 0 : !awaited.test(awaits),
    );
    expect(bare.map(caseName)).toEqual([]);
  });

  it('are proven by tests that exist', () => {
    const proofs = rules.flatMap((rule) => rule.proofs);
    const missing = proofs.filter(({ file, test }) => !hasTest(file, test));
    expect(missing.map(({ file, test }) => `${file}: ${test}`)).toEqual([]);
  });

  it('are the only cases of this suite', () => {
    const known = new Set(rules.map(caseName));
    const files = new Set(rules.flatMap(({ proofs }) => proofs.map(({ file }) => file)));
    const own = [...files].filter((file) => file.startsWith('tests/conformance/'));
    const cases = own.flatMap((file) =>
      [...sourceOf(file).matchAll(/^\s*it\(\s*(['"`])(.+?)\1,/gm)].map(([, , name]) => name!),
    );
    expect(cases.length).toBeGreaterThan(0);
    expect(cases.filter((name) => !known.has(name))).toEqual([]);
  });

  it('are docs/reference/conformance.md, as tools/generate-docs.ts writes it', () => {
    const page = readFileSync(new URL('docs/reference/conformance.md', root), 'utf8');
    expect(page).toBe(conformanceReference());
  });
});

describe('a rule that names no proof, or one that is not there', () => {
  const [bare, wrong] = section('A section', [
    ['0', 'a rule'],
    ['1', 'another', 'tests/conformance/rules: no such test'],
  ]).rules;

  it('is found', () => {
    expect(bare!.proofs).toEqual([]);
    const [proof] = wrong!.proofs;
    expect(hasTest(proof!.file, 'have ids of their own')).toBe(true);
    expect(hasTest(proof!.file, proof!.test)).toBe(false);
  });
});

describe('the line about a run', () => {
  const { rules: five } = section('A section', [
    ['1', 'two proofs', 'tests/api/otp: %j is no number', 'libs/telephony/src/rewrite: rewrites'],
    ['2', 'its own case', '@limits'],
    ['3', 'a describe', 'tests/api/sms: a group'],
    ['4', 'of a file that cannot be loaded', 'tests/api/broken: something'],
    ['5', 'what is not built', 'awaits: email'],
  ]);
  const passed = (title: string, ...ancestorTitles: string[]) => ({
    title,
    ancestorTitles,
    status: 'passed',
  });
  const run = (...files: [string, JestResults['testResults'][0]['assertionResults']][]) => ({
    testResults: files.map(([file, assertionResults]) => ({
      name: `/home/developer/${file}`,
      status: assertionResults.length === 0 ? 'failed' : 'passed',
      assertionResults,
    })),
  });
  const urlOnly = run(
    ['tests/api/otp.spec.ts', [passed('"+1 (2)" is no number'), passed('null is no number')]],
    ['tests/conformance/limits.spec.ts', [passed('2: its own case')]],
    ['tests/api/sms.spec.ts', [passed('one', 'a group')]],
  );

  it('counts what is proven, failed, awaited and not run', () => {
    const lines = [[urlOnly], [urlOnly, run(['tests/api/broken.spec.ts', []])]].map((runs) =>
      conformanceLine('the cluster', five, runs),
    );
    expect(lines).toEqual([
      'Conformance on the cluster: 3 rules proven, 0 failed, 1 await, 1 not run',
      'Conformance on the cluster: 3 rules proven, 1 failed, 1 await',
    ]);
  });

  it('counts a rule as failed by any one of its proofs', () => {
    const inside = run(['libs/telephony/src/rewrite.spec.ts', [passed('rewrites')]]);
    const failing = run([
      'tests/api/otp.spec.ts',
      [passed('1 is no number'), { ...passed('2 is no number'), status: 'failed' }],
    ]);
    expect(conformanceLine('one process', five.slice(0, 1), [inside, failing])).toBe(
      'Conformance on one process: 0 rules proven, 1 failed, 0 await',
    );
  });

  it('is not there when no proof ran, nor where all were skipped', () => {
    const skipped = run([
      'tests/conformance/limits.spec.ts',
      [{ ...passed('2: its own case'), status: 'pending' }],
    ]);
    const other = run(['tests/api/otp.spec.ts', [passed('another test')]]);
    expect(conformanceLine('one process', five, [skipped, other])).toBeUndefined();
  });
});
