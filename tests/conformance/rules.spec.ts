/** The rules hold what they promise: each has a proof, and each proof is in the source. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { conformanceReference } from './conformance-reference.js';
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
    const awaited = /^(variant B|the agent endpoint|automatic top-up)$/;
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
