import { parseArgs } from 'node:util';
import { holds, renderReports } from '../invariants/check.ts';
import { givenNumber } from '../support/given-number.ts';
import { type Fault, FaultRun, type FaultRunOptions } from './fault-run.ts';

type Values<Names extends string> = Record<Names, string>;

type Shape = Pick<
  FaultRunOptions,
  'program' | 'ownServers' | 'treatments' | 'slowWebhooks' | 'underWayMax'
>;

interface Given {
  rate: string;
  seed: string;
  only: string;
  keep: boolean;
}

/**
 * Runs one system with one fault after the other, and prints the checker's result after each. Besides `options`,
 * which name their defaults, the programs all have `--rate`, `--seed`, `--only` and `--keep`.
 */
export async function runFaults<Names extends string>(
  shape: Shape,
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
  const given = values as Given & typeof texts & Values<Names>;
  for (const [name, usual] of Object.entries(texts)) {
    checkNumbers(name, usual, given[name as keyof typeof texts]);
  }
  const wanted = Object.entries(faultsOf(given)).filter(([name]) => name.includes(given.only));
  if (wanted.length === 0) throw new Error(`no fault is called ${given.only}`);
  process.exitCode = (await everythingHolds(shape, wanted, given)) ? 0 : 1;
}

async function everythingHolds(
  shape: Shape,
  faults: readonly [string, Fault][],
  { rate, seed, keep }: Given,
): Promise<boolean> {
  const run = await FaultRun.open({
    ...shape,
    sendsPerSecond: Number(rate),
    seed: Number(seed),
    say: console.log,
  });
  let held = true;
  try {
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
  if (keep) console.log(`kept: ${run.directory}`);
  else await run.remove();
  return held;
}

/** An option with a number, or a list of numbers, as default takes such. */
function checkNumbers(name: string, usual: string, given: string): void {
  if (/^\d+$/.test(usual)) givenNumber(`--${name}`, given);
  if (/^\d+(?:,\d+)+$/.test(usual)) {
    for (const text of given.split(',')) givenNumber(`each of --${name}`, text);
  }
}
