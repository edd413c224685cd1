import { ruleSections } from './rules/all-rules.ts';
import type { Proof, Rule, RuleSection } from './rule.ts';

/** docs/reference/conformance.md: every rule of the specification with the tests that prove it. */
export function conformanceReference(sections: readonly RuleSection[] = ruleSections): string {
  const rules = sections.flatMap((one) => one.rules);
  const proven = rules.filter(({ awaits }) => awaits === undefined);
  return [
    '# Conformance',
    '',
    'Every rule of the specification, each with the tests that prove it. The rules are data',
    '(`tests/conformance/rules`); a rule without a proof, and a proof that is not in the source, fail the',
    'build. Tests under `tests/conformance` and `tests/api` speak to a running system by URL only, and run',
    'unchanged on one process (`npm test`) and on the cluster (`npm run test:cluster`). The others prove',
    'what cannot be seen from outside in reasonable time: a day, a week, a comparison in constant time.',
    '',
    `${proven.length} rules have their tests; ${rules.length - proven.length} await what is not built yet, and say so.`,
    'What a run saw is in its last lines, `Conformance on one process: …` or `Conformance on the cluster: …`:',
    'a rule counts as proven there when every one of its proofs that ran passed. What was seen when is in',
    '[figures](../figures.md).',
    ...sections.flatMap(table),
    '',
  ].join('\n');
}

function table({ title, rules }: RuleSection): string[] {
  const head = [
    '',
    `## ${title}`,
    '',
    '| Rule | What it demands | Proven by |',
    '| --- | --- | --- |',
  ];
  return [...head, ...rules.map(row)];
}

function row({ id, text, proofs, awaits }: Rule): string {
  const proven = awaits === undefined ? proofs.map(linkTo).join('<br>') : `*awaits ${awaits}*`;
  return `| ${id} | ${escaped(text)} | ${proven} |`;
}

function linkTo({ file, test }: Proof): string {
  const [name = file] = file.split('/').slice(-1);
  return `[${name}](../../${file}): ${escaped(test)}`;
}

/** Escapes what Markdown would read as a column, a tag or emphasis. */
function escaped(text: string): string {
  return text.replaceAll(/[|<*_`$]/g, (character) => `\\${character}`);
}
