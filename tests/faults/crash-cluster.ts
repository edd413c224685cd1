/**
 * Kills services of a cluster under load at the crash points that only the bus over Kafka has, on their first,
 * second and fiftieth pass: each life of a service has one crash, in the order of a list that all of them have.
 * `node tests/faults/crash-cluster.ts [--passes 1,2,50] [--only relay] [--rate 150] [--seed n] [--keep]`
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClusterProcesses } from '../support/cluster-processes.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type Crash, passesOf, pointsOverKafka } from './crash.ts';
import type { Fault, FaultRun } from './fault-run.ts';
import { runFaults } from './run-faults.ts';

/**
 * Who passes a point in both of its replicas. Of a relay the one with the lease carries; the other one has its
 * turn when that dies, so both come to the end of the list.
 */
const PASSED_BY: Record<string, readonly string[]> = {
  'kafka.publish': ['gateway', 'billing', 'dispatch'],
  'kafka.offset': ['billing', 'dispatch', 'webhooks'],
  'relay.publish': ['billing', 'dispatch'],
  'relay.offset': ['billing', 'dispatch'],
};
/** A letter that is buried in Kafka stays, and the checker knows no exceptions: the bus's own kit has that. */
const OF_POISON = 'kafka.dead-letter';

const PATIENCE_MS = 480_000;
const LOOK_EVERY_MS = 100;

/** Each service at its own pace, until all have died as often as there are crashes. */
function crashing(crashes: readonly Crash[], services: readonly string[]): Fault {
  return async (run) => {
    const deaths = new Map(services.flatMap((name) => [1, 2].map((at) => [`${name} ${at}`, -1])));
    const pids = new Map<string, number>();
    const list = crashes.map(({ point, pass }) => `${point}:${pass}`);
    // The first life has none: what dies while the cluster starts would end that.
    run.system.environment = { CRASH_AT: ['', ...list].join(',') };
    await run.system.stop();
    await run.system.start();
    const startedAt = performance.now();
    const look = () => {
      for (const { name, replica, pid } of servicesOf(run, services)) {
        const who = `${name} ${replica}`;
        if (pid === null || pids.get(who) === pid) continue;
        pids.set(who, pid);
        const count = (deaths.get(who) ?? 0) + 1;
        deaths.set(who, count);
        const crash = crashes[count - 2];
        const atMs = Math.round(performance.now() - startedAt);
        if (crash) run.say(`${crash.point}, pass ${crash.pass}: ${who} died, back at ${atMs} ms`);
      }
      // The first death is ours: it begins the list.
      return [...deaths.values()].every((count) => count > crashes.length);
    };
    look();
    for (const { pid } of servicesOf(run, services)) {
      if (pid !== null) process.kill(pid, 'SIGKILL');
    }
    await waitUntil('every crash', look, { timeoutMs: PATIENCE_MS, everyMs: LOOK_EVERY_MS }).catch(
      (error: unknown) => {
        const left = [...deaths].filter(([, count]) => count <= crashes.length);
        throw new Error(`not passed: ${JSON.stringify(left)}`, { cause: error });
      },
    );
    await sleep(1_000);
  };
}

function servicesOf({ dataDir }: FaultRun, names: readonly string[]) {
  const processes = new ClusterProcesses(join(dataDir, 'dev-credentials.json'));
  return names.flatMap((name) => processes.services(name));
}

const families = Map.groupBy(pointsOverKafka(), ({ name }) => name.replace(/\.[^.]*$/, ''));
families.delete(OF_POISON);
const shape = { program: 'apps/cluster/dist/main.js', slowWebhooks: true };
await runFaults(shape, { rate: '150', passes: '1,2,50' }, ({ passes }) =>
  Object.fromEntries(
    [...families].map(([family, points]) => {
      const services = PASSED_BY[family];
      if (services === undefined) throw new Error(`nobody is known to pass ${family}`);
      const crashes = points.flatMap(({ name: point }) =>
        passesOf(passes).map((pass) => ({ point, pass })),
      );
      return [`${family}, by ${services.join(', ')}`, crashing(crashes, services)];
    }),
  ),
);
