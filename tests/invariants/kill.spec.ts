import { afterAll, expect, it } from '@jest/globals';
import { holds, renderReports } from './check.ts';
import { KillRun } from './kill.ts';

const seed = Number(process.env['KILL_SEED'] ?? Date.now() % 2 ** 31);
const run = new KillRun({ kills: 3, sendsPerSecond: 100, seed, pauseMs: [1_000, 2_000] });

afterAll(() => run.remove(), 60_000);

it('holds every invariant after three SIGKILLs under load', async () => {
  const { reports, accepted, stopExitCode } = await run.run();
  if (!holds(reports)) throw new Error(`KILL_SEED=${seed}\n${renderReports(reports)}`);
  expect(reports.map(({ invariant }) => invariant)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  // A test that tried next to nothing has proved nothing.
  for (const { checked } of reports) expect(checked).toBeGreaterThan(10);
  expect(accepted).toBeGreaterThan(300);
  expect(stopExitCode).toBe(0);
}, 240_000);
