import { Inject, Injectable } from '@nestjs/common';
import { MicroBatcher } from '@watchword/batching';
import { isTransient } from '@watchword/bus';
import { CLOCK, NextPoll } from '@watchword/platform';
import {
  type Clock,
  type DeliveryReport,
  isUuid,
  lowerId,
  type MessageId,
} from '@watchword/contracts';
import { crashPoint, traceStep, traceSteps } from '@watchword/observability';
import { type Change, MessageChanges } from '../messages/message-changes.handler.js';
import type { Attempt, Message } from '../messages/message.js';
import { RecentMessages } from '../messages/recent-messages.js';
import { type CallKey, OpenCalls } from '../sending/open-calls.js';
import { RECEIPT_WAIT_MS } from '../sending/failover.policy.js';
import { StartResendHandler } from '../sending/start-resend.handler.js';
import { UnmappedCodes } from '../sending/unmapped-codes.js';
import { attemptOf, knownReason, withReport } from './delivery-report.policy.js';
import { settledSubmit } from './lost-answer.policy.js';
import { OpenSubmitStore } from './open-submit.store.js';
import { FIRST_CHECK_MS, ParkedReportStore } from './parked-report.store.js';
import { UnmatchedReports } from './unmatched-reports.js';

const BATCH_SIZE_MAX = 256;
const RECHECK_BATCH = 500;
/** Milliseconds between polls when nothing announces a due report. */
const POLL_EVERY_MS = 60_000;
/** Milliseconds; longer than a submit and the wait for its receipt together. */
const LOST_ANSWER_CHECKED_MS = 120_000;

/**
 * Applies delivery reports, many at a time. A report can overtake the answer with the carrier's id:
 * - It waits for a call of this process (`open-calls.ts`).
 * - One that matches no attempt is parked, and checked again later.
 */
@Injectable()
export class DeliveryReportHandler {
  private readonly poll = new NextPoll(POLL_EVERY_MS);
  private readonly writer = new MicroBatcher<DeliveryReport, void>({
    name: 'dispatch.reports',
    flush: async (reports) => {
      await this.applyOrPark(reports);
      return reports.map(() => undefined);
    },
    sizeMax: BATCH_SIZE_MAX,
    // The bus and the windows of the carriers' connections bound it.
    queueMax: Number.POSITIVE_INFINITY,
    // What a failed flush did write changes nothing when it is applied again.
    isolate: (error) => !isTransient(error),
  });

  constructor(
    private readonly changes: MessageChanges,
    private readonly parked: ParkedReportStore,
    private readonly openSubmits: OpenSubmitStore,
    private readonly recent: RecentMessages,
    private readonly openCalls: OpenCalls,
    private readonly unmapped: UnmappedCodes,
    private readonly unmatched: UnmatchedReports,
    private readonly resends: StartResendHandler,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async handle(reports: readonly DeliveryReport[]): Promise<void> {
    for (const { state, provider, reason, raw_code: rawCode } of reports) {
      if (state === 'failed' || reason !== null)
        this.unmapped.note(provider, knownReason(reason), rawCode);
      else if (state === 'enroute') this.unmapped.noteState(provider, rawCode);
    }
    const arrived = reports.map((report) => {
      const one = this.identify(report);
      return { ...one, call: this.callOf(one) };
    });
    const { early = [], others = [] } = Object.groupBy(arrived, ({ call }) =>
      call ? 'early' : 'others',
    );
    const [left] = await Promise.all([
      this.join(early),
      this.write(others.map(({ report }) => report)),
    ]);
    await this.write(left);
  }

  private async write(reports: readonly DeliveryReport[]): Promise<void> {
    await Promise.all(reports.map((report) => this.writer.submit(report)));
  }

  /** A message is remembered as it was last seen, so it is looked up just before the write. */
  private async applyOrPark(reports: readonly DeliveryReport[]): Promise<void> {
    const unmatched = await this.apply(reports.map((report) => this.identify(report)));
    if (unmatched.length === 0) return;
    await this.parked.park(unmatched, new Date(this.clock.now()));
    this.poll.in(FIRST_CHECK_MS);
  }

  /** Remembered messages need no look-up. */
  private identify(report: DeliveryReport): Unlocated {
    const id = messageIdOf(report);
    const message =
      id === null
        ? this.recent.ofProvider(report.provider, report.provider_message_id)
        : this.recent.get(id);
    const known = message && attemptOf(message, report) ? message : undefined;
    return { report, known, id: known?.id ?? id };
  }

  /** Returns the open call of this process that the report may be about, if there is one. */
  private callOf({ report, known }: Unlocated): CallKey | null {
    if (known && attemptOf(known, report)?.outcome !== null) return null;
    const destination = known?.destination ?? report.destination;
    const call = destination ? { provider: report.provider, destination } : null;
    return call && this.openCalls.has(call) ? call : null;
  }

  /**
   * Has reports written with the outcomes that they overtook. Returns those that have to be written
   * by themselves.
   */
  private async join(early: readonly Arrived[]): Promise<DeliveryReport[]> {
    const joined = await Promise.all(early.map((one) => this.joinOne(one)));
    return early.filter((_, index) => !joined[index]).map(({ report }) => report);
  }

  private async joinOne({ report, call }: Arrived): Promise<boolean> {
    if (!call) return false;
    const reported = this.changeBy(report);
    const message = await this.openCalls.join(call, {
      messageId: messageIdOf(report),
      providerMessageId: report.provider_message_id,
      change: reported.change,
    });
    if (!message || !attemptOf(message, report)) return false;
    this.follow(message, reported);
    return true;
  }

  /** A parked report is due then. */
  pollAt(at: Date): void {
    this.poll.at(at, this.clock);
  }

  /** Returns whether more may be due. Does nothing before the next poll is due. */
  async recheckParked(): Promise<boolean> {
    if (!this.poll.isDue) return false;
    this.poll.begin();
    const due = await this.parked.due(new Date(this.clock.now()), RECHECK_BATCH);
    const reports = due.map(({ report }) => report);
    const parked = reports.map((report) => ({ report, id: messageIdOf(report) }));
    const unmatched = new Set((await this.apply(parked)).map((report) => report.report_id));
    if (unmatched.size > 0) this.poll.in(FIRST_CHECK_MS);
    for (const { report, checks } of due) {
      if (unmatched.has(report.report_id)) this.unmatched.note(report, checks);
    }
    const matched = reports.map((report) => report.report_id).filter((id) => !unmatched.has(id));
    await this.parked.remove(matched);
    return reports.length === RECHECK_BATCH;
  }

  /** Applies reports. Returns those that match nothing known. */
  private async apply(reports: Unlocated[]): Promise<DeliveryReport[]> {
    const located = await this.locate(reports);
    const unmatched = located.filter(({ id }) => id === null).map(({ report }) => report);
    const known = located.filter((one): one is Located => one.id !== null);
    crashPoint('dispatch.report.before-change');
    const reported = known.map(({ report }) => this.changeBy(report));
    const messages = await this.changes.apply(
      known.map(({ id, known: message }, index) => {
        const { change } = reported[index]!;
        return { id, known: message, change };
      }),
    );
    crashPoint('dispatch.report.after-change');
    for (const [index, one] of reported.entries()) {
      const message = messages[index];
      const isAbout = message && attemptOf(message, one.report) && !mayBeOfAnother(message, one);
      if (isAbout) this.follow(message, one);
      else unmatched.push(one.report);
    }
    return unmatched;
  }

  private changeBy(report: DeliveryReport): ReportedChange {
    const reported: ReportedChange = {
      report,
      isNews: false,
      reroute: null,
      change: (message, at) => {
        const after = withReport(message, report, at, this.resends.reroute);
        reported.isNews = after !== message;
        const isNew = after.attempts.length > message.attempts.length;
        reported.reroute = isNew ? (after.attempts.at(-1)?.resend ?? null) : null;
        return after;
      },
    };
    return reported;
  }

  /** Traces a report that is on record, and starts the re-route that it began. */
  private follow(message: Message, { report, reroute }: ReportedChange): void {
    const attempt = attemptOf(message, report);
    if (attempt) this.trace(message, attempt, report);
    if (reroute !== null) this.resends.sendRerouted(message, reroute);
  }

  /** Traces a report from its arrival at the gateway. */
  private trace({ id }: Message, { number }: Attempt, report: DeliveryReport): void {
    traceStep(() => ({
      messageId: id,
      step: `report/${report.report_id}`,
      under: traceSteps.submit(number),
      name: `report ${report.state}`,
      kind: 'consumer',
      startedAt: Date.parse(report.received_at),
      endedAt: this.clock.now(),
      failed: report.state === 'failed',
      attributes: { 'watchword.provider': report.provider },
    }));
  }

  private async locate(located: Unlocated[]): Promise<Unlocated[]> {
    const byProviderId = located.filter(({ id }) => id === null);
    const ids = await this.parked.match(byProviderId.map(({ report }) => report));
    byProviderId.forEach((one, index) => {
      one.id = ids[index] ?? null;
    });
    await this.settleLostAnswers(byProviderId.filter(({ id }) => id === null));
    return located;
  }

  /** A receipt can bring the id that the lost answer had. */
  private async settleLostAnswers(unmatched: Unlocated[]): Promise<void> {
    const now = this.clock.now();
    const recent = unmatched.filter(
      ({ report }) =>
        report.destination && now - Date.parse(report.received_at) < LOST_ANSWER_CHECKED_MS,
    );
    const destinations = [...new Set(recent.map(({ report }) => report.destination!))];
    const open = await this.openSubmits.to(destinations, new Date(now));
    for (const one of recent) {
      const settled = settledSubmit(one.report, open, RECEIPT_WAIT_MS);
      if (settled === null) continue;
      one.id = settled.messageId;
      one.report = { ...one.report, attempt: settled.number };
    }
  }
}

/** What a report changes. */
interface ReportedChange {
  readonly report: DeliveryReport;
  readonly change: Change;
  /** Whether the last change did something. */
  isNews: boolean;
  /** Number of the re-route that the last change began. Null where it began none. */
  reroute: number | null;
}

interface Unlocated {
  report: DeliveryReport;
  /** The remembered message. */
  known?: Message | undefined;
  id: MessageId | null;
}

interface Arrived extends Unlocated {
  call: CallKey | null;
}

interface Located extends Unlocated {
  id: MessageId;
}

/**
 * Some carriers use an id again after weeks. A report that changes nothing in the message with its
 * id, and is about another number, can be about one whose answer is still on its way.
 */
function mayBeOfAnother({ destination }: Message, { report, isNews }: ReportedChange): boolean {
  const isNamed = report.message_id !== null || report.destination == null;
  return !isNews && !isNamed && report.destination !== destination;
}

function messageIdOf(report: DeliveryReport): MessageId | null {
  return report.message_id !== null && isUuid(report.message_id)
    ? lowerId(report.message_id)
    : null;
}
