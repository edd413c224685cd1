import { setTimeout as sleep } from 'node:timers/promises';
import type { MessageId } from '@watchword/contracts';
import type { Message } from '../messages/message.js';
import type { Change } from '../messages/message-changes.handler.js';

/** Milliseconds. A report that waits longer for the outcome of its call is written by itself. */
const REPORT_KEPT_MS = 100;

/** A report that came before the outcome of its call was on record. */
interface EarlyReport {
  /** Null where the carrier named only its own id. */
  readonly messageId: MessageId | null;
  readonly providerMessageId: string | null;
  readonly change: Change;
  /** Takes the message once the report is on record. Null: it has to be written by itself. */
  readonly resolve: (message: Message | null) => void;
}

interface OpenCall {
  count: number;
  readonly reports: EarlyReport[];
  readonly awaited: AwaitedReport[];
}

/** A call that ends when a report names its message. */
interface AwaitedReport {
  readonly messageId: MessageId;
  readonly arrived: () => void;
}

/** Names a call: account and destination. */
export interface CallKey {
  readonly provider: string;
  readonly destination: string;
}

/**
 * The calls to carriers without a recorded outcome. A delivery report can overtake the
 * answer to its call by milliseconds. It waits here, and outcome and report become one write.
 *
 * - A report waits while any call to its account and destination is open, and `REPORT_KEPT_MS` at
 *   most. The change of a call's outcome takes those that name its message or its carrier's id.
 * - A report may be written by itself although a change took it, when its wait ends before that
 *   change is on record. Applying it twice changes nothing.
 */
export class OpenCalls {
  private readonly calls = new Map<string, OpenCall>();

  has(key: CallKey): boolean {
    return this.calls.has(nameOf(key));
  }

  /** Runs from before the call until its outcome is recorded. */
  async during<Result>(
    key: CallKey,
    work: (reports: EarlyReports) => Promise<Result>,
  ): Promise<Result> {
    const name = nameOf(key);
    const entry = this.calls.get(name) ?? { count: 0, reports: [], awaited: [] };
    this.calls.set(name, entry);
    entry.count += 1;
    try {
      return await work(new EarlyReports(entry));
    } finally {
      entry.count -= 1;
      if (entry.count === 0) {
        this.calls.delete(name);
        for (const { resolve } of entry.reports) resolve(null);
      }
    }
  }

  /**
   * Resolves with the message once the report is on record with the outcome of its call. Resolves
   * with null if the report has to be written by itself.
   */
  async join(key: CallKey, report: Omit<EarlyReport, 'resolve'>): Promise<Message | null> {
    const entry = this.calls.get(nameOf(key));
    if (!entry) return null;
    const { promise, resolve } = Promise.withResolvers<Message | null>();
    const early = { ...report, resolve };
    entry.reports.push(early);
    for (const one of entry.awaited) if (one.messageId === report.messageId) one.arrived();
    const tooLong = setTimeout(resolve, REPORT_KEPT_MS, null);
    const joined = await promise;
    clearTimeout(tooLong);
    entry.reports.splice(entry.reports.indexOf(early), 1);
    return joined;
  }
}

/** The reports that wait for one call, among those to its account and destination. */
export class EarlyReports {
  private claimed: EarlyReport[] = [];

  constructor(private readonly call: OpenCall) {}

  /** Resolves when a report names the message, after `ms` at the latest, or when the signal aborts. */
  async arrival(messageId: MessageId, ms: number, signal: AbortSignal): Promise<void> {
    const { awaited } = this.call;
    const ended = new AbortController();
    const one = { messageId, arrived: () => ended.abort() };
    awaited.push(one);
    const end = AbortSignal.any([signal, ended.signal]);
    await sleep(ms, undefined, { signal: end }).catch(() => undefined);
    awaited.splice(awaited.indexOf(one), 1);
  }

  /**
   * Returns the change that applies the reports on this call, by the carrier's ids of it. It takes
   * those that wait when it is decided, just before the write; it may be decided again.
   */
  claim(messageId: MessageId, ids: readonly string[]): Change {
    const isMeant = (report: EarlyReport) =>
      report.messageId === null
        ? report.providerMessageId !== null && ids.includes(report.providerMessageId)
        : report.messageId === messageId;
    return (message, at) => {
      this.claimed = this.call.reports.filter(isMeant);
      return this.claimed.reduce((next, { change }) => change(next, at), message);
    };
  }

  /** Settles the reports of the last decision: they are on record. */
  recorded(message: Message): void {
    for (const { resolve } of this.claimed) resolve(message);
  }
}

const nameOf = ({ provider, destination }: CallKey): string => `${provider} ${destination}`;
