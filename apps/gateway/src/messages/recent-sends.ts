import { Inject, Injectable } from '@nestjs/common';
import type { BillingCalls, Clock, RecentSend } from '@watchword/contracts';
import { isUnavailable, CLOCK } from '@watchword/platform';
import { BILLING } from '../calls/billing-calls.js';
import type { Scope } from './scope.policy.js';

/**
 * Milliseconds. A message that has not reached dispatch by then is delayed, and a list does not
 * wait for it.
 */
const RECENT_MS = 2_000;

/** The sends that a list waits for, on every gateway: those that were just accepted. */
@Injectable()
export class RecentSends {
  constructor(
    @Inject(BILLING) private readonly billing: Pick<BillingCalls, 'listRecentSends'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Returns nothing when billing is unavailable. */
  async of(scope: Scope, channel: 'texts' | 'emails'): Promise<readonly RecentSend[]> {
    const since = new Date(this.clock.now() - RECENT_MS).toISOString();
    const asked = { ...scope, since, emails: channel === 'emails' };
    try {
      return (await this.billing.listRecentSends(asked)).data;
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      return [];
    }
  }
}
