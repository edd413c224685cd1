import { Controller } from '@nestjs/common';
import {
  ApiError,
  type CarrierRecord,
  type ChangeCarrierBody,
  inputMessage,
  type Outcome,
  routes,
  unknownResource,
} from '@watchword/contracts';
import { Body, checkCountry, Id, Operation } from '@watchword/platform';
import { CarrierChoicesStore } from './carrier-choices.store.js';
import { CarrierControls } from './carrier-controls.js';
import { UnmatchedReportsStore } from './unmatched-reports.store.js';

/** This process's view of live carrier accounts, and operators' decisions about them. */
@Controller()
export class CarriersController {
  constructor(
    private readonly choices: CarrierChoicesStore,
    private readonly controls: CarrierControls,
    private readonly reports: UnmatchedReportsStore,
  ) {}

  @Operation(routes.listCarriers)
  async list(): Promise<Outcome<{ data: CarrierRecord[] }>> {
    await this.controls.refresh();
    const unmatched = await this.reports.byAccount();
    const counted = (id: string) => ({ reports_unmatched: unmatched.get(id) ?? 0 });
    return { body: { data: this.controls.list().map((one) => ({ ...one, ...counted(one.id) })) } };
  }

  /** Other processes follow within two seconds. */
  @Operation(routes.changeCarrier)
  async change(
    @Id() id: string,
    @Body() change: ChangeCarrierBody,
  ): Promise<Outcome<CarrierRecord>> {
    const { state, preferred_in: preferredIn } = change;
    preferredIn?.forEach((country, index) => checkCountry(country, `preferred_in.${index}`));
    if (!this.controls.find(id)) throw unknownResource('carrier_account');
    if (preferredIn?.length && !this.controls.hasCountries(id)) {
      const message = inputMessage('preferred_in', 'noCountriesOfEmail');
      throw new ApiError('validation_error', { field: 'preferred_in', message });
    }
    await this.choices.change(id, { state, preferredIn });
    await this.controls.refresh();
    const carrier = this.controls.find(id);
    if (!carrier) throw new Error(`carrier account ${id} is gone`);
    return { body: carrier, effect: { ...change, carrier: id } };
  }
}
