import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { CLOCK, every, LOGGER, type Periodic } from '@watchword/platform';
import { DispatchDueWorkStore } from './due-work.store.js';
import { DUE_EMAILS_EVERY_MS, DueEmailsJob } from './emails/due-emails.job.js';
import { DueEmailsPoll } from './emails/due-emails-poll.js';
import { EmailSender } from './emails/email-sender.js';
import { PrefixAnomalyJob } from './fraud/prefix-guard/prefix-anomaly.job.js';
import { CHECK_EVERY_MS } from './fraud/prefix-guard/prefix-anomaly.policy.js';
import { PurgeJob } from './purge.job.js';
import { DeliveryReportHandler } from './receipts/delivery-report.handler.js';
import { DomainChecksJob } from './registrations/domains/domain-checks.job.js';
import { RETENTION_EVERY_MS, RetentionJob } from './retention/retention.job.js';
import { DUE_EVERY_MS, DueMessagesJob } from './scheduling/due-messages.job.js';
import { HEARTBEAT_MS, RecoveryJob, STRAY_AFTER_MS } from './sending/recovery.job.js';
import { Sender } from './sending/sender.js';
import { CarrierControls } from './carrier-controls/carrier-controls.js';
import { HoldCommandsHandler } from './suspensions/hold-commands.handler.js';
import { USAGE_EVERY_MS, UsageJob } from './usage/usage.job.js';
import { OtpExpiryJob } from './verification/otp-expiry.job.js';

/** Milliseconds between polls for due work, in one statement. */
const POLL_EVERY_MS = 2_000;
/** Milliseconds; longer than the pause, so work that comes due in between is known before. */
const POLL_AHEAD_MS = 3_000;
/**
 * Milliseconds of accuracy for times that a job knows. It asks the database only when one has come.
 */
const EXPIRY_EVERY_MS = 500;
const PARKED_EVERY_MS = 250;
/** Milliseconds between runs of the other jobs without a hint. */
const UNASKED_EVERY_MS = 60_000;

@Injectable()
export class DispatchJobs {
  private running: Periodic[] = [];

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly dueWork: DispatchDueWorkStore,
    private readonly sender: Sender,
    private readonly recovery: RecoveryJob,
    private readonly due: DueMessagesJob,
    private readonly controls: CarrierControls,
    private readonly expiry: OtpExpiryJob,
    private readonly reports: DeliveryReportHandler,
    private readonly commands: HoldCommandsHandler,
    private readonly purge: PurgeJob,
    private readonly prefixes: PrefixAnomalyJob,
    private readonly domains: DomainChecksJob,
    private readonly emails: EmailSender,
    private readonly dueEmails: DueEmailsJob,
    private readonly emailPoll: DueEmailsPoll,
    private readonly retention: RetentionJob,
    private readonly usage: UsageJob,
  ) {}

  start(): void {
    const { logger } = this;
    const partitions = () => this.retention.makePartitions();
    const making = every(RETENTION_EVERY_MS, 'message partitions', partitions, logger);
    making.soon();
    const hinted = {
      recovery: every(
        HEARTBEAT_MS,
        'recovery',
        () => this.recovery.run(this.emails.isBusy),
        logger,
      ),
      domains: every(UNASKED_EVERY_MS, 'domain checks', () => this.domains.run(), logger),
      emails: every(UNASKED_EVERY_MS, 'email take-over', () => this.dueEmails.takeOver(), logger),
      commands: every(UNASKED_EVERY_MS, 'held commands', () => this.commands.release(), logger),
      prefixes: every(UNASKED_EVERY_MS, 'prefix anomaly', () => this.prefixes.run(), logger),
    };
    this.running = [
      making,
      ...Object.values(hinted),
      every(DUE_EVERY_MS, 'due messages', () => this.due.run(), logger),
      every(EXPIRY_EVERY_MS, 'otp expiry', () => this.expiry.run(), logger),
      every(PARKED_EVERY_MS, 'parked reports', () => this.reports.recheckParked(), logger),
      every(UNASKED_EVERY_MS, 'purge', () => this.purge.run(), logger),
      every(RETENTION_EVERY_MS, 'retention', () => this.retention.run(), logger),
      every(USAGE_EVERY_MS, 'usage', () => this.usage.run(), logger),
      every(DUE_EMAILS_EVERY_MS, 'due emails', () => this.dueEmails.run(), logger),
      every(POLL_EVERY_MS, 'due work', () => this.poll(hinted), logger),
    ];
  }

  async stop(): Promise<void> {
    this.retention.stop();
    await Promise.all(this.running.map((job) => job.stop()));
  }

  /** Gives the jobs their due times, and the carrier accounts the decisions of operators. */
  private async poll(
    hinted: Record<'recovery' | 'domains' | 'emails' | 'commands' | 'prefixes', Periodic>,
  ): Promise<void> {
    const now = this.clock.now();
    const found = await this.dueWork.read({
      now: new Date(now),
      until: new Date(now + POLL_AHEAD_MS),
      expiredBefore: this.expiry.reached,
      senderId: this.sender.id,
      straysBefore: new Date(now - STRAY_AFTER_MS),
      prefixesBefore: new Date(now - CHECK_EVERY_MS),
    });
    if (found.messageAt) this.due.pollAt(found.messageAt);
    if (found.expiryAt) this.expiry.pollAt(found.expiryAt);
    if (found.reportAt) this.reports.pollAt(found.reportAt);
    if (found.emailAt) this.emailPoll.pollAt(found.emailAt);
    if (found.isEmailLeft) hinted.emails.soon();
    this.recovery.expect({ left: found.isLeft, strays: found.hasStrays });
    if (found.isLeft || found.hasStrays) hinted.recovery.soon();
    if (found.isReleased) hinted.commands.soon();
    if (found.hasDomains) hinted.domains.soon();
    if (found.hasPrefixes) hinted.prefixes.soon();
    this.controls.follow(found.choices);
  }
}
