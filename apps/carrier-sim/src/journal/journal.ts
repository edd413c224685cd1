import { closeSync, fstatSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { HandsetMessage } from '../handset/handset.store.js';
import type { Receipt } from '../outcomes/outcome.js';
import type { CallbackTarget } from '../receipts/callback.adapter.js';

/** A message as the carrier accepted it, with its outstanding receipts. */
export interface AcceptedMessage {
  readonly message: HandsetMessage;
  readonly isOnHandset: boolean;
  /** Absent if the sender requested no receipts. */
  readonly target?: CallbackTarget | undefined;
  /** By due time, which counts from the receipt of the message. */
  readonly receipts: readonly Receipt[];
}

/** About as many messages as the handset keeps; a start reads them in a moment. */
const BYTES_MAX = 64 * 1_048_576;

/**
 * What outlives a kill, as a real carrier keeps what it accepted: a file of JSON lines, an
 * `AcceptedMessage` or `{finished, receipt}` for a receipt that is delivered or abandoned. A line is
 * with the system when its call returns. A file that is full begins anew.
 */
export class Journal {
  private readonly file: number;
  private sizeBytes: number;
  private isClosed = false;

  constructor(private readonly path: string) {
    this.file = openSync(path, 'a', 0o600);
    this.sizeBytes = fstatSync(this.file).size;
  }

  /** Returns the messages that were accepted, oldest first, with the receipts that are not over. */
  restore(): AcceptedMessage[] {
    const kept = new Map<string, AcceptedMessage>();
    const finished = new Map<string, Set<number>>();
    for (const line of readFileSync(this.path, 'utf8').split('\n')) {
      const entry = parsed(line);
      if (entry === undefined) continue;
      if ('message' in entry) {
        kept.set(entry.message.reference, entry);
        finished.set(entry.message.reference, new Set());
      } else finished.get(entry.finished)?.add(entry.receipt);
    }
    this.write();
    return [...kept.values()].map((accepted) => {
      const over = finished.get(accepted.message.reference)!;
      const receipts = accepted.receipts.filter((_, index) => !over.has(index));
      const left = { ...accepted, receipts };
      // Its receipts are counted anew.
      if (over.size > 0) this.accepted(left);
      return left;
    });
  }

  accepted(accepted: AcceptedMessage): void {
    this.write(accepted);
  }

  /** The receipt at this index is delivered or abandoned. */
  finished(reference: string, receipt: number): void {
    this.write({ finished: reference, receipt });
  }

  /** Forgets all messages, and the receipts that they have to come. */
  cleared(): void {
    ftruncateSync(this.file);
    this.sizeBytes = 0;
  }

  /** Records nothing from now on: receipts dropped at the end are not abandoned. */
  close(): void {
    this.isClosed = true;
    closeSync(this.file);
  }

  /** Without an entry, it ends a line that a kill has torn. */
  private write(entry?: object): void {
    if (this.isClosed) return;
    if (this.sizeBytes > BYTES_MAX) this.cleared();
    this.sizeBytes += writeSync(this.file, `${JSON.stringify(entry) ?? ''}\n`);
  }
}

/** Undefined for a line that a kill has torn. */
function parsed(line: string): AcceptedMessage | { finished: string; receipt: number } | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
