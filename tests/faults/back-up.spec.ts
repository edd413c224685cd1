import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  createClient,
  createPool,
  type DatabasePool,
  freePort,
  startEmbeddedPostgres,
} from '@watchword/postgres';
import { readEmbeddedBus } from '../invariants/bus-state.ts';
import { checkInvariants, holds, renderReports } from '../invariants/check.ts';
import { type ClientLog, type Exchange, isAccepted } from '../invariants/client-log.ts';
import type { HandsetMessage } from '../invariants/client-log.ts';
import { checkDrained } from '../invariants/drain.check.ts';
import { freshNumber } from '../support/numbers.ts';
import { RunningSystem } from '../support/system.ts';
import { waitUntil } from '../support/wait-until.ts';
import { embeddedUrl } from './database.ts';
import { FaultRun } from './fault-run.ts';

const seed = Date.now() % 2 ** 31;
const directory = mkdtempSync(join(tmpdir(), 'watchword-back-up-'));
const archive = join(directory, 'base.tar');
const restoredData = join(directory, 'data');
/**
 * Guesses. A backup may contain any number of the guesses that were made while it was written, so
 * this invariant is checked for the first installation only.
 */
const GUESSES = 8;
let run: FaultRun;
let restored: RunningSystem | undefined;

beforeAll(async () => {
  run = await FaultRun.open({ sendsPerSecond: 50, seed });
});

afterAll(async () => {
  await restored?.stop();
  await restored?.http?.close();
  await restored?.simulator?.close();
  await run?.stop();
  await run?.remove();
  await startEmbeddedPostgres({ directory: restoredData }).then((server) => server.destroy());
  rmSync(directory, { recursive: true, force: true });
});

/**
 * Copies the running cluster as `pg_basebackup` does, by the functions that it uses: the files, the
 * log since the copy began, and the label of its beginning.
 */
async function backUp(): Promise<void> {
  const client = createClient({ url: embeddedUrl(run.dataDir), applicationName: 'spec' });
  await client.connect();
  try {
    const { rows: places } = await client.query('SHOW data_directory');
    const cluster = places[0].data_directory as string;
    await client.query(`SELECT pg_backup_start('spec', true)`);
    pack('--create', cluster, '--exclude=./pg_wal/*', '--exclude=./postmaster.*', '.');
    await sleep(1_000);
    const { rows } = await client.query('SELECT labelfile FROM pg_backup_stop(false)');
    pack('--append', cluster, './pg_wal');
    writeFileSync(join(directory, 'backup_label'), rows[0].labelfile as string);
    pack('--append', directory, './backup_label');
  } finally {
    await client.end();
  }
}

/** 1 says that files changed or went meanwhile, which the log makes good. */
function pack(mode: string, from: string, ...names: string[]): void {
  const args = [mode, `--file=${archive}`, `--directory=${from}`, ...names];
  const { status, stderr } = spawnSync('tar', args, { encoding: 'utf8' });
  if (status !== 0 && status !== 1) throw new Error(`tar ended with ${status}: ${stderr}`);
}

/** Puts the copy in the place of a new installation's database, as the guide says. */
async function restore(): Promise<void> {
  mkdirSync(restoredData, { mode: 0o700 });
  const server = await startEmbeddedPostgres({ directory: restoredData });
  await server.stop();
  const cluster = server.directory;
  const { uid, gid } = statSync(cluster);
  rmSync(cluster, { recursive: true });
  mkdirSync(cluster, { mode: 0o700 });
  execFileSync('tar', ['--extract', `--file=${archive}`, `--directory=${cluster}`]);
  execFileSync('chown', ['--recursive', `${uid}:${gid}`, cluster]);
  for (const name of ['secrets.json', 'dev-credentials.json', 'postgres-password']) {
    copyFileSync(join(run.dataDir, name), join(restoredData, name));
  }
}

it('a backup made under load is a working installation in another directory', async () => {
  let [from, until] = [0, 0];
  const { reports, accepted, evidence } = await run.under(async () => {
    await sleep(3_000);
    from = Date.now();
    await backUp();
    until = Date.now();
    await sleep(2_000);
  });
  if (!holds(reports)) throw new Error(`seed ${seed}\n${renderReports(reports)}`);
  expect(accepted).toBeGreaterThan(200);
  await run.system.stop();

  await restore();
  const backedUp = await eventsOfBackup();
  const restartedAt = Date.now();
  restored = await new RunningSystem(await freePort(), restoredData).start();
  const kept = await drained(evidence.clientLog.silentDestinations, new Date(until));

  const arrived = (await restored.simulator.get('/_simulator/messages')).json as HandsetMessage[];
  const databaseUrl = embeddedUrl(restoredData);
  const check = async () => {
    const all = await checkInvariants({
      databaseUrl,
      clientLog: {
        ...asOf(evidence.clientLog, from, until, kept.messages),
        silentDestinations: kept.unheard,
      },
      simulatorMessages: [
        ...evidence.simulatorMessages.filter(({ reference }) => kept.references.has(reference)),
        ...arrived,
      ],
      receiverLog: evidence.receiverLog.filter(({ eventId, receivedAt }) =>
        (receivedAt < restartedAt ? backedUp : kept.events).has(eventId),
      ),
    });
    return all.filter(({ invariant }) => invariant !== GUESSES);
  };
  // A code that expires meanwhile makes an event that is on its way for a moment.
  let after = await check();
  for (let more = 0; more < 10 && !holds(after); more += 1) {
    await sleep(3_000);
    after = await check();
  }
  if (!holds(after)) throw new Error(`seed ${seed}\n${renderReports(after)}`);

  const sent = await restored.http.post(
    '/v1/sms/send',
    { phone_number: freshNumber(), message: 'Hello again.' },
    { key: restored.credentials.live_key },
  );
  expect(sent.status).toBe(200);
  const { id } = sent.json as { id: string };
  await waitUntil('the message to be delivered', async () => {
    const { live_key: key } = restored!.credentials;
    const { json } = await restored!.http.get(`/v1/sms/${id}`, { key });
    return (json as { status: string }).status === 'delivered';
  });
}, 300_000);

/**
 * Returns the events that the backup has. One that waited in an outbox is not among them: each
 * installation gives it a separate sequence number, and so other bytes.
 */
async function eventsOfBackup(): Promise<Set<string>> {
  const server = await startEmbeddedPostgres({ directory: restoredData });
  const database = createPool({ url: server.url, applicationName: 'spec', max: 1 });
  try {
    return await idsOf(database, 'SELECT id FROM webhooks.events');
  } finally {
    await database.end();
    await server.stop();
  }
}

async function idsOf(database: DatabasePool, text: string): Promise<Set<string>> {
  return new Set((await database.query<{ id: string }>(text)).rows.map(({ id }) => id));
}

/** Resolves when nothing is left to do, with what the database then knows. */
async function drained(silent: string[], until: Date) {
  const url = embeddedUrl(restoredData);
  const database = createPool({ url, applicationName: 'spec', max: 1 });
  // The carriers have reported on these to the first installation, and do not do it again.
  const { rows: reported } = await database.query<{ destination: string }>(
    `SELECT destination FROM dispatch.messages WHERE state = 'sent' AND sent_at <= $1`,
    [until],
  );
  const unheard = [...silent, ...reported.map(({ destination }) => destination)];
  try {
    await waitUntil(
      'the restored installation to have nothing left to do',
      async () => {
        const tally = await checkDrained(database, await readEmbeddedBus(database), unheard);
        return tally.violationCount === 0;
      },
      { timeoutMs: 75_000 },
    );
    return {
      unheard,
      messages: await idsOf(database, 'SELECT message_id AS id FROM billing.acceptances'),
      references: await idsOf(database, 'SELECT provider_message_id AS id FROM dispatch.attempts'),
      events: await idsOf(database, 'SELECT id FROM webhooks.events'),
    };
  } finally {
    await database.end();
  }
}

/**
 * Returns the client's log for a backup: everything from before it began, of which nothing may be
 * missing, and the part of the rest that it contains.
 */
function asOf(log: ClientLog, from: number, until: number, kept: ReadonlySet<string>): ClientLog {
  const isKept = (exchange: Exchange) => {
    if (exchange.answeredAt < from) return true;
    if (exchange.operation === 'otp_verify') return false;
    if (!isAccepted(exchange)) return exchange.answeredAt < until;
    return kept.has((JSON.parse(exchange.answer) as { id: string }).id);
  };
  return { ...log, exchanges: log.exchanges.filter(isKept), observations: [] };
}
