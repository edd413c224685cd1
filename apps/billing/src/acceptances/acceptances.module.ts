import { Module } from '@nestjs/common';
import { PricesModule } from '../prices/prices.module.js';
import { QuotesModule } from '../quotes/quotes.module.js';
import { AcceptBatchHandler } from './accept-batch.handler.js';
import { AcceptHandler } from './accept.handler.js';
import { AcceptRpc } from './accept.rpc.js';
import { AcceptStore } from './accept.store.js';
import { AcceptanceStore } from './acceptance.store.js';
import { AcceptancesRpc } from './acceptances.rpc.js';
import { BatchesRpc } from './batches.rpc.js';
import { KeySpendingStore } from './key-spending.store.js';
import { PurgeStore } from './purge.store.js';

/** Prices, charges and records in one transaction, and looks acceptances up. */
@Module({
  imports: [PricesModule, QuotesModule],
  controllers: [AcceptRpc, BatchesRpc, AcceptancesRpc],
  providers: [
    AcceptStore,
    AcceptHandler,
    AcceptBatchHandler,
    AcceptanceStore,
    KeySpendingStore,
    PurgeStore,
  ],
  exports: [PurgeStore],
})
export class AcceptancesModule {}
