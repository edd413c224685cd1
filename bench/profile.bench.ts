/**
 * Where Node spends its time while it accepts as much as it can: time of functions themselves, for one send.
 * `npm run bench -- profile`
 */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@watchword/testing';
import { benchNumber } from './support/bench-number.ts';
import { printTable } from './support/figures.ts';
import { Ground } from './support/ground.ts';
import { measure } from './support/load.ts';
import { profilingOptions, type SelfTime, selfTimesIn } from './support/profile.ts';

const SECONDS = benchNumber('BENCH_SECONDS', 10);
const WORKSPACES = 100;
const WARM_UP_SECONDS = 4;
const SHOWN = 30;

export async function profileBench(): Promise<void> {
  const ground = await Ground.open();
  const directory = join(ground.directory, 'profile');
  mkdirSync(directory);
  process.env['PRODUCT_NODE_OPTIONS'] = profilingOptions(directory);
  try {
    const { url, keys, pid } = await ground.product('gateway,billing', WORKSPACES);
    const path = '/v1/otp/send';
    const load = { url, path, keys, bodies: ['{"phone_number":"+234803%d"}'], connections: 64 };
    await measure({ ...load, seconds: WARM_UP_SECONDS });
    const from = performanceUs();
    const { perSecond } = await measure({ ...load, seconds: SECONDS });
    const to = performanceUs();
    process.kill(pid, 'SIGTERM');
    const ended = () => {
      if (readdirSync(directory).length === 0) throw new Error('no profile yet');
    };
    await eventually(ended, 20_000);
    const { parts, functions } = selfTimesIn(directory, from, to);
    const sends = perSecond * SECONDS;
    console.log(`${Math.round(perSecond)} sends/s under the profiler; µs of a send:`);
    print('part', parts, sends);
    print('function', functions, sends);
  } finally {
    await ground.close();
  }
}

const performanceUs = () => Number(process.hrtime.bigint() / 1_000n);

function print(of: string, times: readonly SelfTime[], sends: number): void {
  const all = times.reduce((sum, { us }) => sum + us, 0);
  const row = ({ name, us }: SelfTime) => [
    name,
    (us / sends).toFixed(1),
    `${((100 * us) / all).toFixed(1)} %`,
  ];
  printTable([of, 'µs', 'share'], times.slice(0, SHOWN).map(row));
}
