/**
 * Kills services of a cluster under load at the crash points that only the bus over Kafka has, on their first,
 * second and fiftieth pass: each life of a service has one crash, in the order of a list that all of them have.
 * `node tests/faults/crash-cluster.ts [--passes 1,2,50] [--only relay] [--rate 150] [--seed n] [--keep]`
 */
import { join } from 'node:path';
import { ClusterProcesses } from '../support/cluster-processes.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type Crash, passesOf, pointsOverKafka } from './crash.ts';
import type { Fault } from './fault-run.ts';
import { KafkaPoison } from './kafka-poison.ts';
import { TREATMENTS } from './load.policy.ts';
import { livesOf, ReplicaLives } from './replica-lives.ts';
import { runStages } from './run-faults.ts';
import { isBack } from './service.faults.ts';

/** Services that pass a point, in both of their replicas. */
const PASSED_BY: Record<string, readonly string[]> = {
  'kafka.dead-letter': ['billing', 'dispatch', 'webhooks'],
  'kafka.publish': ['gateway', 'billing', 'dispatch'],
  'kafka.offset': ['billing', 'dispatch', 'webhooks'],
  'relay.publish': ['billing', 'dispatch'],
  'bus.delete': ['billing', 'dispatch'],
};
/** No message of the load ends there: what does has to be planted. */
const OF_POISON = 'kafka.dead-letter';

const PATIENCE_MS = 480_000;
const BACK_PATIENCE_MS = 120_000;
const LOOK_EVERY_MS = 50;
/**
 * Milliseconds. Only the relay with the lease passes its points. A replica at the end of its list
 * dies once more when the other has waited this long.
 */
const TURN_MS = 15_000;

/** Kills each replica at its own pace, until all have died as often as there are crashes. */
function crashing(crashes: readonly Crash[], services: readonly string[]): Fault {
  return async (run) => {
    run.system.environment['CRASH_AT'] = livesOf(crashes)[0]!;
    await run.system.stop();
    await run.system.start();
    const processes = new ClusterProcesses(join(run.dataDir, 'dev-credentials.json'));
    const replicas = services.flatMap((service) =>
      [1, 2].map((replica) => new ReplicaLives(processes, { service, replica }, crashes)),
    );
    const startedAt = performance.now();
    const look = () => {
      for (const one of replicas) {
        const atMs = Math.round(performance.now() - startedAt);
        for (const { point, pass } of one.look()) {
          run.say(`${point}, pass ${pass}: ${one.name} died, back at ${atMs} ms`);
        }
      }
      replicas
        .filter((one) => one.isOver && isWaitedFor(one, replicas))
        .forEach((one) => one.kill());
      return replicas.every(({ isOver }) => isOver);
    };
    look();
    // This death is ours: it begins the list.
    for (const one of replicas) one.kill();
    const patience = { timeoutMs: PATIENCE_MS, everyMs: LOOK_EVERY_MS };
    await waitUntil('every crash', look, patience).catch((error: unknown) => {
      const left = replicas.flatMap(({ name, left: [next] }) =>
        next ? [`${name} at ${next.point}, pass ${next.pass}`] : [],
      );
      throw new Error(`not passed: ${left.join(', ')}`, { cause: error });
    });
    // Open requests are retried at a system that is there.
    for (const service of services) {
      const isThere = () => isBack(processes, service, []);
      await waitUntil(`${service} to be back`, isThere, { timeoutMs: BACK_PATIENCE_MS });
    }
  };
}

function isWaitedFor({ service, ageMs }: ReplicaLives, replicas: readonly ReplicaLives[]): boolean {
  const waiting = replicas.filter((one) => one.service === service && !one.isOver);
  return ageMs > TURN_MS && waiting.some((one) => one.ageMs > TURN_MS);
}

/** Runs the fault with poison, until all poison is buried. */
function withPoison(fault: Fault): Fault {
  return async (run, random) => {
    const { KAFKA_BROKERS: brokers = '' } = run.servers?.environment ?? {};
    const poison = await KafkaPoison.start(run.databaseUrl, brokers.split(','));
    try {
      await fault(run, random);
      run.say(await poison.stop());
    } finally {
      await poison.close();
    }
  };
}

const families = Map.groupBy(pointsOverKafka(), ({ name }) => name.replace(/\.[^.]*$/, ''));
const shape = {
  program: 'apps/cluster/dist/main.js',
  ownServers: { brokers: 1 } as const,
  slowWebhooks: true,
  // More refunds, because billing reads nothing else from Kafka.
  treatments: { ...TREATMENTS, refusedByAll: 120 },
};
// A system for each: codes expire after ten minutes, and an older one is never quite at rest.
await runStages({ rate: '150', passes: '1,2,50' }, ({ passes }) =>
  [...families].map(([family, points]) => {
    const services = PASSED_BY[family];
    if (services === undefined) throw new Error(`nobody is known to pass ${family}`);
    const crashes = points.flatMap(({ name: point }) =>
      passesOf(passes).map((pass) => ({ point, pass })),
    );
    const fault = crashing(crashes, services);
    const name = `${family}, by ${services.join(', ')}`;
    return { shape, faults: { [name]: family === OF_POISON ? withPoison(fault) : fault } };
  }),
);
