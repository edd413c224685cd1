import {
  type DynamicModule,
  Inject,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { EmailSettings, HttpSettings, SecuritySettings } from '@watchword/config';
import { EnvironmentModule, onceAvailable, type Platform } from '@watchword/platform';
import type { RateLimiter } from '@watchword/rate-limit';
import { AccountsModule } from './accounts/accounts.module.js';
import { SettingsVersion } from './accounts/settings-version.js';
import { ProtectedSenderIds } from './accounts/sender-ids/protected-sender-ids.js';
import { PublicPricesModule } from './billing/prices.module.js';
import { RATE_LIMITER } from './limits/limits.js';
import { LimitsModule } from './limits/limits.module.js';
import { PlatformSettingsHolder } from './limits/platform-settings.js';
import { PrefixGuard } from './limits/prefix-guard.js';
import { AccountEmailsJob } from './messages/account-emails/account-emails.job.js';
import { InboundSmtpListener } from './messages/email/inbound-smtp.listener.js';
import { ErasuresJob } from './messages/erasures/erasures.job.js';
import { StoredDeadLetters } from './messages/stored-dead-letters.js';
import { GatewayMessagesModule } from './messages/messages.module.js';
import { RoutesModule } from './routes/routes.module.js';

/** The public edge: starts and stops the background work of its parts. */
@Module({
  imports: [RoutesModule, AccountsModule, LimitsModule, GatewayMessagesModule, PublicPricesModule],
})
export class GatewayModule implements OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    private readonly settings: PlatformSettingsHolder,
    private readonly senderIds: ProtectedSenderIds,
    private readonly settingsVersion: SettingsVersion,
    private readonly prefixes: PrefixGuard,
    private readonly deadLetters: StoredDeadLetters,
    private readonly inboundSmtp: InboundSmtpListener,
    private readonly accountEmails: AccountEmailsJob,
    private readonly erasures: ErasuresJob,
    @Inject(RATE_LIMITER) private readonly limiter: RateLimiter,
  ) {}

  static with(platform: Platform): DynamicModule {
    const concerns = [HttpSettings, SecuritySettings, EmailSettings];
    const environment = EnvironmentModule.with(platform, concerns);
    return { module: GatewayModule, imports: [environment] };
  }

  async onModuleInit(): Promise<void> {
    for (const holder of [this.settings, this.senderIds]) {
      this.settingsVersion.onChange(() => holder.load());
      await onceAvailable(() => holder.load());
    }
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.prefixes.start();
    this.deadLetters.start();
    await this.inboundSmtp.start();
    this.accountEmails.start();
    this.erasures.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.inboundSmtp.stop(), this.accountEmails.stop()]);
    await Promise.all([this.prefixes.stop(), this.deadLetters.stop(), this.erasures.stop()]);
    await this.limiter.close();
  }
}
