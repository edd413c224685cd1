import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerProcess } from '@watchword/local-servers';
import { createClient, createPool, type DatabasePool } from '@watchword/postgres';
import { createClient as connectRedis } from 'redis';
import { waitUntil } from '../support/wait-until.ts';
import type { Fault, FaultRun } from './fault-run.ts';
import type { OutagePromise } from './outage.ts';
import type { OwnServers } from './own-servers.ts';

/** Milliseconds in which the load goes on before each fault, and after the last one. */
export const PAUSE_MS = 3_000;
const TESTER = 'watchword-tester';
/** A connection that is caught by the death of the server is given up. */
const PROBE_TIMEOUT_MS = 500;
/** PostgreSQL recovers from its log first. */
const POSTGRES_TIMEOUT_MS = 30_000;

/** Neither Kafka nor Redis is needed for a send. */
const SENDS_GO_ON: OutagePromise = { sendsGoOn: true };
type ServerName = 'kafka' | 'redis';

function serversOf({ servers }: FaultRun): OwnServers {
  if (servers === undefined) throw new Error('the servers of this system are not ours to kill');
  return servers;
}

/** The load goes on for a while before something is done to a server. */
function serverFault(
  server: ServerName,
  what: string,
  fault: (node: ServerProcess, servers: OwnServers) => Promise<void>,
): Fault {
  return async (run) => {
    const servers = serversOf(run);
    await sleep(PAUSE_MS);
    const back = run.unavailable(`${server} ${what}`, SENDS_GO_ON);
    await fault(servers[server], servers);
    back();
  };
}

/** Sends SIGKILL. The server restarts after this many seconds. */
export function killServer(server: ServerName, seconds: number): Fault {
  return serverFault(server, 'killed', async (node) => {
    await node.kill();
    await sleep(seconds * 1_000);
    await node.start();
  });
}

/** SIGSTOP: its connections stay open, and nothing is answered. */
export function pauseServer(server: ServerName, seconds: number): Fault {
  return serverFault(server, 'paused', async (node) => {
    node.pause();
    await sleep(seconds * 1_000);
    node.resume();
  });
}

/** Redis loses all data, and stays. */
export function flushRedis(): Fault {
  return serverFault('redis', 'flushed', async (_, { redisUrl }) => {
    const redis = await connectRedis({ url: redisUrl }).connect();
    await redis.flushAll().finally(() => redis.destroy());
  });
}

/** SIGKILL of the postmaster; it is started again at once, and recovers. */
export function killPostgres(kills: number): Fault {
  return async (run, random) => {
    const { postgres } = serversOf(run);
    const probe = createPool({
      url: postgres.url,
      applicationName: TESTER,
      max: 1,
      connectTimeoutMs: PROBE_TIMEOUT_MS,
    });
    for (let kill = 1; kill <= kills; kill += 1) {
      await sleep(PAUSE_MS + random() * 1_000);
      const { pid } = postgres;
      const back = run.unavailable(`PostgreSQL, kill ${kill}`);
      process.kill(pid, 'SIGKILL');
      await waitUntil('PostgreSQL to answer', () => postgres.pid !== pid && answers(probe), {
        timeoutMs: POSTGRES_TIMEOUT_MS,
      });
      back();
    }
    await probe.end();
  };
}

/** SIGSTOP of all of it: connections stay open, new ones are taken, and nothing is answered. */
export function pausePostgres(seconds: number): Fault {
  return async (run) => {
    const { pid } = serversOf(run).postgres;
    await sleep(PAUSE_MS);
    const back = run.unavailable('PostgreSQL paused');
    // Itself first: then it has no further children.
    process.kill(pid, 'SIGSTOP');
    const all = [pid, ...childrenOf(pid)];
    for (const one of all.slice(1)) process.kill(one, 'SIGSTOP');
    await sleep(seconds * 1_000);
    // Itself last: until then none of the stopped ones is gone.
    for (const one of all.toReversed()) process.kill(one, 'SIGCONT');
    back();
  };
}

function childrenOf(pid: number): number[] {
  const list = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return list === '' ? [] : list.split(' ').map(Number);
}

function answers(probe: DatabasePool): Promise<boolean> {
  return probe.query('SELECT 1').then(
    () => true,
    () => false,
  );
}

/** Cuts five connections a second, of any role. */
export function terminateBackends(seconds: number, perSecond = 5): Fault {
  return async (run, random) => {
    const client = createClient({ url: serversOf(run).postgres.url, applicationName: TESTER });
    await client.connect();
    let terminated = 0;
    try {
      await sleep(PAUSE_MS);
      const back = run.unavailable(`PostgreSQL, ${perSecond} connections a second cut`);
      for (let cut = 0; cut < seconds * perSecond; cut += 1) {
        const { rows } = await client.query<{ pid: number }>(
          `SELECT pid FROM pg_stat_activity
           WHERE backend_type = 'client backend' AND application_name <> $1 ORDER BY pid`,
          [TESTER],
        );
        const victim = rows[Math.floor(random() * rows.length)];
        if (victim) {
          await client.query('SELECT pg_terminate_backend($1)', [victim.pid]);
          terminated += 1;
        }
        await sleep(1_000 / perSecond);
      }
      back();
    } finally {
      await client.end();
    }
    run.say(`${terminated} connections cut`);
  };
}
