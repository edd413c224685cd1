import { appendFileSync, closeSync, fchmodSync, openSync, readSync, renameSync } from 'node:fs';

const CHUNK_BYTES = 1_048_576;
const LINE_FEED = 10;

/**
 * A new file of lines that only its owner may read. It has an unfinished name until it is complete.
 */
export class LineFile {
  sizeBytes = 0;
  private readonly descriptor: number;

  constructor(private readonly unfinishedPath: string) {
    this.descriptor = openSync(unfinishedPath, 'w', 0o600);
    // The mode above applies only to a new file.
    fchmodSync(this.descriptor, 0o600);
  }

  /**
   * Appends lines. They have been given to the system on return, so they survive the process, but
   * not a power failure.
   */
  append(lines: string): void {
    appendFileSync(this.descriptor, lines);
    this.sizeBytes += Buffer.byteLength(lines);
  }

  moveTo(path: string): void {
    renameSync(this.unfinishedPath, path);
  }

  close(): void {
    closeSync(this.descriptor);
  }
}

/**
 * Yields the complete lines of a file; none if there is no file. An unfinished last line is
 * dropped.
 */
export function* linesOf(path: string): Generator<string> {
  const descriptor = openIfThere(path);
  if (descriptor === undefined) return;
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    let rest = Buffer.alloc(0);
    for (let length; (length = readSync(descriptor, chunk)) > 0;) {
      const bytes = Buffer.concat([rest, chunk.subarray(0, length)]);
      let start = 0;
      for (let end; (end = bytes.indexOf(LINE_FEED, start)) >= 0; start = end + 1) {
        yield bytes.toString('utf8', start, end);
      }
      rest = bytes.subarray(start);
    }
  } finally {
    closeSync(descriptor);
  }
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
