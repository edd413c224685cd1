import { Module } from '@nestjs/common';
import { PriceListCache } from './price-list.cache.js';
import { PriceListStore } from './price-list.store.js';
import { PricesRpc } from './prices.rpc.js';

/** The price list in force. */
@Module({
  controllers: [PricesRpc],
  providers: [PriceListStore, PriceListCache],
  exports: [PriceListCache],
})
export class PricesModule {}
