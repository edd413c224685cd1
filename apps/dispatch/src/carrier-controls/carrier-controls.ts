import { Injectable } from '@nestjs/common';
import type { CarrierRecord } from '@watchword/contracts';
import { ProviderOrder } from '../emails/provider-order.js';
import { Router } from '../routing/router.js';
import type { CarrierChoice } from '../routing/route-table.policy.js';
import type { ControlledAccounts } from '../routing/controlled-accounts.js';
import { CarrierChoicesStore } from './carrier-choices.store.js';

/** The carrier accounts of all channels, and operators' decisions about them. */
@Injectable()
export class CarrierControls {
  private readonly channels: readonly ControlledAccounts[];

  constructor(
    private readonly choices: CarrierChoicesStore,
    texts: Router,
    emails: ProviderOrder,
  ) {
    this.channels = [texts, emails];
  }

  list(): CarrierRecord[] {
    return this.channels.flatMap((channel) => channel.list());
  }

  find(id: string): CarrierRecord | undefined {
    return this.list().find((account) => account.id === id);
  }

  /** Whether the account can be preferred in countries. */
  hasCountries(id: string): boolean {
    return this.channels.some(
      (channel) => channel.hasCountries && channel.list().some((account) => account.id === id),
    );
  }

  async refresh(): Promise<void> {
    const choices = await this.choices.read();
    for (const channel of this.channels) channel.follow(choices);
  }

  /** Applies decisions that were just read. */
  follow(found: readonly (CarrierChoice & { readonly id: string })[]): void {
    const choices = new Map(found.map(({ id, ...choice }) => [id, choice]));
    for (const channel of this.channels) channel.follow(choices);
  }
}
