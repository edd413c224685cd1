import { Module } from '@nestjs/common';
import { BillingAccountsModule } from '../accounts/accounts.module.js';
import { PlansModule } from '../plans/plans.module.js';
import { PricesModule } from '../prices/prices.module.js';
import { QuoteStore } from './quote.store.js';
import { QuotesRpc } from './quotes.rpc.js';

/** Prices that hold for one send. */
@Module({
  imports: [BillingAccountsModule, PlansModule, PricesModule],
  controllers: [QuotesRpc],
  providers: [QuoteStore],
  exports: [QuoteStore],
})
export class QuotesModule {}
