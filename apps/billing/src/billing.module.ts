import {
  type DynamicModule,
  Inject,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { billingCalls } from '@watchword/contracts';
import { every, type Periodic, PLATFORM, type Platform } from '@watchword/platform';
import { PurgeStore } from './acceptances/purge.store.js';
import { purgeExpired } from './acceptances/purge.job.js';
import { createBillingCalls } from './billing.rpc.js';
import { reportLedgerFaults } from './ledger/ledger-audit.job.js';
import { LedgerAuditStore } from './ledger/ledger-audit.store.js';
import { Payments } from './payments/payments.js';
import { PaymentProviders } from './payments/providers.js';
import { PRICE_LIST_REFRESH_MS, PriceListCache } from './prices/price-list.cache.js';
import { PriceListStore } from './prices/price-list.store.js';
import { RefundConsumer } from './refunds/refund.consumer.js';
import { RefundHandler } from './refunds/refund.handler.js';
import { RefundStore } from './refunds/refund.store.js';

const MINUTE_MS = 60_000;
const PURGE_EVERY_MS = 10 * MINUTE_MS;
const AUDIT_EVERY_MS = 60 * MINUTE_MS;

/** Wires billing to its ground, and starts and stops what runs by itself. */
@Module({})
export class BillingModule implements OnModuleInit, OnApplicationShutdown {
  private readonly prices: PriceListCache;
  private readonly payments: Payments;
  private readonly rpc: ReturnType<typeof createBillingCalls>;
  private readonly refunds: RefundConsumer;
  private jobs: Periodic[] = [];

  constructor(@Inject(PLATFORM) private readonly platform: Platform) {
    const { bus, clock, logger, config } = platform;
    const { pool } = platform.database;
    this.prices = new PriceListCache(new PriceListStore(pool), clock);
    this.payments = new Payments({
      ...{ pool, clock, logger },
      prices: this.prices,
      providers: PaymentProviders.from(config),
      encryptionKeys: config.encryptionKeys,
    });
    this.rpc = createBillingCalls(pool, this.prices, clock, this.payments, platform.handOver);
    this.refunds = new RefundConsumer(
      bus,
      new RefundHandler(new RefundStore(pool.patient), clock, logger),
    );
  }

  static with(platform: Platform): DynamicModule {
    return { module: BillingModule, providers: [{ provide: PLATFORM, useValue: platform }] };
  }

  async onModuleInit(): Promise<void> {
    await this.prices.refresh();
    this.platform.rpc.serve(billingCalls, this.rpc.calls);
    await this.refunds.start();
    this.startJobs();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.jobs.map((job) => job.stop()));
    await Promise.all([this.refunds.stop(), this.rpc.drain(), this.payments.close()]);
  }

  private startJobs(): void {
    const { clock, logger } = this.platform;
    const { pool } = this.platform.database;
    const purge = new PurgeStore(pool);
    const audit = new LedgerAuditStore(pool);
    this.jobs = [
      ...this.payments.jobs(),
      every(PRICE_LIST_REFRESH_MS, 'price list', () => this.prices.refreshWhileUsed(), logger),
      every(PURGE_EVERY_MS, 'purge', () => purgeExpired(purge, clock), logger),
      every(AUDIT_EVERY_MS, 'ledger audit', () => reportLedgerFaults(audit, logger), logger),
    ];
  }
}
