import { Controller, Inject } from '@nestjs/common';
import {
  type BillingCalls,
  type Outcome,
  type PlatformSettingsPatch,
  type PriceList,
  routes,
} from '@watchword/contracts';
import { BILLING } from '../../calls/billing-calls.js';
import { checkPriceList } from '../../billing/price-list-check.policy.js';
import { PublicPriceListCache } from '../../billing/price-list.cache.js';
import { Body } from '../../edge/request/parameters.js';
import { Operation } from '../../edge/server/operation.decorator.js';
import { PlatformSettingsHolder } from '../../limits/platform-settings.js';

/** Settings of the whole installation, and changes of prices. */
@Controller()
export class OperatorPlatformController {
  constructor(
    @Inject(PlatformSettingsHolder) private readonly settings: PlatformSettingsHolder,
    @Inject(BILLING) private readonly billing: Pick<BillingCalls, 'putPriceList'>,
    @Inject(PublicPriceListCache) private readonly prices: PublicPriceListCache,
  ) {}

  @Operation(routes.getPlatformSettings)
  async getSettings(): Promise<Outcome> {
    await this.settings.load();
    return { body: this.settings.current };
  }

  @Operation(routes.updatePlatformSettings)
  async changeSettings(@Body() patch: PlatformSettingsPatch): Promise<Outcome> {
    return { body: await this.settings.change(patch), effect: { ...patch } };
  }

  @Operation(routes.putPrices)
  async putPrices(@Body() list: PriceList): Promise<Outcome<PriceList>> {
    checkPriceList(list);
    const { version, list: kept } = await this.billing.putPriceList({ list });
    this.prices.replaced();
    return { body: kept, effect: { price_list_version: version, prices: kept } };
  }
}
