import { ruleSections } from './rules/all-rules.ts';
import type { Proof, Rule, RuleSection } from './rule.ts';

/** docs/reference/conformance.md: the rules of the specification with the tests that prove them. */
export function conformanceReference(sections: readonly RuleSection[] = ruleSections): string {
  const rules = sections.flatMap((one) => one.rules);
  const proven = rules.filter(({ awaits }) => awaits === undefined);
  return [
    '# Conformance',
    '',
    `${rules.length} rules of the specification, each with the tests that prove it. They are the rules that have a`,
    'line in `tests/conformance/rules`. A sentence of the specification without a line there is not on',
    'this page, and the page says nothing about it. The build fails when a rule has no proof, or when its',
    'proof is not in the source. It cannot see whether a test proves all of its rule.',
    '',
    `- **From outside: ${proven.filter(isOutside).length} rules.** At least one of their proofs is under \`tests/conformance\` or`,
    '  `tests/api`. These tests speak to a running system by URL only. They run unchanged on one process',
    '  (`npm test`) and on the cluster (`npm run test:nightly -- suite`).',
    `- **By other specs alone: ${proven.filter((rule) => !isOutside(rule)).length} rules.** Their proofs are specs of a part of the system (under`,
    '  `apps`, `libs` and `tests/providers`), which have a clock, a carrier or a mail server of the test, and',
    '  two whole runs (`tests/faults`). They prove what is not seen from outside in reasonable',
    '  time: a day, a race, a forgery, a process that dies. They run with `npm test` alone.',
    '',
    `${rules.length - proven.length} rules await what is not built yet, and say so.`,
    'This page holds no results. A run prints its own near its end, as `Conformance on one process: …` or',
    '`Conformance on the cluster: …`. A rule counts as proven there when every one of its proofs that ran',
    'passed; a rule of which no proof ran counts as not run. What was seen when is in',
    '[figures](../figures.md).',
    ...sections.flatMap(table),
    '',
  ].join('\n');
}

/** Whether a proof of the rule calls a running system by URL. */
function isOutside({ proofs }: Rule): boolean {
  return proofs.some(({ file }) => /^tests\/(api|conformance)\//.test(file));
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
