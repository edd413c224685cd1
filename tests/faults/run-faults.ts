import { parseArgs } from 'node:util';
import { holds, renderReports } from '../invariants/check.ts';
import { type Fault, FaultRun, type FaultRunOptions } from './fault-run.ts';

type Values<Names extends string> = Record<Names, string>;

/**
 * The frame of the programs: one run, one fault after the other, what the checker says after each. Besides
 * `options`, which name their defaults, they all have `--rate`, `--seed`, `--only` and `--keep`.
 */
export async function runFaults<Names extends string>(
  shape: Pick<
    FaultRunOptions,
    'program' | 'ownServers' | 'treatments' | 'slowWebhooks' | 'underWayMax'
  >,
  options: Values<Names>,
  faultsOf: (values: Values<Names>) => Record<string, Fault>,
): Promise<void> {
  const texts = { rate: '200', seed: String(Date.now() % 2 ** 31), only: '', ...options };
  const { values } = parseArgs({
    options: {
      keep: { type: 'boolean', default: false },
      ...Object.fromEntries(
        Object.entries(texts).map(([name, text]) => [name, { type: 'string', default: text }]),
      ),
    },
  });
  const given = values as typeof texts & Values<Names> & { keep: boolean };
  const run = await FaultRun.open({
    ...shape,
    sendsPerSecond: Number(given.rate),
    seed: Number(given.seed),
    say: console.log,
  });
  let held = true;
  try {
    const faults = Object.entries(faultsOf(given)).filter(([name]) => name.includes(given.only));
    if (faults.length === 0) throw new Error(`no fault is called ${given.only}`);
    for (const [name, fault] of faults) {
      console.log(`\n## ${name}`);
      const { reports, broken, accepted } = await run.under(fault);
      if (accepted === 0) broken.push('sends are accepted under load');
      console.log(renderReports(reports));
      for (const what of broken) console.log(`  not as promised: ${what}`);
      held &&= holds(reports) && broken.length === 0;
    }
  } finally {
    await run.stop();
  }
  process.exitCode = held ? 0 : 1;
  if (given.keep) console.log(`kept: ${run.directory}`);
  else await run.remove();
}
