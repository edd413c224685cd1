import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { ClusterProcesses, type ServiceEntry } from '../support/cluster-processes.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { Fault, FaultRun } from './fault-run.ts';
import type { Random } from './load.policy.ts';

const SERVICES = ['gateway', 'billing', 'dispatch', 'webhooks'];
/** Those that read from the bus, and whom no send needs. */
const CONSUMERS = ['dispatch', 'webhooks'];
/** Also of a machine that others load as well; how long it took is said. */
const BACK_PATIENCE_MS = 180_000;
const PAUSE_MS = 1_000;

function processesOf({ dataDir }: FaultRun): ClusterProcesses {
  return new ClusterProcesses(join(dataDir, 'dev-credentials.json'));
}

/** Each service in turn one of the two, both together in the next round. */
export function killServices(kills: number): Fault {
  return async (run, random) => {
    const processes = processesOf(run);
    for (let kill = 0; kill < kills; kill += 1) {
      await sleep(PAUSE_MS + random() * PAUSE_MS);
      const service = SERVICES[kill % SERVICES.length]!;
      const pids = processes.pidsOf(service);
      const both = Math.floor(kill / SERVICES.length) % 2 === 1;
      const victims = both ? pids : [pids[random() < 0.5 ? 0 : 1]!];
      // Neither dispatch nor webhooks is needed for a send.
      const sendsGoOn = CONSUMERS.includes(service);
      const back = run.away(`kill ${kill + 1}, ${victims.length} of ${service}`, { sendsGoOn });
      processes.kill(victims);
      await waitUntil(`${service} to be back`, () => isBack(processes, service, victims), {
        timeoutMs: BACK_PATIENCE_MS,
        everyMs: 50,
      });
      back();
    }
    await sleep(PAUSE_MS);
  };
}

async function isBack(processes: ClusterProcesses, service: string, victims: number[]) {
  const entries = processes.services(service);
  if (entries.some(({ pid }) => pid === null || victims.includes(pid))) return false;
  const ready = await Promise.all(entries.map(isReady));
  return ready.every(Boolean);
}

function isReady({ health_url: url }: ServiceEntry): Promise<boolean> {
  return fetch(url.replace('/health', '/ready')).then(
    ({ ok }) => ok,
    () => false,
  );
}

/**
 * One replica after the other is told to leave, of dispatch and of webhooks in turn, and joins again as soon
 * as it can: all the time partitions change hands.
 */
export function joinAndLeave({ seconds, everyMs }: { seconds: number; everyMs: number }): Fault {
  return async (run, random) => {
    const processes = processesOf(run);
    await sleep(PAUSE_MS);
    const back = run.away(`replicas leaving for ${seconds} s`, { sendsGoOn: true });
    let left = 0;
    const until = performance.now() + seconds * 1_000;
    for (let turn = 0; performance.now() < until; turn += 1) {
      const victim = oneOf(processes, CONSUMERS[turn % CONSUMERS.length]!, random);
      processes.kill(victim, 'SIGTERM');
      left += victim.length;
      await sleep(everyMs);
    }
    for (const service of CONSUMERS) {
      await waitUntil(`${service} to be back`, () => isBack(processes, service, []), {
        timeoutMs: BACK_PATIENCE_MS,
      });
    }
    back();
    run.say(`${left} replicas left and joined again`);
    await sleep(PAUSE_MS);
  };
}

/** A process that works where a replica works, whatever the file says: nobody else's id is killed. */
function oneOf(processes: ClusterProcesses, service: string, random: Random): number[] {
  const first = random() < 0.5 ? 1 : 2;
  const places = [first, 3 - first].map((replica) => `${service}-${replica}`);
  return places.flatMap((place) => processes.serverPids('services', place)).slice(0, 1);
}
