import type { Proof, Rule } from './rule.ts';

/** The parts that are read of Jest's `--json` results. */
export interface JestResults {
  testResults: readonly {
    /** The file, as an absolute path. */
    name: string;
    status: string;
    assertionResults: readonly {
      title: string;
      ancestorTitles: readonly string[];
      status: string;
    }[];
  }[];
}

type Verdict = 'proven' | 'failed' | 'awaits' | 'not run';

/**
 * Returns one line about a run. A rule is proven when all of its proofs that ran passed. Some
 * proofs run with `npm test` only, others on a cluster only. Undefined when no proof ran.
 */
export function conformanceLine(
  shape: string,
  rules: readonly Rule[],
  runs: readonly JestResults[],
): string | undefined {
  const verdicts = rules.map((rule) => verdictOn(rule, runs));
  const count = (wanted: Verdict) => verdicts.filter((verdict) => verdict === wanted).length;
  const [proven, failed, notRun] = [count('proven'), count('failed'), count('not run')];
  if (proven + failed === 0) return undefined;
  const parts = [`${proven} rules proven`, `${failed} failed`, `${count('awaits')} await`];
  if (notRun > 0) parts.push(`${notRun} not run`);
  return `Conformance on ${shape}: ${parts.join(', ')}`;
}

function verdictOn(rule: Rule, runs: readonly JestResults[]): Verdict {
  if (rule.awaits !== undefined) return 'awaits';
  const statuses = rule.proofs.flatMap((proof) => statusesOf(proof, runs));
  if (statuses.includes('failed')) return 'failed';
  return statuses.includes('passed') ? 'proven' : 'not run';
}

function statusesOf({ file, test }: Proof, runs: readonly JestResults[]): string[] {
  const name = patternOf(test);
  const files = runs.flatMap(({ testResults }) =>
    testResults.filter((result) => result.name.endsWith(`/${file}`)),
  );
  return files.flatMap(({ status, assertionResults }) => {
    // Such a file could not be loaded.
    if (assertionResults.length === 0) return [status];
    const named = assertionResults.filter(({ title, ancestorTitles }) =>
      [title, ...ancestorTitles].some((one) => name.test(one)),
    );
    return named.map((one) => one.status);
  });
}

/** The name as the source has it, with anything where `it.each` puts in its values. */
function patternOf(test: string): RegExp {
  const literal = test
    .split(/%[a-z#]|\$\{[^}]*\}|\$[a-z][\w.]*/i)
    .map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${literal.join(String.raw`[\s\S]*`)}$`);
}
