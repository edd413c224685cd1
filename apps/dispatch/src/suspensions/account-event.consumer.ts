import { Controller } from '@nestjs/common';
import type { IncomingMessage } from '@watchword/bus';
import { type AccountEvent, TOPICS } from '@watchword/contracts';
import { BatchPattern } from '@watchword/platform';
import { SuspensionStore } from './suspension.store.js';

/** Follows which workspaces are suspended, and the settings that count when a message is due. */
@Controller()
export class AccountEventConsumer {
  constructor(private readonly store: SuspensionStore) {}

  @BatchPattern(TOPICS.accountEvents, { group: 'dispatch.suspensions', batchSizeMax: 500 })
  handle(batch: IncomingMessage<AccountEvent>[]): Promise<void> {
    return this.store.stand(
      batch.map(({ payload }) => ({
        workspaceId: payload.workspace_id,
        suspended: payload.suspended ?? false,
        changedAt: payload.occurred_at,
        enforcedCountries: payload.enforced_countries ?? null,
        sharedSenderIds: payload.shared_sender_ids ?? null,
        antiSpam: payload.anti_spam ?? null,
        antiSpamAllow: payload.anti_spam_allow ?? null,
        quietHours: payload.quiet_hours ?? null,
      })),
    );
  }
}
