import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient, createPool } from '@watchword/postgres';
import type { Operator } from '../support/operator.ts';
import type { RunningSystem } from '../support/system.ts';
import { waitUntil } from '../support/wait-until.ts';
import { plantPoison } from './poison.ts';

export interface AlarmGround {
  readonly system: RunningSystem;
  readonly operator: Operator;
  scenario(body: unknown): Promise<unknown>;
  wellAgain(): Promise<void>;
  send(count?: number): Promise<void>;
  pass(seconds: number, sendsEach?: number): Promise<void>;
}

/** Makes an alarm's expression true, and follows its runbook. */
export interface AlarmFault {
  cause(ground: AlarmGround): Promise<void>;
  followRunbook(ground: AlarmGround): Promise<void>;
  /** Sends of each second until the alarm ends. */
  sendsAfter?: number;
}

const ACCOUNTS = ['twilio', 'africas_talking'];

function cluster({ dataDir }: RunningSystem): string {
  const location = join(dataDir, 'postgres-location');
  return existsSync(location) ? readFileSync(location, 'utf8').trim() : join(dataDir, 'postgres');
}

function pidFile(system: RunningSystem): string[] {
  return readFileSync(join(cluster(system), 'postmaster.pid'), 'utf8').split('\n');
}

/** Returns the superuser's URL of the running server. */
function databaseUrl(system: RunningSystem): string {
  const password = readFileSync(join(system.dataDir, 'postgres-password'), 'utf8').trim();
  return `postgres://watchword:${password}@127.0.0.1:${pidFile(system)[3]}/postgres`;
}

async function query(system: RunningSystem, text: string): Promise<Record<string, unknown>[]> {
  const pool = createPool({ url: databaseUrl(system), applicationName: 'operator', max: 1 });
  try {
    return (await pool.query(text)).rows as Record<string, unknown>[];
  } finally {
    await pool.end();
  }
}

/** The server and its children. */
function signalServer(system: RunningSystem, signal: NodeJS.Signals): void {
  const [parent = ''] = pidFile(system);
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', parent], { encoding: 'utf8' });
  for (const pid of [parent, ...children.split(/\s+/)]) {
    if (pid === '') continue;
    try {
      process.kill(Number(pid), signal);
    } catch {
      // A child that has just ended.
    }
  }
}

async function changeCarrier({ operator }: AlarmGround, id: string, change: object): Promise<void> {
  const answer = await operator.request('PATCH', `/carriers/${id}`, change);
  if (answer.status !== 200) throw new Error(`PATCH /carriers/${id}: ${answer.status}`);
}

async function setCarriers(ground: AlarmGround, state: string): Promise<void> {
  for (const id of ACCOUNTS) await changeCarrier(ground, id, { state });
}

/** A runbook's first step: the operator API shows the account. */
async function lookAtCarriers({ operator }: AlarmGround, member: string, value: unknown) {
  const { json } = await operator.request('GET', '/carriers');
  const found = (json.data as Record<string, unknown>[]).some((one) => one[member] === value);
  if (!found) throw new Error(`GET /carriers tells of no ${member} ${String(value)}`);
}

const refusedAccount: AlarmFault = {
  async cause(ground) {
    await ground.scenario({ submit: { kind: 'http_status', status: 401 } });
    await ground.pass(8, 6);
  },
  async followRunbook(ground) {
    await lookAtCarriers(ground, 'reason', 'provider_rejected');
    await ground.wellAgain();
  },
};

/** Hidden here until a runbook's command ends it. */
let openTransaction: ReturnType<typeof createClient> | undefined;

export const ALARM_FAULTS: Readonly<Record<string, AlarmFault>> = {
  WatchwordMessagesFailing: refusedAccount,
  WatchwordCarrierCircuitOpen: {
    async cause(ground) {
      await changeCarrier(ground, 'twilio', { preferred_in: ['NG'] });
      await ground.scenario({ provider: 'twilio', submit: { kind: 'http_status', status: 401 } });
      await ground.pass(8, 2);
    },
    // Then no route of these messages puts the account first, so it waits for its own probe.
    async followRunbook(ground) {
      await lookAtCarriers(ground, 'circuit', 'open');
      await ground.wellAgain();
      await changeCarrier(ground, 'twilio', { preferred_in: [] });
    },
  },
  WatchwordCarrierSilent: {
    async cause(ground) {
      await ground.scenario({ submit: { kind: 'accept_then_lose_answer' }, receipts: [] });
      await ground.pass(20, 3);
    },
    async followRunbook(ground) {
      await setCarriers(ground, 'drained');
      await ground.wellAgain();
      await setCarriers(ground, 'active');
    },
  },
  WatchwordReceiptsMissing: {
    async cause(ground) {
      await ground.scenario({ receipts: [] });
      await ground.pass(40, 2);
    },
    followRunbook: async (ground) => ground.wellAgain(),
  },
  WatchwordCallbacksRefused: {
    async cause(ground) {
      for (let second = 0; second < 8; second += 1) {
        await ground.system.http.post('/callbacks/twilio/an-old-secret', {});
        await ground.pass(1);
      }
    },
    async followRunbook({ system }) {
      const main = 'apps/all-in-one/dist/operator/main.js';
      const env = { ...process.env, DATA_DIR: system.dataDir };
      const text = execFileSync(process.execPath, [main, 'callback-urls'], {
        env,
        encoding: 'utf8',
      });
      const [, path = ''] = /https?:\/\/[^/\s]+(\/callbacks\/twilio\/\S+)/.exec(text) ?? [];
      if (path === '') throw new Error(`callback-urls printed no address: ${text}`);
    },
  },
  WatchwordDeadLetters: {
    async cause(ground) {
      await plantPoison(databaseUrl(ground.system));
      // They are counted twice a minute, and given up after five tries.
      await ground.pass(45);
    },
    async followRunbook({ operator }) {
      const { json } = await operator.request('GET', '/dead-letters');
      for (const { topic, group } of json.data as { topic: string; group: string }[]) {
        const body = { topic, group, reason: 'Planted.' };
        const answer = await operator.request('DELETE', '/dead-letters', body);
        if (answer.status !== 200) throw new Error(`DELETE /dead-letters: ${answer.status}`);
      }
    },
  },
  WatchwordConsumersBehind: {
    async cause(ground) {
      openTransaction = createClient({
        url: databaseUrl(ground.system),
        applicationName: 'forgotten',
        statementTimeoutMs: 600_000,
      });
      await openTransaction.connect();
      await openTransaction.query('BEGIN');
      await openTransaction.query('LOCK TABLE dispatch.messages IN SHARE ROW EXCLUSIVE MODE');
      await ground.pass(66, 1);
    },
    async followRunbook({ system }) {
      const oldest = await query(
        system,
        'SELECT pid, application_name FROM pg_stat_activity WHERE xact_start IS NOT NULL ORDER BY xact_start LIMIT 1',
      );
      if (oldest[0]?.['application_name'] !== 'forgotten') throw new Error('another one is older');
      await query(system, `SELECT pg_terminate_backend(${String(oldest[0]['pid'])})`);
      openTransaction?.end().catch(() => undefined);
    },
  },
  WatchwordCarrierTimeBurn: {
    async cause(ground) {
      await ground.scenario({ submit: { kind: 'accept', delay_ms: 6_000 } });
      await ground.pass(20, 2);
    },
    followRunbook: async (ground) => ground.wellAgain(),
    sendsAfter: 8,
  },
  WatchwordDatabaseDown: {
    async cause(ground) {
      signalServer(ground.system, 'SIGSTOP');
      await ground.pass(5, 2);
    },
    followRunbook: async ({ system }) => signalServer(system, 'SIGCONT'),
  },
  WatchwordSendsBurn: {
    async cause(ground) {
      signalServer(ground.system, 'SIGSTOP');
      await ground.pass(6, 4);
    },
    followRunbook: async ({ system }) => signalServer(system, 'SIGCONT'),
    sendsAfter: 8,
  },
  WatchwordProcessDown: {
    async cause(ground) {
      await ground.system.stop('SIGKILL');
      await ground.pass(4);
    },
    async followRunbook({ system }) {
      await system.start();
      await waitUntil('it to answer', async () => (await system.http.get('/ready')).status === 200);
    },
  },
};
