import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { holds, renderReports } from '../invariants/check.ts';
import { FaultRun } from './fault-run.ts';
import { killing } from './kill.ts';

const seed = Number(process.env['KILL_SEED'] ?? Date.now() % 2 ** 31);
let run: FaultRun;

beforeAll(async () => {
  run = await FaultRun.open({ sendsPerSecond: 50, seed });
}, 120_000);

afterAll(async () => {
  await run?.stop();
  await run?.remove();
}, 60_000);

it('holds every invariant after three SIGKILLs under load', async () => {
  const { reports, accepted } = await run.under(killing(3, [1_000, 2_000]));
  if (!holds(reports)) throw new Error(`KILL_SEED=${seed}\n${renderReports(reports)}`);
  expect(reports.map(({ invariant }) => invariant)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  // A test that tried next to nothing has proved nothing.
  for (const { checked } of reports) expect(checked).toBeGreaterThan(10);
  expect(accepted).toBeGreaterThan(300);
  expect(await run.system.stop()).toBe(0);
}, 480_000);
