import { Controller, Inject } from '@nestjs/common';
import {
  type AnswerOf,
  type Clock,
  isUuid,
  RECOVERY_DAYS_MAX,
  type RequestOf,
  type WebhookRecovery,
  webhooksCalls,
} from '@watchword/contracts';
import { CallPattern, CLOCK, DATABASE } from '@watchword/platform';
import type { Queryable } from '@watchword/postgres';
import { EndpointStore } from '../endpoints/endpoint.store.js';
import { KeyedEffects } from '../endpoints/keyed-effects.js';
import { RecoveryStore } from './recovery.store.js';

const DAY_MS = 86_400_000;

type Begun =
  { verdict: 'not_found' | 'disabled' | 'running' | 'too_old' } | { recovery: WebhookRecovery };

/** Repeats deliveries that failed or were never made, from a time on. */
@Controller()
export class RecoveryRpc {
  constructor(
    @Inject(DATABASE) private readonly database: Queryable,
    private readonly endpoints: EndpointStore,
    private readonly effects: KeyedEffects,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @CallPattern(webhooksCalls, 'recoverWebhook')
  async recoverWebhook(request: RequestOf<'recoverWebhook'>): AnswerOf<'recoverWebhook'> {
    const { workspace_id: workspaceId, id, idempotency } = request;
    if (!isUuid(id)) return { verdict: 'not_found' };
    const at = new Date(this.clock.now());
    const since = new Date(request.since);
    const testModeOnly = request.test_mode_only ?? false;
    const keyed = await this.effects.once<Begun>(
      workspaceId,
      idempotency,
      at,
      async (transaction) => {
        if (+since < +at - RECOVERY_DAYS_MAX * DAY_MS) return { verdict: 'too_old' };
        const endpoint = await this.endpoints.within(transaction).find(workspaceId, id);
        if (!endpoint) return { verdict: 'not_found' };
        if (endpoint.status === 'disabled') return { verdict: 'disabled' };
        const store = new RecoveryStore(transaction);
        const recovery = await store.begin(workspaceId, id, since, testModeOnly, at);
        return recovery ? { recovery } : { verdict: 'running' };
      },
      (answer) => 'verdict' in answer,
    );
    if ('verdict' in keyed) return keyed;
    return 'verdict' in keyed.answer ? keyed.answer : { replayed: keyed.replayed, ...keyed.answer };
  }

  @CallPattern(webhooksCalls, 'getWebhookRecovery')
  async getWebhookRecovery(
    request: RequestOf<'getWebhookRecovery'>,
  ): AnswerOf<'getWebhookRecovery'> {
    const { workspace_id: workspaceId, id, recovery_id: recoveryId } = request;
    const known = isUuid(id) && isUuid(recoveryId);
    const store = new RecoveryStore(this.database);
    return { recovery: known ? await store.find(workspaceId, id, recoveryId) : null };
  }
}
