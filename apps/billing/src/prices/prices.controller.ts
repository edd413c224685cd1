import { setTimeout as sleep } from 'node:timers/promises';
import { Controller } from '@nestjs/common';
import {
  type AnswerOf,
  billingCalls,
  type Outcome,
  type PriceList,
  type RequestOf,
  routes,
} from '@watchword/contracts';
import { CallPattern, Operation } from '@watchword/platform';
import { PRICE_LIST_SETTLED_MS, PriceListCache } from './price-list.cache.js';

@Controller()
export class PricesController {
  constructor(private readonly prices: PriceListCache) {}

  @Operation(routes.getPrices)
  async get(): Promise<Outcome<PriceList>> {
    return { body: (await this.prices.latest()).list };
  }

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
