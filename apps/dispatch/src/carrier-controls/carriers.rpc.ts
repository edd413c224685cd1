import { Controller } from '@nestjs/common';
import { type AnswerOf, dispatchCalls, type RequestOf } from '@watchword/contracts';
import { CallPattern } from '@watchword/platform';
import { CarrierChoicesStore } from './carrier-choices.store.js';
import { CarrierControls } from './carrier-controls.js';
import { UnmatchedReportsStore } from './unmatched-reports.store.js';

/** This process's view of live carrier accounts, and operators' decisions about them. */
@Controller()
export class CarriersRpc {
  constructor(
    private readonly choices: CarrierChoicesStore,
    private readonly controls: CarrierControls,
    private readonly reports: UnmatchedReportsStore,
  ) {}

  @CallPattern(dispatchCalls, 'listCarriers')
  async listCarriers(): AnswerOf<'listCarriers'> {
    await this.controls.refresh();
    const unmatched = await this.reports.byAccount();
    const counted = (id: string) => ({ reports_unmatched: unmatched.get(id) ?? 0 });
    return { carriers: this.controls.list().map((one) => ({ ...one, ...counted(one.id) })) };
  }

  @CallPattern(dispatchCalls, 'changeCarrier')
  async changeCarrier({
    id,
    state,
    preferred_in,
  }: RequestOf<'changeCarrier'>): AnswerOf<'changeCarrier'> {
    if (!this.controls.find(id)) return { carrier: null };
    const isMisplaced = (preferred_in ?? []).length > 0 && !this.controls.hasCountries(id);
    if (isMisplaced) return { carrier: null, refused: 'no_countries' };
    await this.choices.change(id, { state, preferredIn: preferred_in });
    await this.controls.refresh();
    return { carrier: this.controls.find(id) ?? null };
  }
}
