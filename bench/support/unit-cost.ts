/**
 * What one unit of work takes of the product: CPU time by process, and what its database did. A bench that compares
 * rates has a round of its own for this, because servers report their counts only after ten quiet seconds.
 */
import {
  type CountedDatabase,
  type Counts,
  countedBetween,
  countsOf,
  startCounting,
  toldByAll,
} from './counts.ts';
import { printTable } from './figures.ts';
import type { Contestant, Environment } from './environment.ts';
import {
  busySince,
  machineTimes,
  processorTimes,
  spentBetween,
  type Watched,
  withChildren,
} from './processor-time.ts';

interface UnitCost {
  of: string;
  units: number;
  counts: Counts;
  processorMs: ReadonlyMap<string, number>;
  /** Share of all processors that any program used meanwhile. */
  busy: number;
}

/** Measures in an environment with `COUNTING`, in which nothing else runs meanwhile. */
export class UnitCosts {
  private readonly database: CountedDatabase;
  private readonly watched: Watched[];
  private readonly costs: UnitCost[] = [];

  constructor(environment: Environment, { pid }: Contestant) {
    this.database = { query: (text) => environment.queryOf('watchword', text) };
    this.watched = [
      { name: 'Node', pids: () => withChildren(pid) },
      { name: 'PostgreSQL', pids: () => withChildren(environment.postgres.pid) },
    ];
  }

  /** Measures `work`, which returns the number of units that it did. */
  async measure(of: string, work: () => Promise<number>): Promise<void> {
    await startCounting(this.database);
    await toldByAll();
    const before = await countsOf(this.database);
    const timesBefore = processorTimes(this.watched);
    const machineBefore = machineTimes();
    const units = await work();
    const processorMs = spentBetween(timesBefore, processorTimes(this.watched));
    const busy = busySince(machineBefore);
    await toldByAll();
    const counts = countedBetween(before, await countsOf(this.database));
    this.costs.push({ of, units, counts, processorMs, busy });
  }

  print(unit: string): void {
    console.log(`\nOf ${unit} of ours, in a round of its own for each line`);
    const names = this.watched.map(({ name }) => `${name}, CPU ms`);
    const head = ['', ...names, 'statements', 'commits', 'fsyncs', 'WAL bytes', 'machine busy'];
    printTable(head, this.costs.map(rowOf));
  }
}

function rowOf({ of, units, counts, processorMs, busy }: UnitCost): (string | number)[] {
  const { statements, commits, fsyncs, walBytes } = counts;
  return [
    of,
    ...[...processorMs.values()].map((ms) => (ms / units).toFixed(3)),
    ...[statements, commits, fsyncs].map((count) => (count / units).toFixed(3)),
    Math.round(walBytes / units),
    `${Math.round(100 * busy)} %`,
  ];
}
