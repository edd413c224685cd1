import { Controller, Inject } from '@nestjs/common';
import {
  ApiError,
  type EndpointId,
  ERROR_MESSAGES,
  type IdempotencyClaim,
  isUuid,
  momentOf,
  type Outcome,
  RECOVERY_DAYS_MAX,
  type RecoverWebhookBody,
  routes,
  unknownResource,
  type WebhookRecovery,
} from '@watchword/contracts';
import {
  Body,
  Caller,
  Claim,
  DATABASE,
  Id,
  KeyedAnswers,
  Operation,
  Parameter,
  type WorkspaceCaller,
} from '@watchword/platform';
import type { Queryable } from '@watchword/postgres';
import { EndpointStore } from '../endpoints/endpoint.store.js';
import { isDisabled } from './refusals.policy.js';
import { RecoveryStore } from './recovery.store.js';

const DAY_MS = 86_400_000;

/** Repeats deliveries that failed or were never made, from a time on. */
@Controller()
export class RecoveryController {
  constructor(
    @Inject(DATABASE) private readonly database: Queryable,
    private readonly endpoints: EndpointStore,
    private readonly keyed: KeyedAnswers,
  ) {}

  @Operation(routes.recoverWebhook)
  async recover(
    @Caller() { workspace_id: workspaceId, test_mode: testMode }: WorkspaceCaller,
    @Id() id: EndpointId,
    @Body() body: RecoverWebhookBody,
    @Claim() claim: IdempotencyClaim | null,
  ): Promise<Outcome<WebhookRecovery>> {
    const since = momentOf(body.since, 'since');
    return this.keyed.once(workspaceId, claim, async (transaction, at) => {
      if (+since < +at - RECOVERY_DAYS_MAX * DAY_MS) {
        const message = ERROR_MESSAGES.recoveryTooOld(RECOVERY_DAYS_MAX);
        throw new ApiError('validation_error', { field: 'since', message });
      }
      const endpoint = await this.endpoints.within(transaction).find(workspaceId, id);
      if (!endpoint) throw unknownResource('webhook');
      if (endpoint.status === 'disabled') throw isDisabled();
      const store = new RecoveryStore(transaction);
      const recovery = await store.begin(workspaceId, id, since, testMode === true, at);
      if (recovery) return { body: recovery };
      throw new ApiError('conflict', { message: ERROR_MESSAGES.recoveryRunning });
    });
  }

  @Operation(routes.getWebhookRecovery)
  async get(
    @Caller() { workspace_id: workspaceId }: WorkspaceCaller,
    @Id() id: EndpointId,
    @Parameter('recovery_id') recoveryId: string,
  ): Promise<Outcome<WebhookRecovery>> {
    const store = new RecoveryStore(this.database);
    const recovery = isUuid(recoveryId) ? await store.find(workspaceId, id, recoveryId) : null;
    if (!recovery) throw unknownResource('recovery');
    return { body: recovery };
  }
}
