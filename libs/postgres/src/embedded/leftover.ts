import { readFile, readdir, readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Stops servers of an earlier run. A server outlives a killed parent, and backends may outlive a
 * killed server. A new server must not start before the last of them has gone. They are recognised
 * by their working directory, the cluster's: a process id in a file may belong to another program
 * by now.
 */
export async function stopLeftover(cluster: string): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid');
  const postmaster = Number.parseInt(await readFile(pidFile, 'utf8').catch(() => ''), 10);
  if (Number.isNaN(postmaster)) return;
  const steps = [
    { signal: 'SIGINT', timeoutMs: 5_000, only: postmaster },
    { signal: 'SIGQUIT', timeoutMs: 2_000 },
    { signal: 'SIGKILL', timeoutMs: 2_000 },
  ] as const;
  for (const step of steps) {
    const processes = await processesIn(cluster);
    // Busy backends that lost their server continue, because no signal to stop reaches them.
    if ('only' in step && processes.length > 0 && !processes.includes(step.only)) continue;
    for (const pid of processes) {
      if (!('only' in step) || step.only === pid) signalIfThere(pid, step.signal);
    }
    if (await allGone(cluster, step.timeoutMs)) {
      await rm(pidFile, { force: true });
      return;
    }
  }
  throw new Error(
    `The PostgreSQL in ${cluster} that an earlier run left behind cannot be stopped.`,
  );
}

async function allGone(cluster: string, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while ((await processesIn(cluster)).length > 0) {
    if (Date.now() > deadline) return false;
    await sleep(20);
  }
  return true;
}

async function processesIn(directory: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const places = await Promise.all(
    pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => undefined)),
  );
  return pids.filter((_, index) => places[index] === directory);
}

function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
