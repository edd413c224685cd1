import { Injectable } from '@nestjs/common';
import { CarrierChoicesStore } from './carrier-choices.store.js';
import type { CarrierChoice } from './route-table.policy.js';
import { Router } from './router.js';

/** Every process looks every two seconds, so that a decision of an operator is at work everywhere. */
@Injectable()
export class FollowChoices {
  constructor(
    private readonly choices: CarrierChoicesStore,
    private readonly router: Router,
  ) {}

  async refresh(): Promise<void> {
    this.router.follow(await this.choices.read());
  }

  /** As they were read just now. */
  follow(choices: readonly (CarrierChoice & { readonly id: string })[]): void {
    this.router.follow(new Map(choices.map(({ id, ...choice }) => [id, choice])));
  }
}
