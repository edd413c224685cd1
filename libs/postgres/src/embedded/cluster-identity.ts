import { randomBytes } from 'node:crypto';
import { open, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where PostgreSQL 18 keeps what tells one cluster from another (`pg_control.h`). */
const CONTROL_FILE = join('global', 'pg_control');
const CONTROL_VERSION = 1_800;
const IDENTIFIER_AT = 0;
const VERSION_AT = 8;
const NONCE_AT = 257;
const NONCE_BYTES = 32;
const CHECKSUM_AT = 292;
/** The first page of each file of the write-ahead log names its cluster, too (`xlog_internal.h`). */
const LOG_IDENTIFIER_AT = 24;
const LOG_FILE = /^[0-9A-F]{24}$/;

/**
 * Gives a copied cluster an identity of its own, as `initdb` would have drawn it: the identifier,
 * by which backups and replicas tell clusters apart, and the nonce, by which the server hides which
 * users exist. No server may run on it. Throws for a cluster of another layout.
 */
export async function renewIdentity(cluster: string): Promise<void> {
  const file = join(cluster, CONTROL_FILE);
  const control = await readFile(file);
  const version = control.readUInt32LE(VERSION_AT);
  const checksum = control.readUInt32LE(CHECKSUM_AT);
  if (version !== CONTROL_VERSION || checksum !== crc32c(control.subarray(0, CHECKSUM_AT))) {
    throw new Error(`${file} has an unknown layout (version ${version})`);
  }
  const before = control.readBigUInt64LE(IDENTIFIER_AT);
  const identifier = drawIdentifier();
  control.writeBigUInt64LE(identifier, IDENTIFIER_AT);
  randomBytes(NONCE_BYTES).copy(control, NONCE_AT);
  control.writeUInt32LE(crc32c(control.subarray(0, CHECKSUM_AT)), CHECKSUM_AT);
  await writeFile(file, control);
  const log = join(cluster, 'pg_wal');
  for (const name of await readdir(log)) {
    if (LOG_FILE.test(name)) await renameLogFile(join(log, name), before, identifier);
  }
}

async function renameLogFile(path: string, before: bigint, identifier: bigint): Promise<void> {
  const file = await open(path, 'r+');
  try {
    const { buffer } = await file.read(Buffer.alloc(8), 0, 8, LOG_IDENTIFIER_AT);
    if (buffer.readBigUInt64LE() !== before) throw new Error(`${path} is of another cluster`);
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

const CASTAGNOLI = 0x82_f6_3b_78;

/** The checksum of PostgreSQL's control file. */
function crc32c(bytes: Uint8Array): number {
  let crc = 0xff_ff_ff_ff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? CASTAGNOLI : 0);
  }
  return (crc ^ 0xff_ff_ff_ff) >>> 0;
}
