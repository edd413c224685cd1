import { Inject, Injectable } from '@nestjs/common';
import {
  type BillingCalls,
  type Clock,
  type DispatchCalls,
  isPhoneKind,
  type PhoneKind,
  type RecentSend,
} from '@watchword/contracts';
import { isAway, patiently, CLOCK } from '@watchword/platform';
import { BILLING } from '../calls/billing-calls.js';
import { DISPATCH } from '../calls/dispatch-calls.js';
import type { Scope } from './scope.policy.js';

/**
 * Milliseconds. A message that has not reached dispatch by then is delayed, and a list does not
 * wait for it.
 */
const RECENT_MS = 2_000;
const PATIENCE_MS = 1_000;
type Sent = RecentSend & { kind: PhoneKind };

/** Emails of a list. All recent ones are among them, also where further ones come meanwhile. */
const EMAILS_LISTED = 100;

/**
 * Makes lists include a send that was just accepted. Lists are read in dispatch, which gets a send
 * some milliseconds after its answer. A list right after a send waits that long, on every gateway.
 */
@Injectable()
export class RecentSends {
  /** Times the waits: a clock that never goes back. Specs set their own. */
  timeoutClock: Clock = { now: () => performance.now() };

  constructor(
    @Inject(BILLING) private readonly billing: Pick<BillingCalls, 'listRecentSends'>,
    @Inject(DISPATCH) private readonly dispatch: Pick<DispatchCalls, 'getMessage' | 'listEmails'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Waits a bounded time until dispatch has the workspace's last sends. */
  async arrival(walls: Scope, kind: Sent['kind'] | undefined): Promise<void> {
    const accepted = (await this.accepted(walls, false)).filter(isToPhone);
    const wanted = accepted.filter((sent) => kind === undefined || sent.kind === kind);
    await this.all(wanted, async (missing) => {
      const known = await Promise.all(missing.map((sent) => this.hasArrived(walls, sent)));
      return missing.filter((_, index) => !known[index]);
    });
  }

  /** The same for the workspace's last emails. */
  async arrivalOfEmails(walls: Scope): Promise<void> {
    await this.all(await this.accepted(walls, true), async (missing) => {
      const page = await this.dispatch.listEmails({ ...walls, limit: EMAILS_LISTED });
      const known = new Set('data' in page ? page.data.map(({ id }) => id) : []);
      return missing.filter(({ message_id: id }) => !known.has(id));
    });
  }

  private async all<One>(
    wanted: readonly One[],
    stillMissing: (missing: readonly One[]) => Promise<readonly One[]>,
  ): Promise<void> {
    let missing = wanted;
    if (missing.length === 0) return;
    await patiently(
      this.timeoutClock,
      PATIENCE_MS,
      async () => void (missing = await stillMissing(missing)),
      () => missing.length === 0,
    );
  }

  /** Returns accepted sends, or nothing when billing is unavailable. */
  private async accepted(walls: Scope, emails: boolean): Promise<readonly RecentSend[]> {
    const since = new Date(this.clock.now() - RECENT_MS).toISOString();
    try {
      return (await this.billing.listRecentSends({ ...walls, since, emails })).data;
    } catch (error) {
      if (!isAway(error)) throw error;
      return [];
    }
  }

  private async hasArrived(walls: Scope, sent: Sent): Promise<boolean> {
    const { message } = await this.dispatch.getMessage({ ...walls, ...sent });
    return message !== null;
  }
}

function isToPhone(sent: RecentSend): sent is Sent {
  return isPhoneKind(sent.kind);
}
