import { Module } from '@nestjs/common';
import { CallsModule } from '../calls/calls.module.js';
import { LedgerHandler } from './ledger.handler.js';
import { PublicPriceListCache } from './price-list.cache.js';

/** Prices and ledgers, which the billing service keeps. */
@Module({
  imports: [CallsModule],
  providers: [PublicPriceListCache, LedgerHandler],
  exports: [PublicPriceListCache, LedgerHandler],
})
export class PublicPricesModule {}
