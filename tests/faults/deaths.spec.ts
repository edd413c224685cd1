/** Kills of the one process under load, at random and at crash points, with one check of all invariants at the end. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { holds, renderReports } from '../invariants/check.ts';
import { type Crash, crashing, pointsOfOneProcess } from './crash.ts';
import { type FaultOutcome, FaultRun } from './fault-run.ts';
import { killing } from './kill.ts';

const seed = Number(process.env['DEATHS_SEED'] ?? Date.now() % 2 ** 31);
/** One point per service, where most is at stake. `node tests/faults/crash.ts` passes all. */
const POINTS = [
  'gateway.accept.after-call',
  'billing.accept.after-commit',
  'billing.accept-batch.after-commit',
  'dispatch.submit.after-call',
  'webhooks.deliver.after-post',
  'bus.consume.after-handle',
];
/** Every send passes each point. A point that takes longer is not passed at all. */
const POINT_TIMEOUT_MS = 60_000;
let run: FaultRun;
let outcome: FaultOutcome;
const unpassed: Crash[] = [];

beforeAll(async () => {
  run = await FaultRun.open({ sendsPerSecond: 40, seed });
  const faults = [
    killing(3, [1_000, 2_000]),
    crashing(
      POINTS.map((point) => ({ point, pass: 1 })),
      unpassed,
      POINT_TIMEOUT_MS,
    ),
  ];
  outcome = await run.under(async (...around) => {
    for (const fault of faults) await fault(...around);
  });
}, 1_200_000);

afterAll(async () => {
  await run?.stop();
  await run?.remove();
});

it('decisions 7: every invariant holds after kills at random and at a crash point of each service', () => {
  const { reports, accepted } = outcome;
  if (!holds(reports)) throw new Error(`DEATHS_SEED=${seed}\n${renderReports(reports)}`);
  expect(reports.map(({ invariant }) => invariant)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  // A test that tried next to nothing has proved nothing.
  for (const { checked } of reports) expect(checked).toBeGreaterThan(10);
  expect(accepted).toBeGreaterThan(300);
});

it('the process was killed at each crash point', () => {
  const known = pointsOfOneProcess().map(({ name }) => name);
  expect(known).toEqual(expect.arrayContaining(POINTS));
  expect(unpassed).toEqual([]);
});
