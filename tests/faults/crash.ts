/**
 * Kills the one process at its crash points, under one continuing load; after each service's points everything has to
 * come to an end, and the checker to hold.
 * `node tests/faults/crash.ts [--passes 1,2,50] [--only dispatch] [--points .submit.] [--rate 150] [--seed n] [--keep]`
 */
import { crashList } from '@watchword/observability';
import { waitUntil } from '../support/wait-until.ts';
import { type CrashPoint, crashPoints } from './crash-points.ts';
import type { Fault, FaultRun } from './fault-run.ts';
import { TREATMENTS } from './load.policy.ts';
import { runFaults } from './run-faults.ts';
import { SideLoad } from './side-load.ts';
import { SidePayments } from './side-payments.ts';

export interface Crash {
  point: string;
  pass: number;
}

/** Milliseconds. Some steps come every few seconds: fifty of those, on a loaded machine. */
const PASS_TIMEOUT_MS = 400_000;
/** The system is unavailable for half of the time. */
const UNDER_WAY_MAX = 100;
/** More of the rare cases: refunds, reports that overtake the answer, lost answers. */
const CRASH_TREATMENTS = { ...TREATMENTS, refusedByAll: 60, answerLate: 60, answerLost: 20 };
/** Over Kafka only, after a failure that the load does not cause, or by sign-ups, which are limited. */
const NOT_PASSED =
  /^(kafka|relay)\.|^bus\.(publish|offset|bury)\.|^dispatch\.email-take-over\.|^billing\.grant-trial\./;

/** Returns the points in the order of the sources. */
export function pointsOfOneProcess(): CrashPoint[] {
  return crashPoints().filter(({ name }) => !NOT_PASSED.test(name));
}

/** Passes them one after the other. Reports those that were not passed in time. */
export function crashing(
  crashes: readonly Crash[],
  unpassed: Crash[],
  timeoutMs = PASS_TIMEOUT_MS,
): Fault {
  return async (run) => {
    const payments = await SidePayments.open(run);
    await run.system.stop('SIGKILL');
    run.system.environment = { ...payments.environment };
    await run.system.start();
    const sides = [new SideLoad(run.system), payments];
    for (const side of sides) await side.start();
    for (const crash of crashes) {
      if (!(await crashesAt(run, crash, { timeoutMs, payments }))) {
        unpassed.push(crash);
      }
    }
    // It still lives where the last point was not passed.
    await run.system.stop('SIGKILL');
    run.system.environment = { ...payments.environment };
    payments.relaunched();
    await run.system.start();
    for (const side of sides) await side.stop();
    run.system.environment = {};
  };
}

async function crashesAt(
  run: FaultRun,
  { point, pass }: Crash,
  { timeoutMs, payments }: { timeoutMs: number; payments: SidePayments },
): Promise<boolean> {
  const { system, say } = run;
  await system.stop('SIGKILL');
  const CRASH_AT = crashList([{ point, pass }]);
  system.environment = { ...payments.environment, CRASH_AT };
  payments.relaunched();
  const startedAt = performance.now();
  const elapsed = () => Math.round(performance.now() - startedAt);
  const isDead = () => system.child?.signalCode === 'SIGKILL';
  const back = await system.start().then(elapsed, (error: unknown) => {
    if (!isDead()) throw error;
    return undefined;
  });
  const died = await waitUntil(point, isDead, { timeoutMs }).catch(() => false);
  const life = back === undefined ? 'died before it was ready' : `back after ${back} ms, died`;
  say(`${point}, pass ${pass}: ${died ? `${life} at ${elapsed()} ms` : 'NOT PASSED'}`);
  return died;
}

if (import.meta.main) {
  const unpassed: Crash[] = [];
  const shape = { treatments: CRASH_TREATMENTS, slowWebhooks: true, underWayMax: UNDER_WAY_MAX };
  const options = { rate: '150', passes: '1', points: '' };
  await runFaults(shape, options, (given) => {
    const chosen = new RegExp(given.points);
    const passes = given.passes.split(',').map(Number);
    const all = pointsOfOneProcess().filter(({ name }) => chosen.test(name));
    return Object.fromEntries(
      [...Map.groupBy(all, ({ service }) => service)].map(([service, points]) => {
        const crashes = points.flatMap(({ name: point }) =>
          passes.map((pass) => ({ point, pass })),
        );
        return [`${service}: ${points.length} crash points`, crashing(crashes, unpassed)];
      }),
    );
  });
  for (const { point, pass } of unpassed) console.log(`not passed: ${point}, pass ${pass}`);
  if (unpassed.length > 0) process.exitCode = 1;
}
