import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { holds, renderReports } from '../invariants/check.ts';
import { crashing, pointsOfOneProcess, type Crash } from './crash.ts';
import { FaultRun } from './fault-run.ts';

const seed = Number(process.env['CRASH_SEED'] ?? Date.now() % 2 ** 31);
/** One point per service, where most is at stake. `node tests/faults/crash.ts` passes all. */
const POINTS = [
  'gateway.accept.after-call',
  'billing.accept.after-commit',
  'dispatch.submit.after-call',
  'webhooks.deliver.after-post',
  'bus.hand-over.after-handle',
];
/** Every send passes each point. A point that takes longer is not passed at all. */
const PATIENCE_MS = 60_000;
let run: FaultRun;

beforeAll(async () => {
  run = await FaultRun.open({ sendsPerSecond: 60, seed });
}, 120_000);

afterAll(async () => {
  await run?.stop();
  await run?.remove();
}, 60_000);

it('holds every invariant after a death at a crash point of each service', async () => {
  const known = pointsOfOneProcess().map(({ name }) => name);
  expect(known).toEqual(expect.arrayContaining(POINTS));
  const unpassed: Crash[] = [];
  const crashes = POINTS.map((point) => ({ point, pass: 1 }));
  const { reports, accepted } = await run.under(crashing(crashes, unpassed, PATIENCE_MS));
  expect(unpassed).toEqual([]);
  if (!holds(reports)) throw new Error(`CRASH_SEED=${seed}\n${renderReports(reports)}`);
  expect(reports.map(({ invariant }) => invariant)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(accepted).toBeGreaterThan(100);
}, 480_000);
