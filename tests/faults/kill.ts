/**
 * The kill test: load, SIGKILLs of the one process at random moments, a start on the same directory and port
 * after each; then everything has to come to an end, and the checker to hold all ten invariants.
 * `node tests/faults/kill.ts --kills 10 [--rate 200] [--seed n] [--keep]`
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Fault } from './fault-run.ts';
import { runFaults } from './run-faults.ts';

/** Kills with a pause before the first, between two, and after the last. */
export function killing(kills: number, [minMs, maxMs]: readonly [number, number]): Fault {
  return async ({ system, say }, random) => {
    const pause = () => sleep(minMs + random() * (maxMs - minMs));
    for (let kill = 1; kill <= kills; kill += 1) {
      await pause();
      await system.stop('SIGKILL');
      const killedAt = performance.now();
      await system.start();
      say(`kill ${kill}: back after ${Math.round(performance.now() - killedAt)} ms`);
    }
    await pause();
  };
}

if (import.meta.main) {
  await runFaults({}, { kills: '10' }, ({ kills }) => ({
    [`${kills} times SIGKILL`]: killing(Number(kills), [2_000, 4_000]),
  }));
}
