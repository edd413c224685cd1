import { Inject, Injectable } from '@nestjs/common';
import type { Clock, PutTopUpBody, TopUpField, UserId, WorkspaceId } from '@watchword/contracts';
import { crashPoint } from '@watchword/observability';
import { CLOCK, DATABASE } from '@watchword/platform';
import type { DatabasePool, Queryable } from '@watchword/postgres';
import { AccountStore } from '../accounts/account.store.js';
import { deleteAuthorisation } from './authorisations.js';
import { PaymentStore } from './payment.store.js';
import { raisedField } from './top-up-bounds.policy.js';
import { TopUpSettingsStore } from './top-up-settings.store.js';

interface Put extends PutTopUpBody {
  readonly workspace_id: WorkspaceId;
  readonly user_id: UserId;
}

/**
 * `no_authorisation`: no payment stored one. `not_agreed`: it is another person's, who did not agree
 * to this.
 */
type Refusal = { verdict: 'no_authorisation' } | { verdict: 'not_agreed'; field: TopUpField };

/**
 * What people do with automatic top-ups and the authorisation that pays for them. Every change holds the
 * account, as a charge does before it begins.
 */
@Injectable()
export class TopUpSettingsHandler {
  constructor(
    @Inject(DATABASE) private readonly pool: DatabasePool,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Only the authorisation's person may let it pay more than they agreed to. */
  put({ workspace_id: workspaceId, user_id: userId, ...body }: Put): Promise<Refusal | null> {
    return this.holding(workspaceId, async (transaction, at) => {
      const store = new TopUpSettingsStore(transaction);
      const saved = await store.findAuthorisation(workspaceId);
      if (body.enabled && !saved) return { verdict: 'no_authorisation' };
      const settings = settingsOf(body);
      if (saved?.savedBy === userId) {
        await store.agree(workspaceId, body.enabled ? settings : null);
      } else if (saved) {
        const known = { agreed: await store.findAgreed(workspaceId) };
        const field = raisedField(settings, { ...known, now: await store.find(workspaceId) });
        if (field !== null) return { verdict: 'not_agreed', field };
      }
      await store.put(workspaceId, settings, at);
      return null;
    });
  }

  /** Any owner may do this. Returns whether there was one. */
  deleteAuthorisation(workspaceId: WorkspaceId): Promise<boolean> {
    return this.holding(workspaceId, (transaction, at) =>
      deleteAuthorisation(transaction, workspaceId, null, 'authorisation_deleted', at),
    );
  }

  /** Deletes what this person saved. What they are paying now saves nothing. */
  deleteAuthorisationOf(workspaceId: WorkspaceId, userId: UserId): Promise<boolean> {
    return this.holding(workspaceId, async (transaction, at) => {
      await new PaymentStore(transaction).clearSaveAuthorisation(workspaceId, userId);
      return deleteAuthorisation(transaction, workspaceId, userId, 'owner_left', at);
    });
  }

  private async holding<Result>(
    workspaceId: WorkspaceId,
    work: (transaction: Queryable, at: Date) => Promise<Result>,
  ): Promise<Result> {
    const result = await this.pool.transaction(async (transaction) => {
      await new AccountStore(transaction).lock(workspaceId);
      const done = await work(transaction, new Date(this.clock.now()));
      crashPoint('billing.change-top-up.before-commit');
      return done;
    });
    crashPoint('billing.change-top-up.after-commit');
    return result;
  }
}

function settingsOf({ enabled, threshold, credits, monthly_cap_credits }: PutTopUpBody) {
  return { enabled, threshold, credits, monthlyCapCredits: monthly_cap_credits };
}
