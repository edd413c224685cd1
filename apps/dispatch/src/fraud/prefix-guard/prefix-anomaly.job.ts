import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, LOGGER, DATABASE } from '@watchword/platform';
import { type Clock, newEventId, TOPICS } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import type { Queryable, Transactional } from '@watchword/postgres';
import { CHECK_EVERY_MS, isAnomalous, onFlag, type PrefixRecord } from './prefix-anomaly.policy.js';
import { PrefixGuardStore, type WatchedPrefix } from './prefix-guard.store.js';

/**
 * Checks the last hour of live OTPs every five minutes, in one process at a time. The check, its
 * restrictions, their version and their events are one transaction.
 */
@Injectable()
export class PrefixAnomalyJob {
  constructor(
    @Inject(DATABASE) private readonly pool: Transactional,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Call it more often than every five minutes. It does nothing before its time. */
  async run(): Promise<void> {
    const at = new Date(this.clock.now());
    const restricted = await this.pool.transaction((transaction) => this.check(transaction, at));
    for (const { workspaceId, prefix, otps, verified, state } of restricted) {
      const found = { workspaceId, prefix, otps, verified, state };
      this.logger.warn(found, 'a destination prefix looks like pumping and is restricted');
    }
  }

  private async check(transaction: Queryable, at: Date) {
    const store = new PrefixGuardStore(transaction);
    const due = await store.beginCheck(at, new Date(at.getTime() - CHECK_EVERY_MS));
    if (!due) return [];
    const restricted: (WatchedPrefix & Pick<PrefixRecord, 'state'>)[] = [];
    for (const prefix of (await store.watched(at)).filter(isAnomalous)) {
      const next = onFlag(prefix.record, at);
      if (!next) continue;
      await store.restrict(prefix, next, at);
      await store.announce(TOPICS.prefixEvents.name, eventOf(prefix, next, at));
      restricted.push({ ...prefix, state: next.state });
    }
    if (restricted.length > 0) await store.nextVersion();
    return restricted;
  }
}

function eventOf(prefix: WatchedPrefix, { state, endsAt }: PrefixRecord, at: Date) {
  return {
    event_id: newEventId(),
    type: state === 'blocked' ? ('prefix.blocked' as const) : ('prefix.throttled' as const),
    workspace_id: prefix.workspaceId,
    prefix: prefix.prefix,
    otp_count: prefix.otps,
    verified_count: prefix.verified,
    ends_at: endsAt?.toISOString() ?? null,
    occurred_at: at.toISOString(),
  };
}
