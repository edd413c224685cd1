/** Deaths of the one process under load, of three kinds in turn, with one check of all invariants at the end. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { holds, renderReports } from '../invariants/check.ts';
import { BATCH_ITEMS, BATCH_POINTS, type KilledBatches, killingBatches } from './batch-kill.ts';
import { type Crash, crashing, pointsOfOneProcess } from './crash.ts';
import { type FaultOutcome, FaultRun } from './fault-run.ts';
import { killing } from './kill.ts';

const seed = Number(process.env['DEATHS_SEED'] ?? Date.now() % 2 ** 31);
/** One point per service, where most is at stake. `node tests/faults/crash.ts` passes all. */
const POINTS = [
  'gateway.accept.after-call',
  'billing.accept.after-commit',
  'dispatch.submit.after-call',
  'webhooks.deliver.after-post',
  'bus.consume.after-handle',
];
/** Every send passes each point. A point that takes longer is not passed at all. */
const PATIENCE_MS = 60_000;
let run: FaultRun;
let outcome: FaultOutcome;
let batches: KilledBatches;
const unpassed: Crash[] = [];

beforeAll(async () => {
  run = await FaultRun.open({ sendsPerSecond: 40, seed });
  const faults = [
    killing(3, [1_000, 2_000]),
    killingBatches((seen) => (batches = seen)),
    crashing(
      POINTS.map((point) => ({ point, pass: 1 })),
      unpassed,
      PATIENCE_MS,
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

describe('after deaths at random, in the middle of a batch, and at a crash point of each service', () => {
  it('decisions 7: every invariant holds', () => {
    const { reports, accepted } = outcome;
    if (!holds(reports)) throw new Error(`DEATHS_SEED=${seed}\n${renderReports(reports)}`);
    expect(reports.map(({ invariant }) => invariant)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    // A test that tried next to nothing has proved nothing.
    for (const { checked } of reports) expect(checked).toBeGreaterThan(10);
    expect(accepted).toBeGreaterThan(300);
  });

  it('each point was passed', () => {
    const known = pointsOfOneProcess().map(({ name }) => name);
    expect(known).toEqual(expect.arrayContaining([...POINTS, ...BATCH_POINTS]));
    expect(unpassed).toEqual([]);
  });

  it('decisions 18: each item of a batch of 1,000 is charged once, whenever the process was killed', () => {
    expect(batches.seen).toEqual(
      BATCH_POINTS.map((point) => ({
        ...{ point, isAcceptedBefore: false, status: 202, accepted: BATCH_ITEMS, failed: 0 },
        isReplayed: true,
      })),
    );
    const total = BATCH_POINTS.length * BATCH_ITEMS;
    expect(batches).toMatchObject({ charges: total, messages: total });
  });
});
