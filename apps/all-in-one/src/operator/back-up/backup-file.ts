import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, type FileHandle, open, rename, rm } from 'node:fs/promises';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Fingerprint, UserError } from '@watchword/host';

/** Bytes. `tail -c +8193 <file>` prints what PostgreSQL's own tools read. */
const HEADER_BYTES = 8192;
const FORMAT = 'watchword-backup';
const VERSION = 1;
/** No other user of this machine may read phone numbers and texts. */
const MODE = 0o600;

export interface BackupInfo {
  /** `cluster`: gzip of a base backup's tar archive. `dump`: gzip of `pg_dump --format=custom`. */
  kind: 'cluster' | 'dump';
  made_at: string;
  /** Major version of the server. */
  postgres: number;
  /** Architecture. A cluster starts only on the same one. */
  machine: string;
  /** Roles that own things or have rights in the database. */
  roles: string[];
  /** Fingerprints of the secrets, by schema, as the database has them. */
  fingerprints: Record<string, Fingerprint[]>;
}

export interface BackupHeader extends BackupInfo {
  format: typeof FORMAT;
  version: typeof VERSION;
  bytes: number;
  sha256: string;
}

/** Called with the number of bytes that have passed. */
export type Passed = (bytes: number) => void;

/**
 * Writes the file under another name first, so a file with the given name is complete. The content
 * is requested once the file is open.
 */
export async function writeBackup(
  path: string,
  info: BackupInfo,
  openContent: () => Promise<Readable>,
  passed: Passed,
): Promise<BackupHeader> {
  await refuseExisting(path);
  const unfinished = `${path}.unfinished`;
  const file = await openNew(unfinished);
  try {
    await writeAll(file, Buffer.alloc(HEADER_BYTES, ' '), 0);
    const { bytes, sha256 } = await copy(await openContent(), file, passed);
    const header: BackupHeader = { format: FORMAT, version: VERSION, ...info, bytes, sha256 };
    const line = Buffer.from(JSON.stringify(header));
    if (line.length >= HEADER_BYTES) throw new Error('The header of the backup is too long.');
    await writeAll(file, line, 0);
    await writeAll(file, Buffer.from('\n'), HEADER_BYTES - 1);
    await file.sync();
    const { size } = await file.stat();
    if (size !== HEADER_BYTES + bytes) {
      throw new UserError(`${path} was not written completely: it has ${size} bytes.`);
    }
    await file.close();
    await rename(unfinished, path);
    return header;
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(unfinished, { force: true });
    throw error;
  }
}

async function refuseExisting(path: string): Promise<void> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (isThere) throw new UserError(`${path} exists. A backup overwrites no file.`);
}

async function openNew(path: string): Promise<FileHandle> {
  try {
    const file = await open(path, 'w', MODE);
    await file.chmod(MODE);
    return file;
  } catch (error) {
    throw new UserError(`${path} cannot be written: ${(error as Error).message}`);
  }
}

async function copy(content: Readable, file: FileHandle, passed: Passed) {
  const hash = createHash('sha256');
  let bytes = 0;
  await pipeline(content, async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      hash.update(chunk);
      await writeAll(file, chunk, HEADER_BYTES + bytes);
      bytes += chunk.length;
      passed(bytes);
    }
  });
  return { bytes, sha256: hash.digest('hex') };
}

/** A full disk accepts the first part of a chunk without an error, and refuses the rest. */
export async function writeAll(
  file: Pick<FileHandle, 'write'>,
  bytes: Buffer,
  position: number,
): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    if (bytesWritten === 0) throw new Error('The disk takes no more bytes.');
    done += bytesWritten;
  }
}

export async function readHeader(path: string): Promise<BackupHeader> {
  const file = await open(path, 'r').catch((error: Error) => {
    throw new UserError(`${path} cannot be read: ${error.message}`);
  });
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
    const header = parse(buffer.subarray(0, bytesRead).toString());
    if (header === undefined) throw new UserError(`${path} is no backup of Watchword.`);
    if (header.version !== VERSION) {
      throw new UserError(`${path} was made by a newer program. Restore it with that one.`);
    }
    return header;
  } finally {
    await file.close();
  }
}

function parse(text: string): BackupHeader | undefined {
  try {
    const header = JSON.parse(text) as BackupHeader;
    return header.format === FORMAT ? header : undefined;
  } catch {
    return undefined;
  }
}

/** Reads the whole content once, before anything is changed. */
export async function checkContent(
  path: string,
  header: BackupHeader,
  passed: Passed,
): Promise<void> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of contentOf(path)) {
    hash.update(chunk as Buffer);
    bytes += (chunk as Buffer).length;
    passed(bytes);
  }
  if (bytes === header.bytes && hash.digest('hex') === header.sha256) return;
  throw new UserError(
    `${path} is damaged: it has ${bytes} of ${header.bytes} bytes, and its checksum is wrong.`,
  );
}

export function contentOf(path: string): Readable {
  return createReadStream(path, { start: HEADER_BYTES, highWaterMark: 1024 * 1024 });
}

/** Returns a stream that counts what passes. */
export function counting(passed: Passed): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      passed(bytes);
      done(null, chunk);
    },
  });
}
