import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { SERVICE_NAMES } from '@watchword/config';
import { ClusterProcesses, type ServiceEntry } from '../support/cluster-processes.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { Fault, FaultRun } from './fault-run.ts';
import type { Random } from './load.policy.ts';

/** Services that read from the bus. */
const CONSUMERS = ['dispatch', 'webhooks', 'billing'];
/** Every send waits for one of these: the second leaves when the first is back. */
const NEEDED = ['billing'];
/** Milliseconds, also for a machine under other load. The time is printed. */
const BACK_TIMEOUT_MS = 180_000;
const PAUSE_MS = 1_000;
const POLL_EVERY_MS = 50;
const READY_TIMEOUT_MS = 2_000;

function processesOf({ dataDir }: FaultRun): ClusterProcesses {
  return new ClusterProcesses(join(dataDir, 'dev-credentials.json'));
}

/** Kills one replica of each service in turn, both together in the next round. */
export function killServices(kills: number): Fault {
  return async (run, random) => {
    const processes = processesOf(run);
    for (let kill = 0; kill < kills; kill += 1) {
      await sleep(PAUSE_MS + random() * PAUSE_MS);
      const service = SERVICE_NAMES[kill % SERVICE_NAMES.length]!;
      const pids = processes.pidsOf(service);
      const both = Math.floor(kill / SERVICE_NAMES.length) % 2 === 1;
      const victims = both ? pids : [pids[random() < 0.5 ? 0 : 1]!];
      // No send needs dispatch or webhooks.
      const sendsGoOn = CONSUMERS.includes(service) && !NEEDED.includes(service);
      const back = run.unavailable(`kill ${kill + 1}, ${victims.length} of ${service}`, {
        sendsGoOn,
      });
      processes.kill(victims);
      await waitUntil(`${service} to be back`, () => isBack(processes, service, victims), {
        timeoutMs: BACK_TIMEOUT_MS,
        everyMs: POLL_EVERY_MS,
      });
      back();
    }
    await sleep(PAUSE_MS);
  };
}

/** Returns whether both replicas are ready, and neither is a victim. */
export async function isBack(processes: ClusterProcesses, service: string, victims: number[]) {
  const entries = processes.services(service);
  if (entries.some(({ pid }) => pid === null || victims.includes(pid))) return false;
  const ready = await Promise.all(entries.map(isReady));
  return ready.every(Boolean);
}

function isReady({ health_url: url }: ServiceEntry): Promise<boolean> {
  const signal = AbortSignal.timeout(READY_TIMEOUT_MS);
  return fetch(url.replace('/health', '/ready'), { signal }).then(
    async (answer) => {
      await answer.body?.cancel();
      return answer.ok;
    },
    () => false,
  );
}

/**
 * Replicas of each consumer leave in turn, and join again as soon as they can, so partitions move
 * all the time.
 */
export function joinAndLeave({ seconds, everyMs }: { seconds: number; everyMs: number }): Fault {
  return async (run, random) => {
    const processes = processesOf(run);
    await sleep(PAUSE_MS);
    const what = `replicas leaving for ${seconds} s`;
    const back = run.unavailable(what, { sendsGoOn: true });
    const left = new Map(CONSUMERS.map((service) => [service, 0]));
    const until = performance.now() + seconds * 1_000;
    for (let turn = 0; performance.now() < until; turn += 1) {
      const service = CONSUMERS[turn % CONSUMERS.length]!;
      const mayLeave = !NEEDED.includes(service) || (await isBack(processes, service, []));
      const victim = mayLeave ? oneOf(processes, service, random) : [];
      processes.kill(victim, 'SIGTERM');
      left.set(service, left.get(service)! + victim.length);
      // If no replica can be spared, the next service has its turn.
      await sleep(victim.length > 0 ? everyMs : POLL_EVERY_MS);
    }
    for (const service of CONSUMERS) {
      await waitUntil(`${service} to be back`, () => isBack(processes, service, []), {
        timeoutMs: BACK_TIMEOUT_MS,
      });
    }
    back();
    const counts = [...left].map(([service, count]) => `${count} of ${service}`);
    run.say(`left and joined again: ${counts.join(', ')}`);
    for (const [service, count] of left) run.expect(count > 0, `no replica of ${service} left`);
    await sleep(PAUSE_MS);
  };
}

/** A process at the replica's place. The id in the file alone could belong to another process. */
function oneOf(processes: ClusterProcesses, service: string, random: Random): number[] {
  const first = random() < 0.5 ? 1 : 2;
  const places = [first, 3 - first].map((replica) => `${service}-${replica}`);
  return places.flatMap((place) => processes.serverPids('services', place)).slice(0, 1);
}
