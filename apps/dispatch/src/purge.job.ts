import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@watchword/contracts';
import { CLOCK, DATABASE } from '@watchword/platform';
import type { Queryable } from '@watchword/postgres';
import { EmailContentStore } from './emails/email-content.store.js';
import { EmailStore } from './emails/email.store.js';
import { IdempotencyKeyStore } from './messages/idempotency-key.store.js';
import { ParkedReportStore } from './receipts/parked-report.store.js';
import { DestinationStore } from './registrations/do-not-disturb/destination.store.js';
import { UnfinishedStore } from './sending/unfinished.store.js';

/** Milliseconds after which an unfinished upload is deleted. */
const UPLOAD_KEPT_MS = 86_400_000;
/** Milliseconds; longer than anything repeats a report of an email. */
const EMAIL_REPORTS_KEPT_MS = 30 * 86_400_000;

/** Deletes data after its retention. */
@Injectable()
export class PurgeJob {
  private readonly destinations: DestinationStore;

  constructor(
    @Inject(DATABASE) database: Queryable,
    private readonly parked: ParkedReportStore,
    private readonly unfinished: UnfinishedStore,
    private readonly emails: EmailStore,
    private readonly contents: EmailContentStore,
    private readonly keys: IdempotencyKeyStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.destinations = new DestinationStore(database);
  }

  /** Returns whether there may be more. */
  async run(): Promise<boolean> {
    const now = new Date(this.clock.now());
    const hasMoreReports = await this.parked.purge(now);
    await this.unfinished.forgetDead(now);
    await this.destinations.purge(now, new Date(now.getTime() - UPLOAD_KEPT_MS));
    const hasMoreContents = await this.contents.purge(now);
    const reportsBefore = new Date(now.getTime() - EMAIL_REPORTS_KEPT_MS);
    const hasMoreEmails = await this.emails.purgeReports(reportsBefore);
    const hasMoreKeys = await this.keys.purge(now);
    return hasMoreReports || hasMoreContents || hasMoreEmails || hasMoreKeys;
  }
}
