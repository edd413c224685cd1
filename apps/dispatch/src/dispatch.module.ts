import {
  type DynamicModule,
  Inject,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { SecuritySettings } from '@watchword/config';
import type { Clock } from '@watchword/contracts';
import { CLOCK, GroundModule, onceAvailable, type Platform } from '@watchword/platform';
import { Calls } from './calls.js';
import { CarrierConnections } from './carrier-connections.js';
import { CodesModule } from './codes.module.js';
import { Consumers } from './consumers.js';
import { Emails } from './emails/emails.js';
import { EmailsModule } from './emails/emails.module.js';
import { ScreenMessagesHandler } from './fraud/anti-spam/screen-messages.handler.js';
import { FraudModule } from './fraud/fraud.module.js';
import { Jobs } from './jobs.js';
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
import { RegistrationsRpc } from './registrations/registrations.rpc.js';
import { CarriersRpc } from './routing/carriers.rpc.js';
import { RoutingModule } from './routing/routing.module.js';
import { SchedulingModule } from './scheduling/scheduling.module.js';
import { RecoveryJob } from './sending/recovery.job.js';
import { Sender } from './sending/sender.js';
import { SendingModule } from './sending/sending.module.js';
import { SuspensionsModule } from './suspensions/suspensions.module.js';
import { VerificationModule } from './verification/verification.module.js';
import { VerifyOtpHandler } from './verification/verify-otp.handler.js';

/** How long a stop waits for calls that are in hand; the rest is taken over at the next start. */
const IN_HAND_STOP_MS = 4_000;

/** Starts and stops what the rooms of dispatch do by themselves. */
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
    SuspensionsModule,
    VerificationModule,
  ],
  providers: [Calls, CarrierConnections, Consumers, Jobs, PurgeJob],
})
export class DispatchModule implements OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown {
  private endMeasuring = (): void => undefined;

  constructor(
    private readonly calls: Calls,
    private readonly connections: CarrierConnections,
    private readonly consumers: Consumers,
    private readonly jobs: Jobs,
    private readonly carriers: CarriersRpc,
    private readonly sender: Sender,
    private readonly recovery: RecoveryJob,
    private readonly reads: MessageReads,
    private readonly verification: VerifyOtpHandler,
    private readonly screening: ScreenMessagesHandler,
    private readonly registrations: RegistrationsRpc,
    private readonly emails: Emails,
    private readonly awaiting: AwaitingReceiptsStore,
    @Inject(DND_REGISTRY) private readonly registry: DndRegistry | null,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  static with(platform: Platform): DynamicModule {
    return { module: DispatchModule, imports: [GroundModule.with(platform, [SecuritySettings])] };
  }

  /** Calls are answered before anything is consumed. */
  onModuleInit(): void {
    this.calls.serve();
  }

  async onApplicationBootstrap(): Promise<void> {
    await onceAvailable(() => this.carriers.refresh());
    await this.connections.start();
    await this.recovery.run();
    await this.connections.resume();
    this.endMeasuring = measureAwaiting(() => this.awaiting.count(this.clock.now()));
    this.jobs.start();
    await this.consumers.start();
  }

  /** Takes no new work, lets what is in hand come to its end, and leaves the rest to the next start. */
  async onApplicationShutdown(): Promise<void> {
    this.endMeasuring();
    await Promise.all([
      this.consumers.stop(),
      this.sender.stop(IN_HAND_STOP_MS),
      this.emails.stopSending(IN_HAND_STOP_MS),
    ]);
    await this.jobs.stop();
    await this.connections.stop();
    await Promise.all([this.reads.drain(), this.verification.drain()]);
    await Promise.all([this.connections.drain(), this.screening.close()]);
    await Promise.all([this.registrations.drain(), this.emails.stop()]);
    await this.registry?.close();
    await this.recovery.leave();
  }
}
