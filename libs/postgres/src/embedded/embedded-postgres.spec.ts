import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, waitUntil } from '@watchword/testing';
import { createClient } from '../pool.js';
import { startEmbeddedPostgres } from './embedded-postgres.js';
import type { EmbeddedPostgres } from './embedded-postgres.js';

const isRoot = process.getuid?.() === 0;

let directory: string;
let server: EmbeddedPostgres | undefined;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'watchword with spaces '));
});

afterEach(async () => {
  await server?.stop();
  server = undefined;
  await rm(directory, { recursive: true, force: true });
});

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = createClient({ url, applicationName: 'spec' });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Starts a process that starts a server in `directory`, prints that and waits. */
async function startElsewhere(options = '', wrapper: string[] = []): Promise<ChildProcess> {
  const script = `
    import { startEmbeddedPostgres } from '@watchword/postgres';
    const server = await startEmbeddedPostgres({ directory: process.argv[1], ${options} });
    console.log(server.pid);
    setInterval(() => {}, 1000);
  `;
  const node = [process.execPath, '--input-type=module', '-e', script, directory];
  const [program, ...args] = [...wrapper, ...node] as [string, ...string[]];
  return spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'], cwd: import.meta.dirname });
}

async function firstLine(child: ChildProcess): Promise<string> {
  const [chunk] = (await once(child.stdout!, 'data')) as [Buffer];
  return chunk.toString().trim();
}

describe('the embedded PostgreSQL', () => {
  it('keeps its data and its password, works in a path with spaces, and leaves nothing running', async () => {
    server = await startEmbeddedPostgres({ directory });
    const { pid } = server;
    await query(server.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await server.stop();
    expect(isAlive(pid)).toBe(false);
    server = await startEmbeddedPostgres({ directory });
    expect(await query(server.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    const password = await stat(join(directory, 'postgres-password'));
    expect(password.mode & 0o777).toBe(0o600);
  });

  it('is durable, in UTF-8, on the loopback interface, and closed without the password', async () => {
    server = await startEmbeddedPostgres({ directory });
    const shown = await query(
      server.url,
      `SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'synchronous_commit',
         'full_page_writes', 'listen_addresses', 'server_encoding', 'jit') ORDER BY name`,
    );
    expect(shown.map(({ name, setting }) => `${name}=${setting}`)).toEqual([
      'fsync=on',
      'full_page_writes=on',
      'jit=off',
      'listen_addresses=127.0.0.1',
      'server_encoding=UTF8',
      'synchronous_commit=on',
    ]);
    const other = new URL(server.url);
    other.password = 'guess';
    await expect(query(other.toString(), 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
  });

  it('stops what an earlier run left behind, and starts anew', async () => {
    const parent = await startElsewhere('outliveProcess: true');
    const pid = Number(await firstLine(parent));
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    expect(isAlive(pid)).toBe(true);
    server = await startEmbeddedPostgres({ directory });
    await waitUntil('its end', () => !isAlive(pid));
    expect(await query(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('is restarted at the same address when it is killed', async () => {
    let restarts = 0;
    server = await startEmbeddedPostgres({ directory, onRestart: () => (restarts += 1) });
    const { pid, url } = server;
    process.kill(pid, 'SIGKILL');
    await eventually(() => query(url, 'SELECT 1'));
    expect(server.pid).not.toBe(pid);
    expect(server.url).toBe(url);
    expect(restarts).toBe(1);
  });

  it('shuts down when the process that started it is killed', async () => {
    const parent = await startElsewhere();
    const pid = Number(await firstLine(parent));
    expect(isAlive(pid)).toBe(true);
    parent.kill('SIGKILL');
    await waitUntil('its end', () => !isAlive(pid));
    const log = await readFile(join(directory, 'postgres.log'), 'utf8');
    expect(log).toContain('received fast shutdown request');
  });

  it('refuses a cluster of another major version', async () => {
    await mkdir(join(directory, 'postgres'));
    await writeFile(join(directory, 'postgres', 'PG_VERSION'), '17\n');
    await expect(startEmbeddedPostgres({ directory })).rejects.toThrow(
      /made by PostgreSQL 17, this program brings 18/,
    );
  });

  it('begins again after a kill in the middle of the first start', async () => {
    await mkdir(join(directory, 'postgres.unfinished-1'));
    await writeFile(join(directory, 'postgres.unfinished-1', 'PG_VERSION'), '18\n');
    server = await startEmbeddedPostgres({ directory });
    expect(await query(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    const names = (await readdir(directory)).toSorted();
    expect(names).toEqual(['postgres', 'postgres-password', 'postgres.log']);
  });
});

if (isRoot) {
}
