import { Injectable } from '@nestjs/common';
import { CarrierChoicesStore } from './carrier-choices.store.js';
import { Router } from './router.js';

/** Every process does this every two seconds, so that a decision of an operator is at work everywhere. */
@Injectable()
export class FollowChoices {
  constructor(
    private readonly choices: CarrierChoicesStore,
    private readonly router: Router,
  ) {}

  async refresh(): Promise<false> {
    this.router.follow(await this.choices.read());
    return false;
  }
}
