import { Inject, Injectable } from '@nestjs/common';
import type { BillingCalls, Clock, DispatchCalls } from '@watchword/contracts';
import { isAway, patiently, CLOCK } from '@watchword/platform';
import { BILLING } from '../billing/billing-calls.js';
import { DISPATCH } from './dispatch-calls.js';
import type { Walls } from './walls.policy.js';

/**
 * Milliseconds. A message that has not reached dispatch by then is delayed, and a list does not
 * wait for it.
 */
const RECENT_MS = 2_000;
const PATIENCE_MS = 1_000;
/** Waits use a clock that cannot be set. */
const steadyClock: Clock = { now: () => performance.now() };

type Sent = Awaited<ReturnType<BillingCalls['listRecentSends']>>['data'][number];

/**
 * Makes lists include a send that was just accepted. Lists are read in dispatch, which gets a send
 * some milliseconds after its answer. A list right after a send waits that long, on every gateway.
 */
@Injectable()
export class RecentSends {
  constructor(
    @Inject(BILLING) private readonly billing: Pick<BillingCalls, 'listRecentSends'>,
    @Inject(DISPATCH) private readonly dispatch: Pick<DispatchCalls, 'getMessage'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Waits a bounded time until dispatch has the workspace's last sends. */
  async arrival(walls: Walls, kind: Sent['kind'] | undefined): Promise<void> {
    const accepted = await this.accepted(walls);
    let missing = accepted.filter((sent) => kind === undefined || sent.kind === kind);
    if (missing.length === 0) return;
    await patiently(
      steadyClock,
      PATIENCE_MS,
      async () => {
        const known = await Promise.all(missing.map((sent) => this.hasArrived(walls, sent)));
        missing = missing.filter((_, index) => !known[index]);
      },
      () => missing.length === 0,
    );
  }

  /** Returns accepted sends, or nothing when billing is unavailable. */
  private async accepted(walls: Walls): Promise<readonly Sent[]> {
    const since = new Date(this.clock.now() - RECENT_MS).toISOString();
    try {
      return (await this.billing.listRecentSends({ ...walls, since })).data;
    } catch (error) {
      if (!isAway(error)) throw error;
      return [];
    }
  }

  private async hasArrived(walls: Walls, sent: Sent): Promise<boolean> {
    const { message } = await this.dispatch.getMessage({ ...walls, ...sent });
    return message !== null;
  }
}
