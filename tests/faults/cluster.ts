/**
 * Faults of a whole cluster under load, each followed by the checker, over servers of the test's own:
 * `node tests/faults/cluster.ts [--only kafka] [--rate 200] [--seed n] [--keep] [--kills 20] ...`
 * With `--pass one` they all come over one load, and the checker once: but for those of a Kafka of three, and for
 * poison, whose waits are held against those of a calm time.
 */
import { killBrokers } from './broker.faults.ts';
import type { Fault } from './fault-run.ts';
import { publishPoison } from './poison.faults.ts';
import { runStages, type Stage } from './run-faults.ts';
import {
  flushRedis,
  killPostgres,
  killServer,
  pausePostgres,
  pauseServer,
  terminateBackends,
} from './server.faults.ts';
import { joinAndLeave, killServices } from './service.faults.ts';

const POISON = 'poison in every topic';

const OPTIONS = {
  /** `each` has a load and a check of its own, or `one` for all. */
  pass: 'each',
  /** Of services. */
  kills: '20',
  /** For so many seconds replicas leave and join. */
  changing: '60',
  /** Kafka, for so many seconds; Redis and PostgreSQL half as long. */
  paused: '20',
  /** Kafka, for so many seconds. */
  gone: '60',
  /** Each of three brokers, for so many seconds. */
  broker: '20',
  /** Kills of PostgreSQL. */
  postgres: '10',
  /** For so many seconds its connections are cut. */
  cut: '30',
};

function faultsOf(given: Record<keyof typeof OPTIONS, string>): Record<string, Fault> {
  const paused = Number(given.paused);
  return {
    'services killed': killServices(Number(given.kills)),
    'replicas joining and leaving': joinAndLeave({
      seconds: Number(given.changing),
      everyMs: 2_000,
    }),
    'kafka killed': killServer('kafka', 0),
    'kafka paused': pauseServer('kafka', paused),
    'kafka gone': killServer('kafka', Number(given.gone)),
    [POISON]: publishPoison(),
    'redis killed': killServer('redis', 5),
    'redis flushed': flushRedis(),
    'redis paused': pauseServer('redis', paused / 2),
    'postgres killed': killPostgres(Number(given.postgres)),
    'postgres paused': pausePostgres(paused / 2),
    'postgres connections cut': terminateBackends(Number(given.cut)),
  };
}

function oneAfterTheOther(faults: Record<string, Fault>): Fault {
  return async (run, random) => {
    for (const [name, fault] of Object.entries(faults)) {
      run.say(name);
      await fault(run, random);
    }
  };
}

function clusterOver(brokers: 1 | 3, faults: Record<string, Fault>): Stage {
  return { shape: { program: 'apps/cluster/dist/main.js', ownServers: { brokers } }, faults };
}

await runStages(OPTIONS, (given) => {
  const { [POISON]: poison, ...faults } = faultsOf(given);
  if (given.pass === 'one')
    return [clusterOver(1, { 'all faults in turn': oneAfterTheOther(faults) })];
  return [
    clusterOver(1, { ...faults, [POISON]: poison! }),
    clusterOver(3, { 'brokers killed, one of three at a time': killBrokers(Number(given.broker)) }),
  ];
});
