import { Controller, Inject } from '@nestjs/common';
import {
  ApiError,
  type CarrierRecord,
  type ChangeCarrierBody,
  type DispatchCalls,
  inputMessage,
  type Outcome,
  routes,
  unknownResource,
} from '@watchword/contracts';
import { Body, CarrierId } from '../../edge/request/parameters.js';
import { Operation } from '../../edge/server/operation.decorator.js';
import { checkCountry } from '../../accounts/settings/workspace-settings.policy.js';
import { DISPATCH } from '../../calls/dispatch-calls.js';

/** Carrier accounts: their health, and which of them are used. */
@Controller()
export class OperatorCarriersController {
  constructor(@Inject(DISPATCH) private readonly dispatch: DispatchCalls) {}

  @Operation(routes.listCarriers)
  async list(): Promise<Outcome<{ data: CarrierRecord[] }>> {
    return { body: { data: (await this.dispatch.listCarriers({})).carriers } };
  }

  @Operation(routes.changeCarrier)
  async change(
    @CarrierId() id: string,
    @Body() body: ChangeCarrierBody,
  ): Promise<Outcome<CarrierRecord>> {
    body.preferred_in?.forEach((country, index) => checkCountry(country, `preferred_in.${index}`));
    const { carrier, refused } = await this.dispatch.changeCarrier({ ...body, id });
    if (refused === 'no_countries') {
      const message = inputMessage('preferred_in', 'noCountriesOfEmail');
      throw new ApiError('validation_error', { field: 'preferred_in', message });
    }
    if (!carrier) throw unknownResource('carrier_account');
    return { body: carrier, effect: { ...body, carrier: id } };
  }
}
