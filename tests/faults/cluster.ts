/**
 * Faults of a whole cluster under load, each followed by the checker, over servers of the test's own:
 * `node tests/faults/cluster.ts [--only kafka] [--rate 200] [--seed n] [--keep] [--kills 20] ...`
 * With `--pass one` they all come over one load, and the checker once.
 */
import type { Fault } from './fault-run.ts';
import { runFaults } from './run-faults.ts';
import {
  flushRedis,
  killPostgres,
  killServer,
  pauseServer,
  terminateBackends,
} from './server.faults.ts';
import { joinAndLeave, killServices } from './service.faults.ts';

const OPTIONS = {
  /** `each` has a load and a check of its own, or `one` for all. */
  pass: 'each',
  /** Of services. */
  kills: '20',
  /** For so many seconds replicas leave and join. */
  changing: '60',
  /** Kafka, for so many seconds; Redis half as long. */
  paused: '20',
  /** Kafka, for so many seconds. */
  gone: '60',
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
    'redis killed': killServer('redis', 5),
    'redis flushed': flushRedis(),
    'redis paused': pauseServer('redis', paused / 2),
    'postgres killed': killPostgres(Number(given.postgres)),
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

await runFaults({ program: 'apps/cluster/dist/main.js', ownServers: true }, OPTIONS, (given) => {
  const faults = faultsOf(given);
  return given.pass === 'one' ? { 'all faults in turn': oneAfterTheOther(faults) } : faults;
});
