import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ControlFile } from './control-file.js';
import type { ServerAccount } from './server-account.js';
import { serverEnvironment } from './server-settings.js';

const NONCE_BYTES = 32;
/** The first page of each file of the write-ahead log names its cluster (`xlog_internal.h`). */
const LOG_IDENTIFIER_AT = 24;
const LOG_HEADER_BYTES = 40;
const LOG_FILE = /^[0-9A-F]{24}$/;
/** The same path from the sources and from the compiled files. */
const program = fileURLToPath(
  new URL('../../dist/embedded/cluster-identity.process.js', import.meta.url),
);

/**
 * Gives a copied cluster an identity of its own, as `initdb` would have drawn it: the identifier,
 * by which backups and replicas tell clusters apart, and the nonce, by which the server hides which
 * users exist. No server may run on it. Throws for a cluster of another layout. Another process of
 * the account can put links into the cluster, so the account writes, never root.
 */
export async function renewIdentity(
  cluster: string,
  account: ServerAccount | undefined,
): Promise<void> {
  if (account === undefined) return renewAsWeAre(cluster);
  const args = [program, cluster, String(account.uid), String(account.gid)];
  await promisify(execFile)(process.execPath, args, { cwd: '/', env: serverEnvironment }).catch(
    (error: Error & { stderr?: string }) => {
      throw new Error(error.stderr?.trim() || error.message, { cause: error });
    },
  );
}

export async function renewAsWeAre(cluster: string): Promise<void> {
  const control = await ControlFile.of(cluster);
  const before = control.identifier;
  const identifier = drawIdentifier();
  await control.renew(identifier, randomBytes(NONCE_BYTES));
  const log = join(cluster, 'pg_wal');
  for (const name of await readdir(log)) {
    if (LOG_FILE.test(name)) await renameLogFile(join(log, name), before, identifier);
  }
}

async function renameLogFile(path: string, before: bigint, identifier: bigint): Promise<void> {
  const file = await open(path, 'r+');
  try {
    const { buffer } = await file.read(Buffer.alloc(LOG_HEADER_BYTES), 0, LOG_HEADER_BYTES, 0);
    // A checkpoint makes the next file in advance. PostgreSQL has written nothing into it.
    if (buffer.every((byte) => byte === 0)) return;
    if (buffer.readBigUInt64LE(LOG_IDENTIFIER_AT) !== before) {
      throw new Error(`${path} is of another cluster`);
    }
    buffer.writeBigUInt64LE(identifier);
    await file.write(buffer, 0, 8, LOG_IDENTIFIER_AT);
  } finally {
    await file.close();
  }
}

/** Seconds, microseconds and chance, where PostgreSQL takes twelve bits of the process id. */
function drawIdentifier(): bigint {
  const microseconds = BigInt(Date.now()) * 1_000n;
  const chance = BigInt(randomBytes(4).readUInt32LE());
  return ((microseconds / 1_000_000n) << 32n) | chance;
}
