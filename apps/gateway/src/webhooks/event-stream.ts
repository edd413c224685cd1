import { Readable } from 'node:stream';
import type { WorkspaceId } from '@watchword/contracts';

/** Bytes that may wait for a slow reader. It is cut off then, and resumes with its last id. */
const WAITING_BYTES_MAX = 1_048_576;
/** Milliseconds after which a browser connects again. */
const RETRY_MS = 2_000;

const NUMBER = /"sequence":(\d+)\}$/;

/** Returns the number of an event, which is the last member of its body. */
export function sequenceOf(body: string): number {
  return Number(NUMBER.exec(body)?.[1]);
}

/** One open answer, as server-sent events. */
export class EventStream extends Readable {
  constructor(
    readonly workspaceId: WorkspaceId,
    readonly token: string,
    /** Number of the last event that was sent. */
    public after: number,
  ) {
    super();
    this.push(`retry: ${RETRY_MS}\nid: ${after}\n\n`);
  }

  /** What is sent comes by itself. */
  override _read(): void {
    return;
  }

  send(body: string): void {
    const sequence = sequenceOf(body);
    if (!(sequence > this.after)) return;
    this.after = sequence;
    this.write(`id: ${sequence}\ndata: ${body}\n\n`);
  }

  /** Makes a reader that is too far behind load its page again, and goes on from `sequence`. */
  reset(sequence: number): void {
    this.after = sequence;
    this.write(`event: reset\nid: ${sequence}\ndata: {}\n\n`);
  }

  /** Keeps proxies from closing a connection on which nothing happens. */
  beat(): void {
    this.write(': \n\n');
  }

  end(): void {
    if (!this.destroyed) this.push(null);
  }

  private write(text: string): void {
    if (this.destroyed) return;
    this.push(text);
    if (this.readableLength > WAITING_BYTES_MAX) this.destroy();
  }
}
