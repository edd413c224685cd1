import { Controller, Inject } from '@nestjs/common';
import { type Provider, SIMULATOR_NAMES } from '@watchword/carriers';
import {
  type AnswerOf,
  type CarrierRecord,
  type DispatchCalls,
  dispatchCalls,
  type RequestOf,
} from '@watchword/contracts';
import { CallPattern } from '@watchword/platform';
import { CarrierChoicesStore } from './carrier-choices.store.js';
import { FollowChoices } from './follow-choices.js';
import { Router } from './router.js';
import { CARRIERS } from './configured-providers.js';

/** Live carrier accounts as this process sees them, and operators' decisions about them. */
@Controller()
export class CarriersRpc {
  constructor(
    private readonly choices: CarrierChoicesStore,
    private readonly following: FollowChoices,
    private readonly router: Router,
    @Inject(CARRIERS) private readonly providers: ReadonlyMap<string, Provider>,
  ) {}

  @CallPattern(dispatchCalls, 'listCarriers')
  async listCarriers(): AnswerOf<DispatchCalls, 'listCarriers'> {
    await this.following.refresh();
    const live = [...this.providers.values()].filter(isLive);
    return { carriers: live.map((one) => this.recordOf(one)) };
  }

  @CallPattern(dispatchCalls, 'changeCarrier')
  async changeCarrier({
    id,
    state,
    preferred_in,
  }: RequestOf<DispatchCalls, 'changeCarrier'>): AnswerOf<DispatchCalls, 'changeCarrier'> {
    const provider = this.providers.get(id);
    if (!provider || !isLive(provider)) return { carrier: null };
    await this.choices.change(id, { state, preferredIn: preferred_in });
    await this.following.refresh();
    return { carrier: this.recordOf(provider) };
  }

  private recordOf({ name: id, carrier }: Provider): CarrierRecord {
    return { id, carrier, ...this.router.describe(id) };
  }
}

function isLive({ name }: Provider): boolean {
  return !SIMULATOR_NAMES.some((simulator) => simulator === name);
}
