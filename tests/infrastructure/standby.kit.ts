/** A streaming standby of an embedded server: a copy of its folder that follows it, and is promoted. */
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { EmbeddedPostgres } from '../../libs/postgres/src/embedded/embedded-postgres.ts';
import { freePort } from '../../libs/postgres/src/free-port.ts';
import { waitUntil } from '../support/wait-until.ts';

/** What the primary needs beside its usual settings. */
export const REPLICATED = { wal_level: 'replica', max_wal_senders: '4', hot_standby: 'on' };

export interface Standby {
  readonly port: number;
  /** Resolves when the standby has everything that the primary has committed. */
  caughtUp(): Promise<void>;
  promote(): Promise<void>;
  close(): Promise<void>;
}

export async function startStandby(primary: EmbeddedPostgres): Promise<Standby> {
  const folder = mkdtempSync(join(tmpdir(), 'watchword-standby-'));
  const data = join(folder, 'data');
  await copy(primary, data);
  const port = await freePort();
  const { uid, gid } = statSync(data);
  // A standby may not have fewer connections than its primary.
  const settings = {
    ...REPLICATED,
    max_connections: '200',
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
  };
  const child = spawn(
    readlinkSync(`/proc/${primary.pid}/exe`),
    [
      '-D',
      data,
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    { uid, gid, cwd: '/', env: { LC_ALL: 'C', TZ: 'UTC' }, stdio: 'ignore' },
  );
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const url = new URL(primary.url);
  url.port = String(port);
  const isUp = () =>
    ask(url.href, 'SELECT 1').then(
      () => true,
      () => false,
    );
  await waitUntil('the standby to answer', isUp);
  return {
    port,
    caughtUp: () =>
      waitUntil('the standby to have everything', async () => {
        const [{ at }] = await ask(primary.url, 'SELECT pg_current_wal_lsn()::text AS at');
        const replayed = `SELECT pg_last_wal_replay_lsn() >= '${at}' AS has_all`;
        return (await ask(url.href, replayed))[0].has_all;
      }),
    promote: async () => void (await ask(url.href, 'SELECT pg_promote()')),
    close: async () => {
      if (child.kill('SIGINT')) await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A back-up of the running primary, with the files that make it a standby. */
async function copy(primary: EmbeddedPostgres, to: string): Promise<void> {
  const client = new pg.Client({ connectionString: primary.url });
  await client.connect();
  await client.query(`SELECT pg_backup_start('standby', true)`);
  const { uid, gid } = statSync(primary.directory);
  cpSync(primary.directory, to, {
    recursive: true,
    filter: (from) => !from.endsWith('postmaster.pid') && !from.endsWith('postmaster.opts'),
  });
  const { rows } = await client.query('SELECT labelfile FROM pg_backup_stop(false)');
  await client.end();
  const { hostname, port, username, password } = new URL(primary.url);
  const source = `host=${hostname} port=${port} user=${username} password=${password}`;
  writeFileSync(join(to, 'backup_label'), rows[0].labelfile);
  writeFileSync(join(to, 'standby.signal'), '');
  writeFileSync(join(to, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
  if (process.getuid?.() === 0) await owned(to, uid, gid);
}

async function owned(folder: string, uid: number, gid: number): Promise<void> {
  const child = spawn('chown', ['-R', `${uid}:${gid}`, folder], { stdio: 'inherit' });
  await new Promise((resolve) => child.once('exit', resolve));
  // The server passes through the temporary folder.
  const parent = spawn('chmod', ['755', join(folder, '..')]);
  await new Promise((resolve) => parent.once('exit', resolve));
}

// oxlint-disable-next-line no-explicit-any -- rows of any shape
async function ask(url: string, text: string): Promise<any[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
