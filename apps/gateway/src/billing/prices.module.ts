import { Module } from '@nestjs/common';
import { CallsModule } from '../calls.module.js';
import { InvalidationModule } from '../invalidation/invalidation.module.js';
import { LedgerHandler } from './ledger.handler.js';
import { PaymentsHandler } from './payments.handler.js';
import { PriceListCache } from './price-list.cache.js';
import { PriceListVersionStore } from './price-list-version.store.js';

/** Prices and ledgers, which the billing service keeps. */
@Module({
  imports: [CallsModule, InvalidationModule],
  providers: [PriceListVersionStore, PriceListCache, LedgerHandler, PaymentsHandler],
  exports: [PriceListCache, LedgerHandler, PaymentsHandler],
})
export class PricesModule {}
