import {
  type BeforeApplicationShutdown,
  type DynamicModule,
  Module,
  type OnModuleInit,
} from '@nestjs/common';
import { SecuritySettings } from '@watchword/config';
import {
  BusModule,
  DatabaseModule,
  KeyRing,
  onceAvailable,
  PLATFORM,
  type Platform,
  ServiceTransport,
  SettingsModule,
} from '@watchword/platform';
import { AcceptBatchHandler } from './acceptances/accept-batch.handler.js';
import { AcceptHandler } from './acceptances/accept.handler.js';
import { AcceptRpc } from './acceptances/accept.rpc.js';
import { AcceptStore } from './acceptances/accept.store.js';
import { AcceptanceStore } from './acceptances/acceptance.store.js';
import { AcceptancesRpc } from './acceptances/acceptances.rpc.js';
import { BatchesRpc } from './acceptances/batches.rpc.js';
import { KeySpendingStore } from './acceptances/key-spending.store.js';
import { PurgeStore } from './acceptances/purge.store.js';
import { AccountStore } from './accounts/account.store.js';
import { AccountsRpc } from './accounts/accounts.rpc.js';
import { CreditsController } from './accounts/credits.controller.js';
import { TopUpHandler } from './accounts/top-up.handler.js';
import { BillingJobs } from './jobs.js';
import { EntriesController } from './ledger/entries.controller.js';
import { EntryStore } from './ledger/entry.store.js';
import { LedgerAuditHandler } from './ledger/ledger-audit.handler.js';
import { LedgerAuditStore } from './ledger/ledger-audit.store.js';
import { StatementStore } from './ledger/statement.store.js';
import { AUTHORISATION_PURPOSE, Authorisations } from './payments/authorisations.js';
import { AutomaticTopUpHandler } from './payments/automatic-top-up.handler.js';
import { CreatePaymentHandler } from './payments/create-payment.handler.js';
import { DuePaymentsHandler } from './payments/due-payments.handler.js';
import { PaymentCallbackRpc } from './payments/payment-callback.rpc.js';
import { PaymentsController } from './payments/payments.controller.js';
import { PaymentProviders } from './payments/providers.js';
import { SettlePaymentHandler } from './payments/settle-payment.handler.js';
import { TopUpSettingsHandler } from './payments/top-up-settings.handler.js';
import { PlanStore } from './plans/plan.store.js';
import { PlansController } from './plans/plans.controller.js';
import { PriceListCache } from './prices/price-list.cache.js';
import { PriceListStore } from './prices/price-list.store.js';
import { PricesController } from './prices/prices.controller.js';
import { QuoteStore } from './quotes/quote.store.js';
import { QuotesRpc } from './quotes/quotes.rpc.js';
import { RefundConsumer } from './refunds/refund.consumer.js';
import { RefundHandler } from './refunds/refund.handler.js';
import { RefundStore } from './refunds/refund.store.js';

/** Accounts, their ledger, prices, acceptances, refunds and payments. */
@Module({
  controllers: [
    AcceptRpc,
    AcceptancesRpc,
    AccountsRpc,
    BatchesRpc,
    CreditsController,
    EntriesController,
    PaymentCallbackRpc,
    PaymentsController,
    PlansController,
    PricesController,
    QuotesRpc,
    RefundConsumer,
  ],
  providers: [
    AcceptBatchHandler,
    AcceptHandler,
    AcceptStore,
    AcceptanceStore,
    KeySpendingStore,
    PurgeStore,

    AccountStore,
    TopUpHandler,

    EntryStore,
    LedgerAuditHandler,
    LedgerAuditStore,
    StatementStore,

    {
      provide: PaymentProviders,
      useFactory: ({ config }: Platform) => PaymentProviders.from(config),
      inject: [PLATFORM],
    },
    {
      provide: Authorisations,
      useFactory: ({ encryptionKeys }: SecuritySettings) =>
        new Authorisations(new KeyRing(encryptionKeys, AUTHORISATION_PURPOSE)),
      inject: [SecuritySettings],
    },
    AutomaticTopUpHandler,
    CreatePaymentHandler,
    DuePaymentsHandler,
    SettlePaymentHandler,
    TopUpSettingsHandler,

    PlanStore,
    PriceListCache,
    PriceListStore,
    QuoteStore,

    RefundHandler,
    RefundStore,

    BillingJobs,
  ],
})
export class BillingModule implements OnModuleInit, BeforeApplicationShutdown {
  constructor(
    private readonly transport: ServiceTransport,
    private readonly prices: PriceListCache,
    private readonly jobs: BillingJobs,
  ) {}

  static with(platform: Platform): DynamicModule {
    return {
      module: BillingModule,
      imports: [
        SettingsModule.with(platform, [SecuritySettings]),
        DatabaseModule.with(platform),
        BusModule.with(platform),
      ],
    };
  }

  /** Answers no call before sends can be priced. */
  async onModuleInit(): Promise<void> {
    await onceAvailable(() => this.prices.refresh());
    this.jobs.start();
  }

  /** Runs before the batches of controllers drain, in `onApplicationShutdown`. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.jobs.stop(), this.transport.ended()]);
  }
}
