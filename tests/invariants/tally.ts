const SHOWN_MAX = 20;

export interface InvariantReport {
  invariant: number;
  statement: string;
  /** Number of checked facts. */
  checked: number;
  violationCount: number;
  /** The first of them, in words. */
  violations: string[];
}

/** Counts what holds, and describes what does not. */
export class Tally implements InvariantReport {
  readonly invariant: number;
  readonly statement: string;
  checked = 0;
  violationCount = 0;
  readonly violations: string[] = [];

  constructor(invariant: number, statement: string) {
    this.invariant = invariant;
    this.statement = statement;
  }

  expect(holds: boolean, describe: () => string): void {
    this.checked += 1;
    if (holds) return;
    this.violationCount += 1;
    if (this.violations.length < SHOWN_MAX) this.violations.push(describe());
  }
}

export function groupBy<Item>(
  items: Iterable<Item>,
  keyOf: (item: Item) => string,
): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
