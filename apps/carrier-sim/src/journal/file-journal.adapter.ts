import type { HandsetStore } from '../handset/handset.store.js';
import type { AcceptedMessage, Journal } from './journal.port.js';
import { LineFile, linesOf } from './line-file.js';

/** A message with receipts to come, and the positions of those that are done. */
interface OpenMessage extends AcceptedMessage {
  readonly finished: number[];
}

/** Rarely reached, because a rewrite of a full log takes a quarter of a second. */
const REWRITE_ABOVE_BYTES = 256 * 1_048_576;
/**
 * Milliseconds. A receipt whose line is lost in a kill is only sent again, so its line may wait.
 */
const FINISHED_WAIT_MS = 50;

/**
 * An append-only file of JSON lines: `{message, isOnHandset, target, receipts}` when a message is
 * accepted, `{finished, receipt}` for each receipt that is delivered or abandoned.
 *
 * An answer waits for the line of its message. All lines of one turn of the event loop are one
 * write, without fsync, because the system's cache outlives a killed process. The file is rewritten
 * without finished and forgotten messages at every start, when the message log is cleared, and when
 * it has outgrown 256 MB and doubled since the last time. The new file replaces the old one when it
 * is complete.
 *
 * A failed write ends the process, because a carrier that continues and loses data would be worse.
 */
export class FileJournal implements Journal {
  private readonly open = new Map<string, OpenMessage>();
  private file: LineFile | undefined;
  private rewriteAboveBytes: number;
  private unwritten = '';
  private acts: (() => void)[] = [];
  private soon: NodeJS.Immediate | undefined;
  private later: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(
    private readonly path: string,
    private readonly messages: HandsetStore,
    private readonly rewriteAboveBytesMin = REWRITE_ABOVE_BYTES,
  ) {
    this.rewriteAboveBytes = rewriteAboveBytesMin;
  }

  /** Fills the message log. Returns messages with receipts to come, earliest first. */
  restore(): AcceptedMessage[] {
    let unreadable = 0;
    for (const line of linesOf(this.path)) if (!this.replay(line)) unreadable += 1;
    if (unreadable > 0)
      process.emitWarning(`${this.path}: left out ${unreadable} unreadable lines`);
    for (const [reference, { finished, receipts, ...rest }] of this.open) {
      const left = receipts.filter((_receipt, index) => !finished.includes(index));
      this.open.set(reference, { ...rest, receipts: left, finished: [] });
    }
    this.rewrite();
    return [...this.open.values()].toSorted((a, b) => firstDueMs(a) - firstDueMs(b));
  }

  accepted(accepted: AcceptedMessage): void {
    if (this.isClosed || (!accepted.isOnHandset && accepted.receipts.length === 0)) return;
    this.keepOpen(accepted);
    this.record(acceptedLine(accepted));
  }

  finished(reference: string, receiptIndex: number): void {
    if (this.isClosed || !this.finish(reference, receiptIndex)) return;
    this.record(finishedLine(reference, receiptIndex));
  }

  onceWritten(act: () => void): void {
    if (this.unwritten === '') return act();
    this.acts.push(act);
    this.soon ??= setImmediate(this.write);
  }

  cleared(): void {
    this.write();
    this.rewrite();
  }

  /** Records nothing from now on: receipts dropped at the end are not abandoned. */
  close(): void {
    this.write();
    this.isClosed = true;
    this.file?.close();
    this.file = undefined;
  }

  private replay(line: string): boolean {
    try {
      const entry = JSON.parse(line) as AcceptedMessage | { finished: string; receipt: number };
      if ('finished' in entry) {
        this.finish(entry.finished, entry.receipt);
      } else {
        this.keepOpen(entry);
        if (entry.isOnHandset) this.messages.add(entry.message);
      }
      return true;
    } catch {
      return false;
    }
  }

  private keepOpen(accepted: AcceptedMessage): void {
    if (accepted.receipts.length === 0) return;
    this.open.set(accepted.message.reference, { ...accepted, finished: [] });
  }

  private finish(reference: string, receiptIndex: number): boolean {
    const message = this.open.get(reference);
    if (!message || message.finished.includes(receiptIndex)) return false;
    message.finished.push(receiptIndex);
    if (message.finished.length === message.receipts.length) this.open.delete(reference);
    return true;
  }

  private record(line: string): void {
    this.unwritten += line;
    this.later ??= setTimeout(this.write, FINISHED_WAIT_MS);
  }

  private readonly write = (): void => {
    clearImmediate(this.soon);
    clearTimeout(this.later);
    this.soon = this.later = undefined;
    const { unwritten, acts } = this;
    if (unwritten !== '') {
      this.file!.append(unwritten);
      this.unwritten = '';
      if (this.file!.sizeBytes > this.rewriteAboveBytes) this.rewrite();
    }
    this.acts = [];
    for (const act of acts) act();
  };

  /** Keeps the current log, and messages with receipts to come. */
  private rewrite(): void {
    const file = new LineFile(`${this.path}.new`);
    const toCome = new Map(this.open);
    const log = this.messages.find(undefined, 0).map((message) => {
      const stillOpen = toCome.get(message.reference);
      toCome.delete(message.reference);
      if (stillOpen) return openLines(stillOpen);
      return acceptedLine({ message, isOnHandset: true, receipts: [] });
    });
    const rest = [...toCome.values()].map((message) =>
      openLines({ ...message, isOnHandset: false }),
    );
    file.append([...log, ...rest].join(''));
    file.moveTo(this.path);
    this.file?.close();
    this.file = file;
    this.rewriteAboveBytes = Math.max(this.rewriteAboveBytesMin, 2 * file.sizeBytes);
  }
}

function openLines({ finished, ...accepted }: OpenMessage): string {
  const { reference } = accepted.message;
  return acceptedLine(accepted) + finished.map((index) => finishedLine(reference, index)).join('');
}

function acceptedLine({ message, isOnHandset, target, receipts }: AcceptedMessage): string {
  return `${JSON.stringify({ message, isOnHandset, target, receipts })}\n`;
}

function finishedLine(reference: string, receiptIndex: number): string {
  return `{"finished":"${reference}","receipt":${receiptIndex}}\n`;
}

function firstDueMs({ message, receipts }: AcceptedMessage): number {
  return message.receivedAtMs + receipts[0]!.afterMs;
}
