import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where PostgreSQL 18 keeps the state of a cluster, and what tells it from others (`pg_control.h`). */
const CONTROL_FILE = join('global', 'pg_control');
const CONTROL_VERSION = 1_800;
const IDENTIFIER_AT = 0;
const VERSION_AT = 8;
const STATE_AT = 16;
const NONCE_AT = 257;
const CHECKSUM_AT = 292;
const SHUT_DOWN = 1;

/** The control file of a cluster that no server uses. Throws for one of another layout. */
export class ControlFile {
  private constructor(
    private readonly path: string,
    private readonly content: Buffer,
  ) {}

  static async of(cluster: string): Promise<ControlFile> {
    const path = join(cluster, CONTROL_FILE);
    const content = await readFile(path);
    const version = content.readUInt32LE(VERSION_AT);
    const checksum = content.readUInt32LE(CHECKSUM_AT);
    if (version !== CONTROL_VERSION || checksum !== crc32c(content.subarray(0, CHECKSUM_AT))) {
      throw new Error(`${path} has an unknown layout (version ${version})`);
    }
    return new ControlFile(path, content);
  }

  /** False after a crash and after an immediate shutdown: the next start has to recover. */
  get isShutDown(): boolean {
    return this.content.readUInt32LE(STATE_AT) === SHUT_DOWN;
  }

  get identifier(): bigint {
    return this.content.readBigUInt64LE(IDENTIFIER_AT);
  }

  async renew(identifier: bigint, nonce: Buffer): Promise<void> {
    this.content.writeBigUInt64LE(identifier, IDENTIFIER_AT);
    nonce.copy(this.content, NONCE_AT);
    this.content.writeUInt32LE(crc32c(this.content.subarray(0, CHECKSUM_AT)), CHECKSUM_AT);
    await writeFile(this.path, this.content);
  }
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
