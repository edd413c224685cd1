import { Inject, Injectable } from '@nestjs/common';
import { type Provider, SIMULATOR_NAMES } from '@watchword/carriers';
import type { CarrierRecord, DispatchCalls } from '@watchword/contracts';
import { CarrierChoicesStore } from './carrier-choices.store.js';
import { Router } from './router.js';
import { CARRIERS } from './configured-providers.js';

/** Live carrier accounts as this process sees them, and what operators decide about them. */
@Injectable()
export class CarriersRpc {
  constructor(
    private readonly choices: CarrierChoicesStore,
    private readonly router: Router,
    @Inject(CARRIERS) private readonly providers: ReadonlyMap<string, Provider>,
  ) {}

  /** Every process does this every two seconds, so that a decision is at work everywhere. */
  async refresh(): Promise<boolean> {
    this.router.follow(await this.choices.read());
    return false;
  }

  listCarriers: DispatchCalls['listCarriers'] = async () => {
    await this.refresh();
    const live = [...this.providers.values()].filter(isLive);
    return { carriers: live.map((one) => this.recordOf(one)) };
  };

  changeCarrier: DispatchCalls['changeCarrier'] = async ({ id, state, preferred_in }) => {
    const provider = this.providers.get(id);
    if (!provider || !isLive(provider)) return { carrier: null };
    await this.choices.change(id, { state, preferredIn: preferred_in });
    await this.refresh();
    return { carrier: this.recordOf(provider) };
  };

  private recordOf({ name: id, carrier }: Provider): CarrierRecord {
    return { id, carrier, ...this.router.describe(id) };
  }
}

function isLive({ name }: Provider): boolean {
  return !SIMULATOR_NAMES.some((simulator) => simulator === name);
}
