import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createClient } from '../pool.js';
import { unpackFile } from './cluster-archive.js';
import { renewIdentity } from './cluster-identity.js';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres.js';
import { FORGET_PASSWORD, packCluster } from './prepared-cluster.js';
import { serverAccount, type ServerAccount } from './server-account.js';

let place: string;
let file: string;
let directory: string;
let servers: EmbeddedPostgres[];

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = createClient({ url, applicationName: 'spec' });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'watchword prepared '));
  await chmod(place, 0o755);
  file = join(place, 'prepared.tar');
  const server = await startEmbeddedPostgres({ directory: join(place, 'original') });
  await query(server.url, `CREATE TABLE kept AS SELECT 42 AS answer; ${FORGET_PASSWORD}`);
  await server.stop();
  await packCluster(server.directory, file);
  await server.destroy();
});

afterAll(() => rm(place, { recursive: true, force: true }));

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'watchword copies '));
  // For the account of the server, where we are root.
  await chmod(directory, 0o755);
  servers = [];
});

afterEach(async () => {
  for (const server of servers) await server.stop();
  await rm(directory, { recursive: true, force: true });
});

async function startCopy(name: string, from: string | undefined): Promise<Error[]> {
  const errors: Error[] = [];
  const prepared = {
    find: async () => from,
    onUnusable: (error: Error) => void errors.push(error),
  };
  servers.push(await startEmbeddedPostgres({ directory: join(directory, name), prepared }));
  return errors;
}

/** Returns the files of the prepared cluster and the name of its file of the log. */
async function unpacked(account?: ServerAccount): Promise<{ cluster: string; logFile: string }> {
  const cluster = join(directory, 'unpacked');
  await mkdir(cluster);
  if (account) await chown(cluster, account.uid, account.gid);
  await unpackFile(file, cluster, account);
  const names = await readdir(join(cluster, 'pg_wal'));
  const [logFile = ''] = names.filter((name) => /^[0-9A-F]{24}$/.test(name));
  return { cluster, logFile };
}

describe('a cluster that is copied from a prepared one', () => {
  it('has its content, and an identity and a password of its own', async () => {
    const identities: unknown[] = [];
    const nonces: string[] = [];
    for (const name of ['one', 'two']) {
      expect(await startCopy(name, file)).toEqual([]);
      const { url, directory: cluster } = servers.at(-1)!;
      expect(await query(url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
      const [row] = await query(url, 'SELECT system_identifier::text FROM pg_control_system()');
      identities.push(row?.['system_identifier']);
      const control = await readFile(join(cluster, 'global/pg_control'));
      nonces.push(control.toString('hex', 257, 289));
      const other = new URL(url);
      other.password = 'guess';
      await expect(query(other.toString(), 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
      expect((await stat(cluster)).mode & 0o777).toBe(0o700);
    }
    expect(new Set(identities).size).toBe(2);
    expect(new Set(nonces).size).toBe(2);
    const [one, two] = servers.map(({ url }) => new URL(url));
    expect(one?.password).not.toBe(two?.password);
    const mixed = new URL(one!);
    mixed.password = two!.password;
    await expect(query(mixed.toString(), 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
  });

  it('survives a crash after its first write', async () => {
    await startCopy('one', file);
    await query(servers[0]!.url, 'UPDATE kept SET answer = 43');
    const { pid } = servers[0]!;
    process.kill(pid, 'SIGQUIT');
    await servers[0]!.stop();
    await startCopy('one', file);
    expect(await query(servers[1]!.url, 'SELECT answer FROM kept')).toEqual([{ answer: 43 }]);
  });
});

describe('a prepared cluster', () => {
  it('is never made of a server that was killed', async () => {
    await startCopy('one', file);
    servers[0]!.abort();
    await servers[0]!.stop();
    const packed = packCluster(servers[0]!.directory, join(directory, 'killed.tar'));
    await expect(packed).rejects.toThrow('was killed, not shut down');
    expect(await readdir(directory)).toEqual(['one']);
  });
});

if (process.getuid?.() === 0) {
  it('root writes nothing where a link in a copied cluster leads', async () => {
    const account = await serverAccount();
    const { cluster, logFile } = await unpacked(account);
    const ofRoot = join(directory, 'of root');
    await rename(join(cluster, 'pg_wal', logFile), ofRoot);
    await chown(ofRoot, 0, 0);
    await symlink(ofRoot, join(cluster, 'pg_wal', logFile));
    const before = (await readFile(ofRoot)).subarray(0, 64);
    await expect(renewIdentity(cluster, account)).rejects.toThrow('EACCES');
    expect((await readFile(ofRoot)).subarray(0, 64)).toEqual(before);
  });
}
