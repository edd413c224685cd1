import { Injectable } from '@nestjs/common';
import { CarrierChoicesStore } from './carrier-choices.store.js';
import type { CarrierChoice } from './route-table.policy.js';
import { Router } from './router.js';

/** Reads operators' decisions every two seconds, in every process. */
@Injectable()
export class FollowChoices {
  constructor(
    private readonly choices: CarrierChoicesStore,
    private readonly router: Router,
  ) {}

  async refresh(): Promise<void> {
    this.router.follow(await this.choices.read());
  }

  /** Applies decisions that were just read. */
  follow(choices: readonly (CarrierChoice & { readonly id: string })[]): void {
    this.router.follow(new Map(choices.map(({ id, ...choice }) => [id, choice])));
  }
}
