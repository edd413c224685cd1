import type { Bus, Subscription } from '@watchword/bus';
import { type AccountEvent, TOPICS } from '@watchword/contracts';
import type { SuspensionStore } from './suspension.store.js';

/** Follows which workspaces are suspended, and which countries they may send to. */
export function consumeAccountEvents(bus: Bus, store: SuspensionStore): Promise<Subscription> {
  return bus.subscribe<AccountEvent>(
    TOPICS.accountEvents,
    { group: 'dispatch.suspensions', batchSizeMax: 500 },
    (batch) =>
      store.stand(
        batch.map(({ payload }) => ({
          workspaceId: payload.workspace_id,
          suspended: payload.suspended ?? false,
          changedAt: payload.occurred_at,
          enforcedCountries: payload.enforced_countries ?? null,
        })),
      ),
  );
}
