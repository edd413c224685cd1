import { PassThrough, type Readable } from 'node:stream';
import { Client, Query } from 'pg';

/** Tags of the messages in which PostgreSQL sends a base backup. */
const ARCHIVE_BEGINS = 'n'.charCodeAt(0);
const DATA = 'd'.charCodeAt(0);
const PROGRESS = 'p'.charCodeAt(0);
const COUNT_BYTES = 8;

/** PostgreSQL keeps the WAL that the copy needs until the session ends. */
const KEEP_WAL = 'CREATE_REPLICATION_SLOT watchword_backup_PID TEMPORARY PHYSICAL RESERVE_WAL';
const BASE_BACKUP =
  "BASE_BACKUP (LABEL 'watchword', PROGRESS true, CHECKPOINT 'fast', WAL true, MANIFEST 'no')";

export interface BaseBackup {
  /** A tar archive of the whole cluster, as of its end. */
  readonly archive: Readable;
  /** Bytes sent so far, and an estimate of the total. */
  progress(): { done: number; total: number };
}

/**
 * Copies a running cluster without stopping it, as `pg_basebackup` does. The URL's user is a
 * superuser or has the replication right. A failure ends the archive with the error.
 */
export async function startBaseBackup(url: string): Promise<BaseBackup> {
  // The types of `pg` lack the setting.
  const config = { connectionString: url, application_name: 'watchword-backup' };
  const client = new Client({ ...config, replication: 'true' } as object);
  client.on('error', () => undefined);
  await client.connect();
  const archive = new PassThrough({ highWaterMark: 1024 * 1024 });
  try {
    await client.query(KEEP_WAL.replace('PID', String(process.pid)));
  } catch (error) {
    await client.end();
    throw error;
  }
  const query = new BaseBackupQuery(archive, (error) => {
    void client.end().catch(() => undefined);
    if (error) archive.destroy(error);
    else archive.end();
  });
  client.query(query);
  return { archive, progress: () => ({ done: query.done, total: query.total }) };
}

interface CopyConnection {
  stream: { pause(): void; resume(): void };
}

class BaseBackupQuery extends Query {
  done = 0;
  total = 0;
  private archives = 0;
  private isWaiting = false;

  constructor(
    private readonly archive: PassThrough,
    callback: (error: Error | null) => void,
  ) {
    super(BASE_BACKUP, undefined, callback as never);
  }

  /** One row per tablespace, with its size in kilobytes. */
  handleDataRow(message: { fields: (Buffer | string | null)[] }): void {
    const [, , kilobytes] = message.fields.map(String);
    const size = Number(kilobytes) * 1024;
    if (message.fields.length === 3 && size > 0) this.total += size;
  }

  /** The driver reuses the buffer, so its content is copied. */
  handleCopyData({ chunk }: { chunk: Buffer }, { stream }: CopyConnection): void {
    const [tag] = chunk;
    if (tag === PROGRESS) this.done = Number(chunk.readBigUInt64BE(chunk.length - COUNT_BYTES));
    else if (tag === ARCHIVE_BEGINS) this.begin();
    else if (tag === DATA && !this.archive.write(Buffer.from(chunk.subarray(1)))) {
      this.waitFor(stream);
    }
  }

  /** Pauses the connection. Messages that have arrived already are still handled. */
  private waitFor(stream: CopyConnection['stream']): void {
    if (this.isWaiting) return;
    this.isWaiting = true;
    stream.pause();
    const goOn = () => {
      this.isWaiting = false;
      this.archive.off('drain', goOn).off('close', goOn);
      stream.resume();
    };
    this.archive.once('drain', goOn).once('close', goOn);
  }

  private begin(): void {
    this.archives += 1;
    if (this.archives === 1) return;
    this.archive.destroy(new Error('The cluster has tablespaces outside its directory.'));
  }
}
