import {
  type DynamicModule,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { SecuritySettings } from '@watchword/config';
import {
  EnvironmentModule,
  onceAvailable,
  type Platform,
  ServiceTransport,
} from '@watchword/platform';
import { AcceptancesModule } from './acceptances/acceptances.module.js';
import { BillingAccountsModule } from './accounts/accounts.module.js';
import { BillingJobs } from './jobs.js';
import { LedgerModule } from './ledger/ledger.module.js';
import { PaymentsModule } from './payments/payments.module.js';
import { PlansModule } from './plans/plans.module.js';
import { PriceListCache } from './prices/price-list.cache.js';
import { PricesModule } from './prices/prices.module.js';
import { QuotesModule } from './quotes/quotes.module.js';
import { RefundsModule } from './refunds/refunds.module.js';

/** Starts and stops the jobs of billing. */
@Module({
  imports: [
    AcceptancesModule,
    BillingAccountsModule,
    LedgerModule,
    PaymentsModule,
    PlansModule,
    PricesModule,
    QuotesModule,
    RefundsModule,
  ],
  providers: [BillingJobs],
})
export class BillingModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly transport: ServiceTransport,
    private readonly prices: PriceListCache,
    private readonly jobs: BillingJobs,
  ) {}

  static with(platform: Platform): DynamicModule {
    return {
      module: BillingModule,
      imports: [EnvironmentModule.with(platform, [SecuritySettings])],
    };
  }

  /** Answers no call before sends can be priced. */
  async onModuleInit(): Promise<void> {
    await onceAvailable(() => this.prices.refresh());
    this.jobs.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.jobs.stop(), this.transport.ended()]);
  }
}
