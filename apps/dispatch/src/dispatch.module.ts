import {
  type DynamicModule,
  Inject,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { RetentionSettings, SecuritySettings } from '@watchword/config';
import type { Clock } from '@watchword/contracts';
import {
  CLOCK,
  EnvironmentModule,
  onceAvailable,
  type Platform,
  ServiceTransport,
} from '@watchword/platform';
import { CarrierConnections } from './carrier-connections.js';
import { CodesModule } from './codes.module.js';
import { DispatchDueWorkStore } from './due-work.store.js';
import { Emails } from './emails/emails.js';
import { measureStoredBytes } from './emails/measurements.js';
import { EmailsModule } from './emails/emails.module.js';
import { ScreenMessagesHandler } from './fraud/anti-spam/screen-messages.handler.js';
import { FraudModule } from './fraud/fraud.module.js';
import { DispatchJobs } from './jobs.js';
import { MessageReads } from './messages/message-reads.js';
import { MessagesModule } from './messages/messages.module.js';
import { PurgeJob } from './purge.job.js';
import { AwaitingReceiptsStore, measureAwaiting } from './receipts/awaiting-receipts.store.js';
import { ReceiptsModule } from './receipts/receipts.module.js';
import {
  DND_REGISTRY,
  type DndRegistry,
} from './registrations/do-not-disturb/dnd-registry.port.js';
import { RegistrationsModule } from './registrations/registrations.module.js';
import { RetentionJob } from './retention/retention.job.js';
import { RetentionStore } from './retention/retention.store.js';
import { RoutingModule } from './routing/routing.module.js';
import { SchedulingModule } from './scheduling/scheduling.module.js';
import { Liveness } from './sending/liveness.js';
import { RecoveryJob } from './sending/recovery.job.js';
import { Sender } from './sending/sender.js';
import { SendingModule } from './sending/sending.module.js';
import { SettlementModule } from './settlement/settlement.module.js';
import { CarrierControls } from './carrier-controls/carrier-controls.js';
import { CarrierControlsModule } from './carrier-controls/carrier-controls.module.js';
import { SupportModule } from './support/support.module.js';
import { SuspensionsModule } from './suspensions/suspensions.module.js';
import { UsageModule } from './usage/usage.module.js';
import { VerificationModule } from './verification/verification.module.js';
import { VerifyOtpHandler } from './verification/verify-otp.handler.js';

/** Milliseconds that a stop waits for open calls. The next start takes over the rest. */
const IN_HAND_STOP_MS = 4_000;

/** Workspaces whose stored bytes the metrics show. */
const LARGEST_SHOWN = 5;

/** Starts and stops the jobs and senders of dispatch. */
@Module({
  imports: [
    CodesModule,
    EmailsModule,
    FraudModule,
    MessagesModule,
    ReceiptsModule,
    RegistrationsModule,
    RoutingModule,
    SchedulingModule,
    SendingModule,
    SettlementModule,
    CarrierControlsModule,
    SupportModule,
    SuspensionsModule,
    UsageModule,
    VerificationModule,
  ],
  providers: [
    CarrierConnections,
    DispatchDueWorkStore,
    DispatchJobs,
    PurgeJob,
    RetentionJob,
    RetentionStore,
  ],
})
export class DispatchModule implements OnApplicationBootstrap, OnApplicationShutdown {
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
    private readonly emails: Emails,
    private readonly awaiting: AwaitingReceiptsStore,
    @Inject(DND_REGISTRY) private readonly registry: DndRegistry | null,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  static with(platform: Platform): DynamicModule {
    return {
      module: DispatchModule,
      imports: [EnvironmentModule.with(platform, [RetentionSettings, SecuritySettings])],
    };
  }

  async onApplicationBootstrap(): Promise<void> {
    await onceAvailable(() => this.controls.refresh());
    await this.connections.start();
    await onceAvailable(() => this.recovery.run());
    await onceAvailable(() => this.connections.resume());
    const endings = [
      measureAwaiting(() => this.awaiting.count(this.clock.now())),
      measureStoredBytes(() => this.emails.largestStored(LARGEST_SHOWN)),
    ];
    this.endMeasuring = () => endings.forEach((end) => end());
    this.jobs.start();
  }

  /** Accepts no new work, finishes open work, and leaves the rest to the next start. */
  async onApplicationShutdown(): Promise<void> {
    this.endMeasuring();
    await Promise.all([
      this.transport.ended(),
      this.sender.stop(IN_HAND_STOP_MS),
      this.emails.stopSending(IN_HAND_STOP_MS),
    ]);
    await this.jobs.stop();
    await this.connections.stop();
    await Promise.all([this.reads.drain(), this.verification.drain()]);
    await Promise.all([this.connections.drain(), this.screening.close()]);
    await this.emails.stop();
    await this.registry?.close();
    await this.liveness.leave();
  }
}
