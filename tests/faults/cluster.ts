/**
 * Faults of a whole cluster under load, each followed by the checker:
 * `node tests/faults/cluster.ts [--only kafka] [--rate 200] [--seed n] [--keep]`
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClusterProcesses } from '../support/cluster-processes.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { Fault, FaultRun } from './fault-run.ts';
import { runFaults } from './run-faults.ts';

const SERVICES = ['gateway', 'billing', 'dispatch', 'webhooks'];
/** Longer than an empty machine needs to start a service. */
const BACK_PATIENCE_MS = 60_000;

function processesOf({ dataDir }: FaultRun): ClusterProcesses {
  return new ClusterProcesses(join(dataDir, 'dev-credentials.json'));
}

/** Each service in turn one of the two, both together in the next round. */
function killServices(kills: number): Fault {
  return async (run, random) => {
    const processes = processesOf(run);
    for (let kill = 0; kill < kills; kill += 1) {
      await sleep(1_000 + random() * 1_000);
      const service = SERVICES[kill % SERVICES.length]!;
      const pids = processes.pidsOf(service);
      const both = Math.floor(kill / SERVICES.length) % 2 === 1;
      const victims = both ? pids : [pids[random() < 0.5 ? 0 : 1]!];
      processes.kill(victims);
      const killedAt = performance.now();
      await waitUntil(`${service} to be back`, () => isBack(processes, service, victims), {
        timeoutMs: BACK_PATIENCE_MS,
        everyMs: 50,
      });
      const tookMs = Math.round(performance.now() - killedAt);
      run.say(`kill ${kill + 1}: ${victims.length} of ${service}, back after ${tookMs} ms`);
    }
    await sleep(1_000);
  };
}

async function isBack(processes: ClusterProcesses, service: string, victims: number[]) {
  const entries = processes.services(service);
  if (entries.some(({ pid }) => pid === null || victims.includes(pid))) return false;
  const ready = await Promise.all(
    entries.map(({ health_url: url }) =>
      fetch(url.replace('/health', '/ready')).then(
        ({ ok }) => ok,
        () => false,
      ),
    ),
  );
  return ready.every(Boolean);
}

await runFaults({ program: 'apps/cluster/dist/main.js' }, { kills: '20' }, ({ kills }) => ({
  'services killed': killServices(Number(kills)),
}));
