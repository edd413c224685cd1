/**
 * The specification's demands as data: one rule per demand, and the tests that prove it. The page
 * docs/reference/conformance.md is generated from it.
 */
export interface Proof {
  /** Path from the root of the repository. */
  file: string;
  /** The name of the test as its source has it. */
  test: string;
}

export interface Rule {
  /** The section and what it is there, for example `4.1 rule 2`. */
  id: string;
  text: string;
  proofs: readonly Proof[];
  /** What must be built first. Such a rule has no proof, and the page says so. */
  awaits?: string;
}

export interface RuleSection {
  title: string;
  rules: readonly Rule[];
}

/**
 * A rule in one line: id, text, then its proofs. `@otp-send` is the case of this suite in
 * `tests/conformance/otp-send.spec.ts` that bears the rule's own id and text; `tests/api/otp: 2.2: …` names
 * another test by file and name; `awaits: …` says what has to be built first.
 */
export type RuleLine = readonly [id: string, text: string, ...proofs: string[]];

export function section(title: string, lines: readonly RuleLine[]): RuleSection {
  return { title, rules: lines.map(ruleOf) };
}

/** The name of the case that a rule has in this suite. */
export function caseName(rule: Pick<Rule, 'id' | 'text'>): string {
  return `${rule.id}: ${rule.text}`;
}

function ruleOf([id, text, ...lines]: RuleLine): Rule {
  const [first = ''] = lines;
  if (first.startsWith('awaits: ')) {
    return { id, text, proofs: [], awaits: first.slice('awaits: '.length) };
  }
  return { id, text, proofs: lines.map((line) => proofOf(line, caseName({ id, text }))) };
}

function proofOf(line: string, ownName: string): Proof {
  if (line.startsWith('@')) {
    return { file: `tests/conformance/${line.slice(1)}.spec.ts`, test: ownName };
  }
  const colon = line.indexOf(': ');
  if (colon < 0) throw new Error(`No proof: ${line}`);
  return { file: `${line.slice(0, colon)}.spec.ts`, test: line.slice(colon + 2) };
}
