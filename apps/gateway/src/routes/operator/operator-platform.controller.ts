import { Controller, Get, Inject, Patch, Put, Req, Res } from '@nestjs/common';
import { type BillingCalls, PlatformSettingsPatch, PutPricesBody } from '@watchword/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { compileBody } from '../../edge/pipes/validation.policy.js';
import { PlatformSettingsHolder } from '../../limits/platform-settings.js';
import { PriceListCache } from '../../billing/price-list.cache.js';
import { BILLING } from '../../billing/billing-calls.js';
import { OperatorEdge } from '../../edge/interceptors/operator-edge.js';
import { checkPriceList } from '../../billing/price-list-check.policy.js';

const readSettingsPatch = compileBody(PlatformSettingsPatch);
const readPrices = compileBody(PutPricesBody);

/** What holds for everybody: limits by IP, and prices. */
@Controller('operator/v1')
export class OperatorPlatformController {
  constructor(
    @Inject(OperatorEdge) private readonly edge: OperatorEdge,
    @Inject(PlatformSettingsHolder) private readonly settings: PlatformSettingsHolder,
    @Inject(BILLING) private readonly billing: BillingCalls,
    @Inject(PriceListCache) private readonly prices: PriceListCache,
  ) {}

  @Get('settings')
  getSettings(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 200, async () => ({ body: this.settings.current }));
  }

  @Patch('settings')
  changeSettings(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 200, async () => {
      const patch = readSettingsPatch(request.body);
      return { body: await this.settings.change(patch), effect: { ...patch } };
    });
  }

  @Get('prices')
  getPrices(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 200, async () => ({
      body: (await this.billing.getPriceList({})).list,
    }));
  }

  @Put('prices')
  putPrices(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 200, async () => {
      const list = readPrices(request.body);
      checkPriceList(list);
      const { version, list: kept } = await this.billing.putPriceList({ list });
      await this.prices.replaced(version);
      return { body: kept, effect: { price_list_version: version, prices: kept } };
    });
  }
}
