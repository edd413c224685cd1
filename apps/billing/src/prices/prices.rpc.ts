import { setTimeout as sleep } from 'node:timers/promises';
import { Controller } from '@nestjs/common';
import { type AnswerOf, billingCalls, type RequestOf } from '@watchword/contracts';
import { CallPattern } from '@watchword/platform';
import { PRICE_LIST_SETTLED_MS, PriceListCache } from './price-list.cache.js';

@Controller()
export class PricesRpc {
  constructor(private readonly prices: PriceListCache) {}

  @CallPattern(billingCalls, 'getPriceList')
  getPriceList(): AnswerOf<'getPriceList'> {
    return this.prices.latest();
  }

  /** After the answer, sends cost the same in every process. */
  @CallPattern(billingCalls, 'putPriceList')
  async putPriceList({ list }: RequestOf<'putPriceList'>): AnswerOf<'putPriceList'> {
    const version = await this.prices.put(list);
    await sleep(PRICE_LIST_SETTLED_MS);
    return version;
  }
}
