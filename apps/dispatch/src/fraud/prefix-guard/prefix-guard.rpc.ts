import { Controller, Inject } from '@nestjs/common';
import { CallPattern, CLOCK, DATABASE } from '@watchword/platform';
import {
  type AnswerOf,
  type Clock,
  dispatchCalls,
  isUuid,
  type PrefixRestriction,
  type RequestOf,
} from '@watchword/contracts';
import type { DatabasePool } from '@watchword/postgres';
import { PrefixGuardStore, type Restriction } from './prefix-guard.store.js';

/** Gateways read the restrictions here; operators lift them here. */
@Controller()
export class PrefixGuardRpc {
  private readonly store: PrefixGuardStore;

  constructor(
    @Inject(DATABASE) private readonly pool: DatabasePool,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.store = new PrefixGuardStore(pool);
  }

  /** Reads the version first, so a change in between is sent twice and never missed. */
  @CallPattern(dispatchCalls, 'listPrefixRestrictions')
  async listPrefixRestrictions(
    request: RequestOf<'listPrefixRestrictions'>,
  ): AnswerOf<'listPrefixRestrictions'> {
    const version = await this.store.version();
    if (version === request.known_version) return { version, restrictions: null };
    const restrictions = await this.store.inForce(new Date(this.clock.now()));
    return { version, restrictions: restrictions.map(toPrefixRestriction) };
  }

  @CallPattern(dispatchCalls, 'liftPrefixRestriction')
  async liftPrefixRestriction(
    request: RequestOf<'liftPrefixRestriction'>,
  ): AnswerOf<'liftPrefixRestriction'> {
    const { workspace_id: workspaceId, prefix } = request;
    if (!isUuid(workspaceId)) return { lifted: null };
    const at = new Date(this.clock.now());
    const lifted = await this.pool.transaction(async (transaction) => {
      const store = new PrefixGuardStore(transaction);
      await store.nextVersion();
      return store.lift({ workspaceId, prefix }, at);
    });
    return { lifted: lifted && toPrefixRestriction(lifted) };
  }
}

function toPrefixRestriction(restriction: Restriction): PrefixRestriction {
  return {
    workspace_id: restriction.workspaceId,
    prefix: restriction.prefix,
    state: restriction.state,
    since: restriction.since.toISOString(),
    ends_at: restriction.endsAt?.toISOString() ?? null,
  };
}
