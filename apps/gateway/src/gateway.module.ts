import {
  type DynamicModule,
  Inject,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { EmailSettings, HttpSettings, SecuritySettings } from '@watchword/config';
import { GroundModule, onceAvailable, type Platform } from '@watchword/platform';
import { AccountsModule } from './accounts/accounts.module.js';
import { CachedKeyDirectory } from './accounts/keys/cached-key-directory.adapter.js';
import { ProtectedSenderIds } from './accounts/sender-ids/protected-sender-ids.js';
import { PublicPriceListCache } from './billing/price-list.cache.js';
import { PublicPricesModule } from './billing/prices.module.js';
import { GatewayLease } from './invalidation/gateway-lease.js';
import { InvalidationModule } from './invalidation/invalidation.module.js';
import { type Limits, LIMITS } from './limits/limits.js';
import { LimitsModule } from './limits/limits.module.js';
import { PlatformSettingsHolder } from './limits/platform-settings.js';
import { PrefixGuard } from './limits/prefix-guard.js';
import { AccountEmailsJob } from './messages/account-emails/account-emails.job.js';
import { InboundSmtpListener } from './messages/email/inbound-smtp.listener.js';
import { ErasuresJob } from './messages/erasures/erasures.job.js';
import { HeldDeadLetters } from './messages/held-dead-letters.js';
import { GatewayMessagesModule } from './messages/messages.module.js';
import { RoutesModule } from './routes/routes.module.js';

/** The public edge: starts and stops the background work of its parts. */
@Module({
  imports: [
    RoutesModule,
    AccountsModule,
    InvalidationModule,
    LimitsModule,
    GatewayMessagesModule,
    PublicPricesModule,
  ],
})
export class GatewayModule implements OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    private readonly settings: PlatformSettingsHolder,
    private readonly senderIds: ProtectedSenderIds,
    private readonly directory: CachedKeyDirectory,
    private readonly prices: PublicPriceListCache,
    private readonly prefixes: PrefixGuard,
    private readonly deadLetters: HeldDeadLetters,
    private readonly lease: GatewayLease,
    private readonly inboundSmtp: InboundSmtpListener,
    private readonly accountEmails: AccountEmailsJob,
    private readonly erasures: ErasuresJob,
    @Inject(LIMITS) private readonly limits: Limits,
  ) {}

  static with(platform: Platform): DynamicModule {
    const concerns = [HttpSettings, SecuritySettings, EmailSettings];
    const ground = GroundModule.with(platform, concerns);
    return { module: GatewayModule, imports: [ground] };
  }

  async onModuleInit(): Promise<void> {
    const { directory, settings, prices, senderIds } = this;
    for (const listener of [directory, settings, prices, senderIds]) this.lease.listen(listener);
    await onceAvailable(() => this.settings.load());
    await onceAvailable(() => this.senderIds.load());
    await onceAvailable(() => this.limits.restore());
    this.lease.start();
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.prefixes.start();
    await this.limits.start();
    this.deadLetters.start();
    await this.inboundSmtp.start();
    this.accountEmails.start();
    this.erasures.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.inboundSmtp.stop(), this.accountEmails.stop()]);
    await Promise.all([this.prefixes.stop(), this.deadLetters.stop(), this.erasures.stop()]);
    await Promise.all([this.limits.stop(), this.lease.stop()]);
  }
}
