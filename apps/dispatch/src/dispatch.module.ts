import {
  type BeforeApplicationShutdown,
  type DynamicModule,
  Inject,
  Module,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { RetentionSettings, SecuritySettings } from '@watchword/config';
import { type Clock, newId } from '@watchword/contracts';
import {
  BusModule,
  CLOCK,
  DATABASE,
  DatabaseModule,
  KeyedAnswers,
  KeyRing,
  onceAvailable,
  PLATFORM,
  type Platform,
  ServiceTransport,
  SettingsModule,
} from '@watchword/platform';
import type { Transactional } from '@watchword/postgres';
import { CarrierConnections } from './carrier-connections.js';
import { CarrierChoicesStore } from './carrier-controls/carrier-choices.store.js';
import { CarrierControls } from './carrier-controls/carrier-controls.js';
import { CarriersController } from './carrier-controls/carriers.controller.js';
import { UnmatchedReportsStore } from './carrier-controls/unmatched-reports.store.js';
import { OtpCodes } from './channels/otp/otp-codes.port.js';
import { DispatchDueWorkStore } from './due-work.store.js';
import { EmailComposition } from './emails/email-composition.js';
import { EmailContentStore } from './emails/email-content.store.js';
import { EmailListsController } from './emails/email-lists.controller.js';
import { EmailReportConsumer } from './emails/email-report.consumer.js';
import { EmailSender } from './emails/email-sender.js';
import { EmailRpc } from './emails/email.rpc.js';
import { EMAIL_PROVIDERS } from './emails/email-providers.js';
import { measureStoredBytes } from './emails/measurements.js';
import { PlatformEmailConsumer } from './emails/platform-email.consumer.js';
import { CLASSIFIER } from './fraud/anti-spam/classifier.port.js';
import { configuredClassifier } from './fraud/anti-spam/configured-classifier.js';
import { ScreenMessagesHandler } from './fraud/anti-spam/screen-messages.handler.js';
import { ScreeningRpc } from './fraud/anti-spam/screening.rpc.js';
import { PrefixAnomalyJob } from './fraud/prefix-guard/prefix-anomaly.job.js';
import { PrefixGuardRpc } from './fraud/prefix-guard/prefix-guard.rpc.js';
import { PrefixGuardStore } from './fraud/prefix-guard/prefix-guard.store.js';
import { DispatchJobs } from './jobs.js';
import { CancelMessageHandler } from './messages/cancel-message.handler.js';
import { IdempotencyKeyStore } from './messages/idempotency-key.store.js';
import { MessageChanges } from './messages/message-changes.handler.js';
import { MessageListStore } from './messages/message-list.store.js';
import { MessageListsController } from './messages/message-lists.controller.js';
import { MessageReads } from './messages/message-reads.js';
import { MessageSearchStore } from './messages/message-search.store.js';
import { MessageRpc } from './messages/message.rpc.js';
import { MessageStore } from './messages/message.store.js';
import { RecentMessages } from './messages/recent-messages.js';
import { PurgeJob } from './purge.job.js';
import { AwaitingReceiptsStore, measureAwaiting } from './receipts/awaiting-receipts.store.js';
import { ConnectionReports } from './receipts/connection-reports.js';
import { DeliveryReportConsumer } from './receipts/delivery-report.consumer.js';
import { DeliveryReportHandler } from './receipts/delivery-report.handler.js';
import { OpenSubmitStore } from './receipts/open-submit.store.js';
import { ParkedReportStore } from './receipts/parked-report.store.js';
import { SimulatedReceiptStore } from './receipts/simulated-receipt.store.js';
import { SimulatedReceipts } from './receipts/simulated-receipts.js';
import { UnmatchedReports } from './receipts/unmatched-reports.js';
import { configuredDndRegistry } from './registrations/do-not-disturb/configured-dnd-registry.js';
import { ConnectionInbound } from './registrations/do-not-disturb/connection-inbound.js';
import { DestinationRpc } from './registrations/do-not-disturb/destination.rpc.js';
import { DestinationStore } from './registrations/do-not-disturb/destination.store.js';
import {
  DND_REGISTRY,
  type DndRegistry,
} from './registrations/do-not-disturb/dnd-registry.port.js';
import { InboundConsumer } from './registrations/do-not-disturb/inbound.consumer.js';
import { InboundHandler } from './registrations/do-not-disturb/inbound.handler.js';
import { JudgeDestinationsHandler } from './registrations/do-not-disturb/judge-destinations.handler.js';
import { CheckDomainHandler } from './registrations/domains/check-domain.handler.js';
import { DomainChecksJob } from './registrations/domains/domain-checks.job.js';
import { DomainsController } from './registrations/domains/domains.controller.js';
import {
  DKIM_PURPOSE,
  DOMAIN_KEYS,
  EmailDomainStore,
} from './registrations/domains/email-domain.store.js';
import { NodeDns } from './registrations/domains/node-dns.adapter.js';
import {
  CachedSenderRules,
  DEFAULT_SENDER_RULES_TIMES,
  SENDER_RULES_TIMES,
} from './registrations/senders/cached-sender-rules.js';
import { SenderIdsController } from './registrations/senders/sender-ids.controller.js';
import { SenderRulesController } from './registrations/senders/sender-rules.controller.js';
import { SenderRulesStore } from './registrations/senders/sender-rules.store.js';
import { SuppressionsController } from './registrations/suppressions/suppressions.controller.js';
import { SmsTemplatesController } from './registrations/templates/sms-templates.controller.js';
import { RetentionJob } from './retention/retention.job.js';
import { RetentionStore } from './retention/retention.store.js';
import { CARRIERS, configuredProviders } from './routing/configured-providers.js';
import { Router } from './routing/router.js';
import { DueChecks } from './scheduling/due-checks.js';
import { DueMessagesJob } from './scheduling/due-messages.job.js';
import { DueMessagesStore } from './scheduling/due-messages.store.js';
import { DueMessagesPoll } from './sending/due-messages-poll.js';
import { Liveness } from './sending/liveness.js';
import { OpenCalls } from './sending/open-calls.js';
import { PROCESS_ID } from './sending/process-id.js';
import { RecoveryJob } from './sending/recovery.job.js';
import { SendMessageHandler } from './sending/send-message.handler.js';
import { Sender } from './sending/sender.js';
import { StartResendHandler } from './sending/start-resend.handler.js';
import { UnfinishedStore } from './sending/unfinished.store.js';
import { UnmappedCodes } from './sending/unmapped-codes.js';
import { CreditEventConsumer } from './settlement/credit-event.consumer.js';
import { EmailErasureStore } from './support/email-erasure.store.js';
import { EraseMessagesHandler } from './support/erase-messages.handler.js';
import { ErasureRpc } from './support/erasure.rpc.js';
import { OperatorSearchController } from './support/operator-search.controller.js';
import { OwnSearchController } from './support/own-search.controller.js';
import { SupportSearchHandler } from './support/support-search.handler.js';
import { TextErasureStore } from './support/text-erasure.store.js';
import { AccountEventConsumer } from './suspensions/account-event.consumer.js';
import { HoldCommandsHandler } from './suspensions/hold-commands.handler.js';
import { SendMessageConsumer } from './suspensions/send-message.consumer.js';
import { SuspensionStore } from './suspensions/suspension.store.js';
import { OverviewController } from './usage/overview.controller.js';
import { UsageJob } from './usage/usage.job.js';
import { UsageStore } from './usage/usage.store.js';
import { GuessStore } from './verification/guess.store.js';
import { OtpExpiryJob } from './verification/otp-expiry.job.js';
import { OtpExpiryStore } from './verification/otp-expiry.store.js';
import { OtpSecrets } from './verification/otp-secrets.js';
import { OtpRpc } from './verification/otp.rpc.js';
import { ReserveResendHandler } from './verification/reserve-resend.handler.js';
import { VerifyOtpHandler } from './verification/verify-otp.handler.js';

/** Each has its own resolver, so an owner's check does not wait behind scheduled ones. */
function domainChecks({ clock, config }: Platform, database: Transactional, ring: KeyRing) {
  return new CheckDomainHandler(database, ring, new NodeDns(config.dnsServers), config, clock);
}

/** Messages from the command to the end, what registrations say about them, and their records. */
@Module({
  controllers: [
    AccountEventConsumer,
    CarriersController,
    CreditEventConsumer,
    DeliveryReportConsumer,
    DestinationRpc,
    DomainsController,
    EmailListsController,
    EmailReportConsumer,
    EmailRpc,
    ErasureRpc,
    InboundConsumer,
    MessageListsController,
    MessageRpc,
    OperatorSearchController,
    OtpRpc,
    OverviewController,
    OwnSearchController,
    PlatformEmailConsumer,
    PrefixGuardRpc,
    ScreeningRpc,
    SendMessageConsumer,
    SenderIdsController,
    SenderRulesController,
    SmsTemplatesController,
    SuppressionsController,
  ],
  providers: [
    {
      provide: KeyedAnswers,
      useFactory: (database: Transactional, clock: Clock) => new KeyedAnswers(database, clock),
      inject: [DATABASE, CLOCK],
    },
    {
      provide: OtpSecrets,
      useFactory: ({ pepper, encryptionKeys }: SecuritySettings) =>
        new OtpSecrets(pepper, encryptionKeys),
      inject: [SecuritySettings],
    },
    { provide: OtpCodes, useExisting: OtpSecrets },

    CancelMessageHandler,
    IdempotencyKeyStore,
    MessageChanges,
    MessageListStore,
    MessageReads,
    MessageSearchStore,
    MessageStore,
    RecentMessages,

    {
      provide: DND_REGISTRY,
      useFactory: ({ config, clock, logger }: Platform) =>
        configuredDndRegistry(config, clock, logger),
      inject: [PLATFORM],
    },
    {
      provide: DOMAIN_KEYS,
      useFactory: ({ encryptionKeys }: SecuritySettings) =>
        new KeyRing(encryptionKeys, DKIM_PURPOSE),
      inject: [SecuritySettings],
    },
    {
      provide: CheckDomainHandler,
      useFactory: domainChecks,
      inject: [PLATFORM, DATABASE, DOMAIN_KEYS],
    },
    {
      provide: DomainChecksJob,
      useFactory: (platform: Platform, database: Transactional, ring: KeyRing) => {
        const checks = domainChecks(platform, database, ring);
        return new DomainChecksJob(new EmailDomainStore(database, ring), checks, platform.clock);
      },
      inject: [PLATFORM, DATABASE, DOMAIN_KEYS],
    },
    { provide: SENDER_RULES_TIMES, useValue: DEFAULT_SENDER_RULES_TIMES },
    CachedSenderRules,
    ConnectionInbound,
    DestinationStore,
    InboundHandler,
    JudgeDestinationsHandler,
    SenderRulesStore,

    {
      provide: CARRIERS,
      useFactory: ({ config, clock, logger }: Platform) =>
        configuredProviders(config, clock, logger),
      inject: [PLATFORM],
    },
    CarrierChoicesStore,
    CarrierConnections,
    CarrierControls,
    Router,
    UnmatchedReportsStore,

    {
      provide: CLASSIFIER,
      useFactory: ({ config, clock, logger }: Platform) =>
        configuredClassifier(config, clock, logger),
      inject: [PLATFORM],
    },
    PrefixAnomalyJob,
    PrefixGuardStore,
    ScreenMessagesHandler,

    { provide: PROCESS_ID, useFactory: () => newId() },
    { provide: OpenCalls, useFactory: ({ openCalls }: Sender) => openCalls, inject: [Sender] },
    DueChecks,
    DueMessagesJob,
    DueMessagesPoll,
    DueMessagesStore,
    HoldCommandsHandler,
    Liveness,
    RecoveryJob,
    SendMessageHandler,
    Sender,
    StartResendHandler,
    SuspensionStore,
    UnfinishedStore,
    UnmappedCodes,

    GuessStore,
    OtpExpiryJob,
    OtpExpiryStore,
    ReserveResendHandler,
    VerifyOtpHandler,

    AwaitingReceiptsStore,
    ConnectionReports,
    DeliveryReportHandler,
    OpenSubmitStore,
    ParkedReportStore,
    SimulatedReceiptStore,
    SimulatedReceipts,
    UnmatchedReports,

    ...EMAIL_PROVIDERS,

    DispatchDueWorkStore,
    DispatchJobs,
    EmailErasureStore,
    EraseMessagesHandler,
    PurgeJob,
    RetentionJob,
    RetentionStore,
    SupportSearchHandler,
    TextErasureStore,
    UsageJob,
    UsageStore,
  ],
})
export class DispatchModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private endMeasuring = (): void => undefined;

  constructor(
    private readonly connections: CarrierConnections,
    private readonly transport: ServiceTransport,
    private readonly jobs: DispatchJobs,
    private readonly controls: CarrierControls,
    private readonly sender: Sender,
    private readonly liveness: Liveness,
    private readonly recovery: RecoveryJob,
    private readonly reads: MessageReads,
    private readonly verification: VerifyOtpHandler,
    private readonly screening: ScreenMessagesHandler,
    private readonly emails: EmailSender,
    private readonly composition: EmailComposition,
    private readonly contents: EmailContentStore,
    private readonly awaiting: AwaitingReceiptsStore,
    @Inject(DND_REGISTRY) private readonly registry: DndRegistry | null,
    @Inject(PLATFORM) private readonly platform: Pick<Platform, 'graceMs'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  static with(platform: Platform): DynamicModule {
    return {
      module: DispatchModule,
      imports: [
        SettingsModule.with(platform, [RetentionSettings, SecuritySettings]),
        DatabaseModule.with(platform),
        BusModule.with(platform),
      ],
    };
  }

  async onApplicationBootstrap(): Promise<void> {
    await onceAvailable(() => this.controls.refresh());
    await this.connections.start();
    await onceAvailable(() => this.recovery.run());
    await onceAvailable(() => this.connections.resume());
    const endings = [
      measureAwaiting(() => this.awaiting.count(this.clock.now())),
      measureStoredBytes((count) => this.contents.largest(count)),
    ];
    this.endMeasuring = () => endings.forEach((end) => end());
    this.jobs.start();
  }

  /**
   * Accepts no new work, finishes open work, and leaves the rest to the next start. Runs before the
   * batches of controllers drain, in `onApplicationShutdown`.
   */
  async beforeApplicationShutdown(): Promise<void> {
    this.endMeasuring();
    const graceMs = this.platform.graceMs();
    await Promise.all([
      this.transport.ended(),
      this.sender.stop(graceMs),
      this.emails.stop(graceMs),
    ]);
    await this.jobs.stop();
    await this.connections.stop();
    await Promise.all([this.reads.drain(), this.verification.drain()]);
    await Promise.all([this.connections.drain(), this.screening.close()]);
    await this.composition.close();
    await this.registry?.close();
    await this.liveness.leave();
  }
}
