/**
 * Faults of a whole cluster under load, each followed by the checker, over the test's own servers:
 * `node tests/faults/cluster.ts [--only kafka] [--rate 200] [--seed n] [--keep] [--kills 20] ...`
 * With `--pass one` all come over one load, with one check.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from './fault-run.ts';
import { runFaults } from './run-faults.ts';
import {
  flushRedis,
  killPostgres,
  killServer,
  PAUSE_MS,
  pausePostgres,
  pauseServer,
  terminateBackends,
} from './server.faults.ts';
import { joinAndLeave, killServices } from './service.faults.ts';

const OPTIONS = {
  /** `each` has its own load and check; `one` shares them. */
  pass: 'each',
  /** Number of kills of services. */
  kills: '20',
  /** Seconds in which replicas leave and join. */
  changing: '60',
  /** Seconds for Kafka; half as long for Redis and PostgreSQL. */
  paused: '20',
  /** Seconds without Kafka. */
  gone: '60',
  /** Kills of PostgreSQL. */
  postgres: '10',
  /** Seconds in which its connections are cut. */
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
    await sleep(PAUSE_MS);
  };
}

/** Each with the load that goes on afterwards. */
function eachAlone(faults: Record<string, Fault>): Record<string, Fault> {
  const alone = Object.entries(faults).map(([name, fault]) => [
    name,
    oneAfterTheOther({ [name]: fault }),
  ]);
  return Object.fromEntries(alone) as Record<string, Fault>;
}

const shape = { program: 'apps/cluster/dist/main.js', ownServers: true };
await runFaults(shape, OPTIONS, (given) => {
  const faults = faultsOf(given);
  return given.pass === 'one'
    ? { 'all faults in turn': oneAfterTheOther(faults) }
    : eachAlone(faults);
});
