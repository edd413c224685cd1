import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadConfig } from '@watchword/config';
import { prepareInstallation } from '@watchword/host';
import { createLogger } from '@watchword/observability';
import { createClient, type EmbeddedPostgres, startEmbeddedPostgres } from '@watchword/postgres';
import { waitUntil } from '@watchword/testing';
import { writeAll } from '../src/operator/back-up/backup-file.js';
import { dump, findClient } from '../src/operator/back-up/postgres-clients.js';
import { runCommand } from '../src/operator/run-command.js';
import { installation } from '../src/services.js';

const secrets = {
  PEPPER: 'p'.repeat(32),
  ENCRYPTION_KEY: '0f'.repeat(32),
  RPC_SECRET: 'r'.repeat(32),
  CALLBACK_SECRET: 'c'.repeat(16),
};
const HEADER_BYTES = 8192;
const [PATH = ''] = [process.env['PATH']];
let place: string;
let server: EmbeddedPostgres;

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'watchword-back-up-'));
  server = await startEmbeddedPostgres({ directory: join(place, 'one') });
  writeFileSync(join(place, 'one', 'secrets.json'), '{}');
  const { config } = loadConfig({ ...secrets, DATABASE_URL: server.url });
  const logger = createLogger({ service: 'spec', level: 'silent' });
  await prepareInstallation(server.url, config, installation.definitions, logger);
});

afterAll(async () => {
  process.env['PATH'] = PATH;
  await server?.destroy();
  const restored = await startEmbeddedPostgres({ directory: join(place, 'two') });
  await restored.destroy();
  await rm(place, { recursive: true, force: true });
});

async function operate(args: string[], settings: Record<string, string>): Promise<string> {
  const lines: string[] = [];
  await runCommand(args, { ...secrets, ...settings }, (line) => void lines.push(line));
  return lines.join('\n');
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = createClient({ url, applicationName: 'spec' });
  await client.connect();
  try {
    return (await client.query(text)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

const directory = (name: string) => ({ DATA_DIR: join(place, name) });
const file = (name: string) => join(place, name);

describe('an embedded database', () => {
  it('is written into a file for its owner alone, with a checksum', async () => {
    const said = await operate(['back-up', file('a.backup')], directory('one'));
    expect(said).toMatch(/a\.backup: [\d.]+ MB, SHA-256 [0-9a-f]{64}/);
    expect(statSync(file('a.backup')).mode & 0o777).toBe(0o600);
    const text = readFileSync(file('a.backup')).subarray(0, HEADER_BYTES).toString();
    expect(JSON.parse(text)).toMatchObject({ kind: 'cluster', postgres: 18 });
    for (const secret of Object.values(secrets)) expect(text).not.toContain(secret);
  });

  it('is not written over a file, nor from nothing', async () => {
    const again = operate(['back-up', file('a.backup')], directory('one'));
    await expect(again).rejects.toThrow('overwrites no file');
    const nothing = operate(['back-up', file('b.backup')], directory('empty'));
    await expect(nothing).rejects.toThrow('There is no secrets.json in DATA_DIR');
    expect(existsSync(file('empty'))).toBe(false);
    await expect(operate(['back-up'], directory('one'))).rejects.toThrow('Usage');
    const two = operate(['back-up', file('b.backup'), file('c.backup')], directory('one'));
    await expect(two).rejects.toThrow(/^Unexpected: ".*c\.backup"\.\n\nUsage/);
    expect(existsSync(file('b.backup'))).toBe(false);
  });

  it('is not restored under a running one, with other secrets, from a damaged file, or elsewhere', async () => {
    const restore = (name: string, settings: Record<string, string>) =>
      operate(['restore', file(name)], settings);
    await expect(restore('a.backup', directory('one'))).rejects.toThrow('is in use');
    const other = { ...directory('two'), PEPPER: 'q'.repeat(32) };
    await expect(restore('a.backup', other)).rejects.toThrow(
      'not the secrets of the backup: PEPPER is not the one',
    );
    const damaged = readFileSync(file('a.backup'));
    damaged[HEADER_BYTES + 1_000]! ^= 1;
    writeFileSync(file('damaged.backup'), damaged);
    await expect(restore('damaged.backup', directory('two'))).rejects.toThrow('is damaged');
    writeFileSync(file('cut.backup'), damaged.subarray(0, -1));
    await expect(restore('cut.backup', directory('two'))).rejects.toThrow('is damaged');
    writeFileSync(file('other.backup'), 'PGDMP');
    await expect(restore('other.backup', directory('two'))).rejects.toThrow('is no backup');
    await expect(restore('none.backup', directory('two'))).rejects.toThrow('cannot be read');
    const external = { DATABASE_URL: server.url };
    await expect(restore('a.backup', external)).rejects.toThrow('without DATABASE_URL');
    await expect(operate(['restore', 'x', '--force'], external)).rejects.toThrow('Usage');
    const drawn = operate(['restore', file('a.backup')], { ...directory('drawn'), PEPPER: '' });
    await expect(drawn).rejects.toThrow('There is no secrets.json in DATA_DIR');
    expect(existsSync(file('drawn'))).toBe(false);
  });

  it('is restored into an empty directory, and over another one with --replace only', async () => {
    const args = ['restore', file('a.backup')];
    expect(await operate(args, directory('two'))).toMatch(/^The database is that of 20/);
    await expect(operate(args, directory('two'))).rejects.toThrow('With --replace');
    const said = await operate([...args, '--replace'], directory('two'));
    expect(said).toMatch(/The former database is in \S+postgres\.before-\S+\./);
    const [, former = ''] = /is in (\S+)\. Delete/.exec(said) ?? [];
    await rm(former, { recursive: true });
    const two = await startEmbeddedPostgres({ directory: join(place, 'two') });
    try {
      const count = 'SELECT count(*) FROM dispatch.secret_fingerprints';
      expect(await query(two.url, count)).toEqual(await query(server.url, count));
    } finally {
      await two.stop();
    }
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Fake programs of PostgreSQL, as these commands see them. */
function play(name: string, major: number, pg_dump: string, pg_restore = pg_dump): string {
  const folder = join(place, name);
  mkdirSync(folder);
  for (const [program, body] of Object.entries({ pg_dump, pg_restore })) {
    const path = join(folder, program);
    const version = `[ "$1" = --version ] && echo "${program} (PostgreSQL) ${major}.1" && exit`;
    writeFileSync(path, `#!/bin/sh\n${version}\n${body}\n`);
    chmodSync(path, 0o755);
  }
  return folder;
}

describe('a database of DATABASE_URL', () => {
  it('wants the client programs of its own version', async () => {
    const old = play('old', 15, 'exit 1');
    const right = play('right', 97, 'exit 1');
    const path = [old, right].join(delimiter);
    expect(await findClient('pg_dump', 97, path)).toBe(join(right, 'pg_dump'));
    const missing = findClient('pg_restore', 98, path);
    await expect(missing).rejects.toThrow(
      `pg_restore of PostgreSQL 98 is needed, the version of the server. Found: version 15 in ${old}`,
    );
    await expect(missing).rejects.toThrow('postgresql-client-98');
  });

  it('goes through them, with the password out of sight', async () => {
    const seen = file('seen');
    const note = `echo "$* $PGPASSWORD" >> ${seen}`;
    const clients = play('played', 18, `${note}; echo the dump`, `${note}; cat >> ${seen}`);
    process.env['PATH'] = [clients, PATH].join(delimiter);
    await query(server.url, 'CREATE DATABASE apart');
    const url = new URL(server.url);
    await operate(['back-up', file('d.backup')], { DATABASE_URL: server.url });
    await expect(
      operate(['restore', file('d.backup')], { DATABASE_URL: server.url }),
    ).rejects.toThrow(/is not empty: it has \d+ tables/);
    url.pathname = '/apart';
    await operate(['restore', file('d.backup')], { DATABASE_URL: url.toString() });
    const lines = readFileSync(seen, 'utf8').split('\n');
    expect(lines[0]).toMatch(/--format=custom .*\/postgres /);
    expect(lines[1]).toMatch(/--single-transaction .*\/apart /);
    expect(lines[2]).toBe('the dump');
    for (const line of lines.slice(0, 2)) {
      const [args = '', password] = [line.slice(0, line.lastIndexOf(' ')), line.split(' ').at(-1)];
      expect(password).toBe(url.password);
      expect(args).not.toContain(url.password);
    }
  });

  it('reports the message of a failed program, and leaves no file', async () => {
    process.env['PATH'] = play('failing', 18, 'echo no rights >&2; exit 1');
    const failed = operate(['back-up', file('e.backup')], { DATABASE_URL: server.url });
    await expect(failed).rejects.toThrow('failed: no rights');
    expect(() => statSync(file('e.backup.unfinished'))).toThrow('ENOENT');
  });

  it('is not read for a file that cannot be written', async () => {
    process.env['PATH'] = play('unasked', 18, `echo asked > ${file('asked')}; exit 1`);
    writeFileSync(file('f.backup'), 'kept');
    const to = (name: string) => operate(['back-up', file(name)], { DATABASE_URL: server.url });
    await expect(to('f.backup')).rejects.toThrow('overwrites no file');
    await expect(to('nowhere/f.backup')).rejects.toThrow('cannot be written');
    expect(existsSync(file('asked'))).toBe(false);
    expect(readFileSync(file('f.backup'), 'utf8')).toBe('kept');
  });

  it('stops when the reader of the dump has gone', async () => {
    process.env['PATH'] = PATH;
    const folder = play('endless', 18, `echo $$ > ${file('pid')}; exec yes`);
    const content = dump(join(folder, 'pg_dump'), server.url);
    await once(content, 'readable');
    const pid = Number(readFileSync(file('pid'), 'utf8'));
    content.destroy();
    await waitUntil('its end', () => !isAlive(pid));
  });
});

describe('the file of a backup', () => {
  const bytes = Buffer.from('0123456789');

  it('gets every byte from a disk that takes a few at a time', async () => {
    const disk = Buffer.alloc(12, '-');
    const write = (from: Buffer, offset: number, length: number, position: number) => {
      const bytesWritten = from.copy(disk, position, offset, offset + Math.min(length, 3));
      return Promise.resolve({ bytesWritten, buffer: from });
    };
    await writeAll({ write } as never, bytes, 2);
    expect(disk.toString()).toBe('--0123456789');
  });

  it('is refused by a disk that takes no more', async () => {
    const write = () => Promise.resolve({ bytesWritten: 0, buffer: bytes });
    const writing = writeAll({ write } as never, bytes, 0);
    await expect(writing).rejects.toThrow('takes no more');
  });
});
