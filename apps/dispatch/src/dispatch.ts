import type { Subscription } from '@watchword/bus';
import { dispatchCalls } from '@watchword/contracts';
import { every, KeyRing, onceAvailable, type Periodic, type Platform } from '@watchword/platform';
import type { Queryable, Transactional } from '@watchword/postgres';
import type { Provider } from '@watchword/carriers';
import { configuredClassifier } from './fraud/anti-spam/configured-classifier.js';
import { ScreenMessagesHandler } from './fraud/anti-spam/screen-messages.handler.js';
import { ScreeningRpc } from './fraud/anti-spam/screening.rpc.js';
import { AwaitingReceiptsStore, measureAwaiting } from './receipts/awaiting-receipts.store.js';
import { consumeDeliveryReports } from './receipts/delivery-report.consumer.js';
import { DeliveryReportHandler } from './receipts/delivery-report.handler.js';
import { OpenSubmitStore } from './receipts/open-submit.store.js';
import { ParkedReportStore } from './receipts/parked-report.store.js';
import { SimulatedReceiptStore } from './receipts/simulated-receipt.store.js';
import { SimulatedReceipts } from './receipts/simulated-receipts.js';
import { CancelMessageHandler } from './messages/cancel-message.handler.js';
import { IdempotencyKeyStore } from './messages/idempotency-key.store.js';
import { MessageReads } from './messages/message-reads.js';
import { MessageListStore } from './messages/message-list.store.js';
import { MessageSearchStore } from './messages/message-search.store.js';
import { MessageChanges } from './messages/message-changes.handler.js';
import { MessageRpc } from './messages/message.rpc.js';
import { MessageStore } from './messages/message.store.js';
import { Emails, type EmailParts } from './emails/emails.js';
import { GuessStore } from './verification/guess.store.js';
import { OtpExpiryJob } from './verification/otp-expiry.job.js';
import { OtpExpiryStore } from './verification/otp-expiry.store.js';
import { OtpSecrets } from './verification/otp-secrets.js';
import { OtpRpc } from './verification/otp.rpc.js';
import { ReserveResendHandler } from './verification/reserve-resend.handler.js';
import { VerifyOtpHandler } from './verification/verify-otp.handler.js';
import { PrefixAnomalyJob } from './fraud/prefix-guard/prefix-anomaly.job.js';
import { PrefixGuardStore } from './fraud/prefix-guard/prefix-guard.store.js';
import { PrefixGuardRpc } from './fraud/prefix-guard/prefix-guard.rpc.js';
import { configuredDndRegistry } from './registrations/do-not-disturb/configured-dnd-registry.js';
import { DestinationStore } from './registrations/do-not-disturb/destination.store.js';
import type { DndRegistry } from './registrations/do-not-disturb/dnd-registry.port.js';
import { consumeInboundMessages } from './registrations/do-not-disturb/inbound.consumer.js';
import { InboundHandler } from './registrations/do-not-disturb/inbound.handler.js';
import { JudgeDestinationsHandler } from './registrations/do-not-disturb/judge-destinations.handler.js';
import { CheckDomainHandler } from './registrations/domains/check-domain.handler.js';
import {
  DOMAIN_CHECKS_EVERY_MS,
  DomainChecksJob,
} from './registrations/domains/domain-checks.job.js';
import { DKIM_PURPOSE, EmailDomainStore } from './registrations/domains/email-domain.store.js';
import { NodeDns } from './registrations/domains/node-dns.adapter.js';
import { RegistrationsRpc } from './registrations/registrations.rpc.js';
import { CarrierChoicesStore } from './routing/carrier-choices.store.js';
import { CarriersRpc } from './routing/carriers.rpc.js';
import { Router } from './routing/router.js';
import { HEARTBEAT_MS, RecoveryJob } from './sending/recovery.job.js';
import { consumeSendCommands } from './sending/send-message.consumer.js';
import { SendMessageHandler } from './sending/send-message.handler.js';
import { ByChannel } from './sending/by-channel.js';
import { Sender } from './sending/sender.js';
import { StartResendHandler } from './sending/start-resend.handler.js';
import { UnfinishedStore } from './sending/unfinished.store.js';
import { consumeAccountEvents } from './suspensions/account-event.consumer.js';
import { HoldCommandsHandler } from './suspensions/hold-commands.handler.js';
import { SuspensionStore } from './suspensions/suspension.store.js';
import { DUE_EVERY_MS, DueMessagesJob } from './scheduling/due-messages.job.js';
import { DueMessagesStore } from './scheduling/due-messages.store.js';
import { RegisteredDueChecks } from './scheduling/registered-due-checks.js';
import { consumeCreditEvents } from './settlement/credit-event.consumer.js';

const EXPIRY_EVERY_MS = 500;
/** How soon a decision of an operator is at work in every process. */
const CARRIERS_EVERY_MS = 2_000;
const PARKED_EVERY_MS = 250;
/** How soon messages go on after a suspension ends. */
const RELEASE_EVERY_MS = 1_000;
const PURGE_EVERY_MS = 60_000;
/** A list whose upload broke off. */
const UPLOAD_KEPT_MS = 86_400_000;
/** How soon after its five minutes a check is made. */
const PREFIX_CHECK_LATE_MS = 5_000;
/** How long a stop waits for calls that are in hand; the rest is taken over at the next start. */
const IN_HAND_STOP_MS = 4_000;

/** Dispatch, put together: what it is made of, what runs by itself, and how it starts and stops. */
export class Dispatch {
  private readonly sender: Sender;
  private readonly carriers: CarriersRpc;
  private readonly screening: ScreenMessagesHandler;
  private readonly sending: SendMessageHandler;
  private readonly changes: MessageChanges;
  private readonly reports: DeliveryReportHandler;
  private readonly parked: ParkedReportStore;
  private readonly keys: IdempotencyKeyStore;
  private readonly reads: MessageReads;
  private readonly verification: VerifyOtpHandler;
  private readonly rpc: MessageRpc;
  private readonly otpRpc: OtpRpc;
  private readonly registrations: RegistrationsRpc;
  private readonly domainChecks: DomainChecksJob;
  private readonly registry: DndRegistry | null;
  private readonly inbound: InboundHandler;
  private readonly prefixes: PrefixGuardRpc;
  private readonly prefixAnomalies: PrefixAnomalyJob;
  private readonly expiry: OtpExpiryJob;
  private readonly due: DueMessagesJob;
  private readonly recovery: RecoveryJob;
  private readonly unfinished: UnfinishedStore;
  private readonly messages: MessageStore;
  private readonly suspensions: SuspensionStore;
  private readonly holding: HoldCommandsHandler;
  private readonly simulated: SimulatedReceipts;
  private readonly emails: Emails;
  private subscriptions: Subscription[] = [];
  private jobs: Periodic[] = [];
  private endMeasuring = (): void => undefined;

  constructor(
    private readonly platform: Platform,
    private readonly providers: ReadonlyMap<string, Provider>,
    email: EmailParts,
  ) {
    const { clock, config, database, handOver, logger } = platform;
    const { pool } = database;
    const { patient } = pool;
    this.simulated = new SimulatedReceipts(clock, logger);
    const secrets = new OtpSecrets(config.pepper, config.encryptionKeys);
    const router = new Router(this.providers, clock, logger);
    this.carriers = new CarriersRpc(new CarrierChoicesStore(pool), router, this.providers);
    this.messages = new MessageStore(patient, logger, handOver);
    this.changes = new MessageChanges(this.messages, clock);
    // The gateway waits for the answers to its calls, and for nothing else that is done here.
    const messages = new MessageStore(pool, logger, handOver, this.messages.recent);
    const changes = new MessageChanges(messages, clock);
    const parts = { changes: this.changes, providers: this.providers, router, codes: secrets };
    this.sender = new Sender({ ...parts, clock, logger });
    this.screening = new ScreenMessagesHandler(configuredClassifier(config, clock, logger));
    this.sending = new SendMessageHandler(
      this.messages,
      this.sender,
      router,
      secrets,
      new StartResendHandler(this.changes, this.sender, router, secrets),
      this.screening,
      clock,
    );
    this.suspensions = new SuspensionStore(patient);
    this.keys = new IdempotencyKeyStore(pool);
    this.emails = new Emails(platform, { ...email, keys: this.keys, heldBy: this.sender.id });
    const byChannel = new ByChannel(this.sending, this.emails);
    this.holding = new HoldCommandsHandler(this.suspensions, byChannel, clock);
    this.parked = new ParkedReportStore(patient);
    this.reports = new DeliveryReportHandler(
      this.changes,
      this.parked,
      new OpenSubmitStore(patient),
      clock,
    );
    this.simulated.connect(this.reports);
    const verification = new VerifyOtpHandler(
      messages,
      this.keys,
      new GuessStore(pool, messages),
      secrets,
      pool,
      clock,
    );
    const lists = new MessageListStore(pool);
    const cancellation = new CancelMessageHandler(changes, this.keys, clock);
    this.reads = new MessageReads(changes);
    this.verification = verification;
    this.rpc = new MessageRpc(this.reads, lists, new MessageSearchStore(pool), cancellation);
    this.otpRpc = new OtpRpc(this.reads, verification, new ReserveResendHandler(changes));
    this.registry = configuredDndRegistry(config, clock, logger);
    const ring = new KeyRing(config.encryptionKeys, DKIM_PURPOSE);
    const judging = this.judging(pool);
    const checking = this.checking(pool, ring);
    this.registrations = new RegistrationsRpc(pool, { judging, checking, ring, clock });
    this.domainChecks = new DomainChecksJob(
      new EmailDomainStore(patient, ring),
      this.checking(patient, ring),
      clock,
    );
    this.due = this.dueMessages(patient, router);
    this.inbound = new InboundHandler(patient, clock);
    this.expiry = new OtpExpiryJob(new OtpExpiryStore(patient), this.changes, clock);
    this.prefixes = new PrefixGuardRpc(pool, clock);
    this.prefixAnomalies = new PrefixAnomalyJob(patient, clock, logger);
    this.unfinished = new UnfinishedStore(patient);
    this.recovery = new RecoveryJob(this.unfinished, this.messages, this.sender, clock, logger);
  }

  private judging(database: Queryable): JudgeDestinationsHandler {
    return new JudgeDestinationsHandler(new DestinationStore(database), this.registry);
  }

  private checking(database: Transactional, ring: KeyRing): CheckDomainHandler {
    const { clock, config } = this.platform;
    const dns = new NodeDns(config.dnsServers);
    return new CheckDomainHandler(database, ring, dns, config, clock);
  }

  private dueMessages(database: Queryable, router: Router): DueMessagesJob {
    const { changes, screening, sender } = this;
    const prefixes = new PrefixGuardStore(database);
    return new DueMessagesJob({
      store: new DueMessagesStore(database),
      changes,
      checks: new RegisteredDueChecks(this.judging(database), prefixes, this.suspensions),
      screening,
      router,
      sender,
      clock: this.platform.clock,
    });
  }

  /** Calls are answered before anything is consumed. */
  serve(): void {
    const { listPrefixRestrictions, liftPrefixRestriction } = this.prefixes;
    const { listCarriers, changeCarrier } = this.carriers;
    this.platform.rpc.serve(dispatchCalls, {
      ...this.rpc.calls,
      ...this.otpRpc.calls,
      listPrefixRestrictions,
      liftPrefixRestriction,
      listCarriers,
      changeCarrier,
      screenText: new ScreeningRpc(this.screening).screenText,
      ...this.registrations.calls,
      ...this.emails.calls,
    });
  }

  async start(): Promise<void> {
    await onceAvailable(() => this.carriers.refresh());
    await this.startProviders();
    await this.recovery.run();
    const { bus, clock, database, logger } = this.platform;
    const owed = new SimulatedReceiptStore(database.pool.patient);
    await this.simulated.resume(owed, this.messages, this.providers);
    const awaiting = new AwaitingReceiptsStore(database.pool);
    this.endMeasuring = measureAwaiting(() => awaiting.count(clock.now()));
    this.jobs = [
      every(HEARTBEAT_MS, 'recovery', () => this.recovery.run(), logger),
      every(DUE_EVERY_MS, 'due messages', () => this.due.run(), logger),
      every(CARRIERS_EVERY_MS, 'carriers', () => this.carriers.refresh(), logger),
      every(EXPIRY_EVERY_MS, 'otp expiry', () => this.expiry.run(), logger),
      every(PARKED_EVERY_MS, 'parked reports', () => this.reports.recheckParked(), logger),
      every(DOMAIN_CHECKS_EVERY_MS, 'domain checks', () => this.domainChecks.run(), logger),
      every(RELEASE_EVERY_MS, 'held commands', () => this.holding.release(), logger),
      every(PURGE_EVERY_MS, 'purge', () => this.purge(), logger),
      every(PREFIX_CHECK_LATE_MS, 'prefix anomaly', () => this.prefixAnomalies.run(), logger),
      ...this.emails.jobs(),
    ];
    this.subscriptions = await Promise.all([
      consumeSendCommands(bus, this.holding),
      consumeAccountEvents(bus, this.suspensions),
      consumeDeliveryReports(bus, this.reports),
      consumeInboundMessages(bus, this.inbound),
      consumeCreditEvents(bus, this.changes, this.emails),
      this.emails.consume(bus),
    ]);
  }

  private async startProviders(): Promise<void> {
    const providers = [...this.providers.values()];
    await Promise.all([
      ...providers.map((one) => one.start((reports) => this.simulated.take(one.name, reports))),
      this.emails.startProviders(),
    ]);
  }

  /** Takes no new work, lets what is in hand come to its end, and leaves the rest to the next start. */
  async stop(): Promise<void> {
    this.endMeasuring();
    const closed = Promise.all(this.subscriptions.map((subscription) => subscription.close()));
    const sending = [this.sender.stop(IN_HAND_STOP_MS), this.emails.stopSending(IN_HAND_STOP_MS)];
    await Promise.all([closed, ...sending]);
    await Promise.all(this.jobs.map((job) => job.stop()));
    await Promise.all([...this.providers.values()].map((provider) => provider.stop()));
    await Promise.all([this.reads.drain(), this.verification.drain()]);
    await Promise.all([this.simulated.drain(), this.screening.close()]);
    await Promise.all([this.registrations.drain(), this.emails.stop()]);
    await this.registry?.close();
    await this.recovery.leave();
  }

  private async purge(): Promise<boolean> {
    const now = new Date(this.platform.clock.now());
    await this.parked.purge(now);
    await this.unfinished.forgetDead(now);
    const destinations = new DestinationStore(this.platform.database.pool.patient);
    await destinations.purge(now, new Date(now.getTime() - UPLOAD_KEPT_MS));
    const hasMore = await this.emails.purge(now);
    return (await this.keys.purge(now)) || hasMore;
  }
}
