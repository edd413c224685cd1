/**
 * Kills the one process at every crash point that it has, on its first, second and fiftieth pass, under one
 * continuing load; after each service's points everything has to come to an end, and the checker to hold.
 * `node tests/faults/crash.ts [--passes 1,2,50] [--only dispatch] [--points .submit.] [--rate 150] [--seed n] [--keep]`
 */
import { crashList } from '@watchword/observability';
import { waitUntil } from '../support/wait-until.ts';
import { type CrashPoint, readSources } from './crash-points.ts';
import type { Fault, FaultRun } from './fault-run.ts';
import { neighbourOn } from './neighbour.ts';
import { TREATMENTS } from './load.policy.ts';
import { plantPoison, removePoison } from './poison.ts';
import { runFaults } from './run-faults.ts';
import { ACCOUNT_SETTINGS } from './side-accounts.ts';
import { SideLoad } from './side-load.ts';
import { SidePayments } from './side-payments.ts';
import { STEPS_WITHOUT_POINTS } from './steps-without-points.ts';

export interface Crash {
  point: string;
  pass: number;
}

/** Milliseconds. Some steps come every few seconds: fifty of those, on a loaded machine. */
const PASS_PATIENCE_MS = 400_000;
/** The system is unavailable for half of the time. */
const UNDER_WAY_MAX = 100;
/** More of the rare cases: refunds, reports that overtake the answer, lost answers. */
const CRASH_TREATMENTS = { ...TREATMENTS, refusedByAll: 60, answerLate: 60, answerLost: 20 };
/** Services that only the bus over Kafka has. */
const OF_KAFKA = new Set(['kafka', 'relay']);

/** A bus that is alone on its database passes these only after a failure. */
const UNLESS_ALONE = /^bus\.(publish|offset)\./;

/** A process passes these once, for what the one before it left; no life has a second pass for certain. */
const AFTER_A_DEATH = /^dispatch\.email-take-over\./;

/** Returns the points in the order of the sources. */
export function pointsOfOneProcess(): CrashPoint[] {
  return readSources(STEPS_WITHOUT_POINTS).points.filter(({ service }) => !OF_KAFKA.has(service));
}

export function pointsOverKafka(): CrashPoint[] {
  return readSources(STEPS_WITHOUT_POINTS).points.filter(({ service }) => OF_KAFKA.has(service));
}

export function passesOf(list: string): number[] {
  return list.split(',').map(Number);
}

/** Passes them one after the other. Reports those that were not passed in time. */
export function crashing(
  crashes: readonly Crash[],
  unpassed: Crash[],
  patienceMs = PASS_PATIENCE_MS,
): Fault {
  return async (run) => {
    const payments = await SidePayments.open(run);
    await run.system.stop('SIGKILL');
    run.system.environment = { ...payments.settings, ...ACCOUNT_SETTINGS };
    await run.system.start();
    const sides = [new SideLoad(run.system), payments];
    for (const side of sides) await side.start();
    for (const crash of crashes) {
      if (!(await crashesAt(run, crash, { patienceMs, payments }))) {
        unpassed.push(crash);
      }
    }
    // It still lives where the last point was not passed.
    await run.system.stop('SIGKILL');
    run.system.environment = { ...payments.settings, ...ACCOUNT_SETTINGS };
    payments.relaunched();
    await run.system.start();
    for (const side of sides) await side.stop();
    run.system.environment = {};
    await removePoison(run.databaseUrl);
  };
}

async function crashesAt(
  run: FaultRun,
  { point, pass }: Crash,
  { patienceMs: timeoutMs, payments }: { patienceMs: number; payments: SidePayments },
): Promise<boolean> {
  const { system, say } = run;
  await system.stop('SIGKILL');
  const CRASH_AT = crashList([{ point, pass }]);
  system.environment = { ...payments.settings, ...ACCOUNT_SETTINGS, CRASH_AT };
  payments.relaunched();
  const startedAt = performance.now();
  const elapsed = () => Math.round(performance.now() - startedAt);
  const isDead = () => system.child?.signalCode === 'SIGKILL';
  const back = await system.start().then(elapsed, (error: unknown) => {
    if (!isDead()) throw error;
    return undefined;
  });
  // The process may be dead already, and its database with it.
  const neighbour = await leadTo(point, run).catch(async (error: unknown) => {
    await waitUntil('its death', isDead, { timeoutMs: 5_000 }).catch(() => {
      throw error;
    });
    return undefined;
  });
  const died = await waitUntil(point, isDead, { timeoutMs }).catch(() => false);
  await neighbour?.end();
  const life = back === undefined ? 'died before it was ready' : `back after ${back} ms, died`;
  say(`${point}, pass ${pass}: ${died ? `${life} at ${elapsed()} ms` : 'NOT PASSED'}`);
  return died;
}

/** Makes the process pass points that the load alone does not lead to. */
async function leadTo(point: string, { databaseUrl }: FaultRun) {
  if (point.startsWith('bus.bury.')) await plantPoison(databaseUrl);
  return UNLESS_ALONE.test(point) ? neighbourOn(databaseUrl) : undefined;
}

if (import.meta.main) {
  const unpassed: Crash[] = [];
  for (const { name, file, line } of pointsOverKafka()) {
    console.log(`only over Kafka: ${name} (${file}:${line})`);
  }
  const shape = { treatments: CRASH_TREATMENTS, slowWebhooks: true, underWayMax: UNDER_WAY_MAX };
  const options = { rate: '150', passes: '1,2,50', points: '' };
  await runFaults(shape, options, (given) => {
    const chosen = new RegExp(given.points);
    const all = pointsOfOneProcess().filter(({ name }) => chosen.test(name));
    return Object.fromEntries(
      [...Map.groupBy(all, ({ service }) => service)].map(([service, points]) => {
        const crashes = points.flatMap(({ name: point }) => {
          const passes = AFTER_A_DEATH.test(point) ? [1] : passesOf(given.passes);
          return passes.map((pass) => ({ point, pass }));
        });
        return [`${service}: ${points.length} crash points`, crashing(crashes, unpassed)];
      }),
    );
  });
  for (const { point, pass } of unpassed) console.log(`not passed: ${point}, pass ${pass}`);
  if (unpassed.length > 0) process.exitCode = 1;
}
