import { Inject, Injectable } from '@nestjs/common';
import type { EmailProvider } from '@watchword/carriers';
import { linkSettingsOf } from '@watchword/config';
import type { CreditEvent, EmailReport, SendMessage } from '@watchword/contracts';
import { crashPoint } from '@watchword/observability';
import { every, KeyRing, type Periodic, PLATFORM, type Platform } from '@watchword/platform';
import type { Queryable } from '@watchword/postgres';
import { Sender } from '../sending/sender.js';
import { ScheduledEmails } from './scheduled-emails.js';
import { DUE_EMAILS_EVERY_MS, DueEmailsJob } from './due-emails.job.js';
import { DueEmailStore } from './due-email.store.js';
import { settled } from './email-change.policy.js';
import { EmailChanges } from './email-changes.handler.js';
import { type EmailAddresses, EmailComposition } from './email-composition.js';
import {
  EMAIL_CONTENT_PURPOSE,
  EmailContentStore,
  type StoredBytes,
} from './email-content.store.js';
import { EmailReportHandler } from './email-report.handler.js';
import { EmailSender } from './email-sender.js';
import { EmailStore } from './email.store.js';
import type { Composer, SigningDomains, Suppressions } from './ports.js';
import { ProviderOrder } from './provider-order.js';
import { SendEmailsHandler } from './send-emails.handler.js';

/** Milliseconds between looks for attempts to take over, without a hint. */
const TAKE_OVER_EVERY_MS = 60_000;
/** Milliseconds; longer than anything repeats a report. */
const REPORTS_KEPT_MS = 30 * 86_400_000;

/** Token of the providers and other parts that the installation gives to emails. */
export const EMAIL_PARTS = Symbol('email parts');

/** What the host of dispatch gives to emails. */
export interface EmailParts {
  /** Providers in order of preference. */
  readonly providers: ReadonlyMap<string, EmailProvider>;
  readonly composer: Composer;
  readonly domains: SigningDomains;
  readonly suppressions: Suppressions;
}

/** The email channel: its sender and its jobs. */
@Injectable()
export class Emails {
  /** Accounts as operators see and control them. */
  readonly accounts: ProviderOrder;
  private readonly changes: EmailChanges;
  private readonly contents: EmailContentStore;
  private readonly store: EmailStore;
  private readonly sender: EmailSender;
  private readonly sending: SendEmailsHandler;
  private readonly reports: EmailReportHandler;
  private readonly due: DueEmailsJob;
  private takingOver: Periodic | undefined;

  constructor(
    @Inject(PLATFORM) private readonly platform: Platform,
    @Inject(EMAIL_PARTS) private readonly parts: EmailParts,
    { id: heldBy }: Sender,
  ) {
    const { clock, database, logger } = platform;
    const { pool } = database;
    const { providers, domains, suppressions } = parts;
    this.store = new EmailStore(pool);
    this.changes = new EmailChanges(this.store, clock, logger, (email) =>
      this.due.lookWhenDue(email),
    );
    this.contents = this.contentsOn(pool);
    this.accounts = new ProviderOrder(providers.values(), clock, logger);
    const { accounts: order } = this;
    const scheduled = new ScheduledEmails({ domains, suppressions, order, clock, logger, heldBy });
    const composition = new EmailComposition(this.contents, parts.composer, this.addresses());
    const shared = { changes: this.changes, scheduled, clock, logger, heldBy };
    this.sender = new EmailSender({ ...shared, providers, order, composition, suppressions });
    this.sending = new SendEmailsHandler(this.changes, scheduled, this.sender, clock);
    this.reports = new EmailReportHandler(this.store, this.changes, suppressions, clock);
    const dueStore = new DueEmailStore(pool);
    const { store: emails, sender } = this;
    this.due = new DueEmailsJob({ ...shared, store: dueStore, emails, sender });
  }

  handle(commands: readonly SendMessage[]): Promise<void> {
    return this.sending.handle(commands);
  }

  /** Makes ends public after billing's event that the ledger has the refund. */
  async settle(events: readonly CreditEvent[]): Promise<void> {
    const refunds = events.filter((event) => event.type === 'credit.refunded');
    crashPoint('dispatch.email-settle.before-change');
    await this.changes.apply(
      refunds.map(({ message_id: id, entry_id: entryId }) => ({
        id,
        change: (email, at) => settled(email, entryId !== null, at),
      })),
    );
    crashPoint('dispatch.email-settle.after-change');
  }

  async startProviders(): Promise<void> {
    await Promise.all([...this.parts.providers.values()].map((one) => one.start()));
  }

  jobs(): Periodic[] {
    const { logger } = this.platform;
    this.takingOver = every(
      TAKE_OVER_EVERY_MS,
      'email take-over',
      () => this.due.takeOver(),
      logger,
    );
    return [every(DUE_EMAILS_EVERY_MS, 'due emails', () => this.runDue(), logger), this.takingOver];
  }

  /** Whether a copy is in progress. */
  get isBusy(): boolean {
    return this.sender.isBusy;
  }

  /** Notes that an email is due then. */
  lookAt(at: Date): void {
    this.due.lookAt(at);
  }

  /** Does the work that is due. Returns whether there may be more. */
  runDue(): Promise<boolean> {
    return this.due.run();
  }

  /** Takes over attempts of a dead process, which have no answer. */
  lookNow(): void {
    this.takingOver?.soon();
  }

  report(reports: readonly EmailReport[]): Promise<void> {
    return this.reports.handle(reports);
  }

  /** Returns whether there may be more. */
  async purge(now: Date): Promise<boolean> {
    const reportsBefore = new Date(now.getTime() - REPORTS_KEPT_MS);
    const hasMore = await this.contents.purge(now);
    return (await this.store.purgeReports(reportsBefore)) || hasMore;
  }

  /** Returns the workspaces with the most bytes of contents. */
  largestStored(count: number): Promise<readonly StoredBytes[]> {
    return this.contents.largest(count);
  }

  async stopSending(deadlineMs: number): Promise<void> {
    await this.sender.stop(deadlineMs);
  }

  async stop(): Promise<void> {
    await Promise.all([...this.parts.providers.values()].map((one) => one.stop()));
    await this.parts.composer.close();
  }

  private contentsOn(database: Queryable): EmailContentStore {
    const { encryptionKeys } = this.platform.config;
    return new EmailContentStore(database, new KeyRing(encryptionKeys, EMAIL_CONTENT_PURPOSE));
  }

  private addresses(): EmailAddresses {
    const { config } = this.platform;
    const { bounceDomain, callbackSecrets } = config;
    const [callbackSecret = ''] = callbackSecrets;
    return { links: linkSettingsOf(config), bounceDomain, callbackSecret };
  }
}
