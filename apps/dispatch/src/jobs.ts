import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from '@watchword/observability';
import { every, LOGGER, type Periodic } from '@watchword/platform';
import { Emails } from './emails/emails.js';
import { PrefixAnomalyJob } from './fraud/prefix-guard/prefix-anomaly.job.js';
import { PurgeJob } from './purge.job.js';
import { DeliveryReportHandler } from './receipts/delivery-report.handler.js';
import {
  DOMAIN_CHECKS_EVERY_MS,
  DomainChecksJob,
} from './registrations/domains/domain-checks.job.js';
import { RETENTION_EVERY_MS, RetentionJob } from './retention/retention.job.js';
import { FollowChoices } from './routing/follow-choices.js';
import { DUE_EVERY_MS, DueMessagesJob } from './scheduling/due-messages.job.js';
import { HEARTBEAT_MS, RecoveryJob } from './sending/recovery.job.js';
import { HoldCommandsHandler } from './suspensions/hold-commands.handler.js';
import { OtpExpiryJob } from './verification/otp-expiry.job.js';

const EXPIRY_EVERY_MS = 500;
/** How soon a decision of an operator is at work in every process. */
const CARRIERS_EVERY_MS = 2_000;
const PARKED_EVERY_MS = 250;
/** How soon messages go on after a suspension ends. */
const RELEASE_EVERY_MS = 3_000;
const PURGE_EVERY_MS = 60_000;
/** A check runs at most this long after its five minutes. */
const PREFIX_CHECK_LATE_MS = 15_000;

/** What dispatch does by itself, again and again. */
@Injectable()
export class Jobs {
  private running: Periodic[] = [];

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly recovery: RecoveryJob,
    private readonly due: DueMessagesJob,
    private readonly choices: FollowChoices,
    private readonly expiry: OtpExpiryJob,
    private readonly reports: DeliveryReportHandler,
    private readonly commands: HoldCommandsHandler,
    private readonly purge: PurgeJob,
    private readonly prefixes: PrefixAnomalyJob,
    private readonly domains: DomainChecksJob,
    private readonly emails: Emails,
    private readonly retention: RetentionJob,
  ) {}

  start(): void {
    const { logger } = this;
    this.running = [
      every(HEARTBEAT_MS, 'recovery', () => this.recovery.run(), logger),
      every(DUE_EVERY_MS, 'due messages', () => this.due.run(), logger),
      every(CARRIERS_EVERY_MS, 'carriers', () => this.choices.refresh(), logger),
      every(EXPIRY_EVERY_MS, 'otp expiry', () => this.expiry.run(), logger),
      every(PARKED_EVERY_MS, 'parked reports', () => this.reports.recheckParked(), logger),
      every(DOMAIN_CHECKS_EVERY_MS, 'domain checks', () => this.domains.run(), logger),
      every(RELEASE_EVERY_MS, 'held commands', () => this.commands.release(), logger),
      every(PURGE_EVERY_MS, 'purge', () => this.purge.run(), logger),
      every(PREFIX_CHECK_LATE_MS, 'prefix anomaly', () => this.prefixes.run(), logger),
      every(RETENTION_EVERY_MS, 'retention', () => this.retention.run(), logger),
      ...this.emails.jobs(),
    ];
  }

  async stop(): Promise<void> {
    this.retention.stop();
    await Promise.all(this.running.map((job) => job.stop()));
  }
}
