import { Inject, Injectable } from '@nestjs/common';
import {
  ApiError,
  badCursor,
  type CreatedWebhook,
  type CreateWebhookBody,
  type DeliveryId,
  type EndpointId,
  ERROR_MESSAGES,
  type IdempotencyClaim,
  inputMessage,
  type Page,
  type PageQuery,
  readMoment,
  readPage,
  RECOVERY_DAYS_MAX,
  type RecoverWebhookBody,
  type RefusedWebhook,
  type TestWebhookBody,
  TRIAL_WEBHOOKS_MAX,
  WEBHOOKS_MAX,
  unknownResource,
  type UpdateWebhookBody,
  type WebhookDeliveriesQuery,
  type WebhookDeliveryRecord,
  type WebhookRecord,
  type WebhookRecovery,
  type WebhooksCalls,
  type WorkspaceId,
} from '@watchword/contracts';
import type { WorkspaceView } from '../accounts/keys/key-directory.port.js';
import { InFlightKeys } from '../calls/in-flight-keys.js';
import { WEBHOOKS } from '../calls/webhooks-calls.js';
import { TrialWorkspaces } from '../limits/trial-workspaces.js';

export interface Replayable<Answer> {
  readonly answer: Answer;
  readonly replayed: boolean;
}

/** A key sees and repeats the deliveries of its own mode; a live key those of both. */
interface OfMode {
  readonly testModeOnly: boolean;
}

interface Keyed {
  readonly workspaceId: WorkspaceId;
  readonly claim: IdempotencyClaim | null;
}

/** The webhook endpoints of a workspace for variant B. */
@Injectable()
export class WebhooksHandler {
  constructor(
    @Inject(WEBHOOKS) private readonly webhooks: WebhooksCalls,
    private readonly inFlight: InFlightKeys,
    private readonly trials: TrialWorkspaces,
  ) {}

  create(
    keyed: Keyed,
    workspace: WorkspaceView,
    body: CreateWebhookBody,
  ): Promise<Replayable<CreatedWebhook>> {
    return this.once(keyed, async () => {
      const isTrial = await this.trials.isTrial(workspace);
      const result = await this.webhooks.createWebhook({
        workspace_id: keyed.workspaceId,
        url: body.url,
        events: body.events,
        description: body.description ?? null,
        idempotency: keyed.claim,
        trial: isTrial,
      });
      if (!('verdict' in result)) return { answer: result.webhook, replayed: result.replayed };
      if (result.verdict === 'refused') throw refused(result);
      throw result.verdict === 'too_many' ? tooManyWebhooks(isTrial) : keyConflict();
    });
  }

  /** All of them come in one call: there are at most 20. */
  async list(workspaceId: WorkspaceId, query: PageQuery): Promise<Page<WebhookRecord>> {
    const { data } = await this.webhooks.listWebhooks({ workspace_id: workspaceId });
    const read = async (limit: number, beforeId: string | null) =>
      data.filter(({ id }) => beforeId === null || id < beforeId).slice(0, limit);
    return readPage('webhooks', query, read, (records) => records);
  }

  async get(workspaceId: WorkspaceId, id: EndpointId): Promise<WebhookRecord> {
    const { webhook } = await this.webhooks.getWebhook({ workspace_id: workspaceId, id });
    if (!webhook) throw unknownWebhook();
    return webhook;
  }

  async update(
    workspace: WorkspaceView,
    id: EndpointId,
    body: UpdateWebhookBody,
  ): Promise<WebhookRecord> {
    const isTrial = await this.trials.isTrial(workspace);
    const result = await this.webhooks.updateWebhook({
      ...body,
      workspace_id: workspace.id,
      id,
      trial: isTrial,
    });
    if (!('verdict' in result)) return result.webhook;
    throw result.verdict === 'refused' ? refused(result) : unknownWebhook();
  }

  async remove(workspaceId: WorkspaceId, id: EndpointId): Promise<void> {
    const { deleted } = await this.webhooks.deleteWebhook({ workspace_id: workspaceId, id });
    if (!deleted) throw unknownWebhook();
  }

  rotateSecret(
    keyed: Keyed,
    id: EndpointId,
  ): Promise<Replayable<{ secret: string; previous_expires_at: string }>> {
    return this.once(keyed, async () => {
      const result = await this.webhooks.rotateWebhookSecret({ ...asked(keyed), id });
      if ('verdict' in result) {
        throw result.verdict === 'not_found' ? unknownWebhook() : keyConflict();
      }
      const { replayed, ...answer } = result;
      return { answer, replayed };
    });
  }

  test(
    keyed: Keyed,
    id: EndpointId,
    { type = null }: { type?: TestWebhookBody['type'] | null },
  ): Promise<Replayable<WebhookDeliveryRecord>> {
    return this.once(keyed, async () => {
      const result = await this.webhooks.testWebhook({ ...asked(keyed), id, type });
      if (!('verdict' in result)) return { answer: result.delivery, replayed: result.replayed };
      if (result.verdict === 'refused') throw refused(result);
      if (result.verdict === 'full') {
        throw new ApiError('rate_limit_exceeded', { retryAfterSeconds: 1 });
      }
      throw result.verdict === 'not_found' ? unknownWebhook() : keyConflict();
    });
  }

  async deliveries(
    { workspaceId, testModeOnly }: OfMode & Pick<Keyed, 'workspaceId'>,
    id: EndpointId,
    query: WebhookDeliveriesQuery,
  ) {
    const { created_after: after } = query;
    const page = await this.webhooks.listWebhookDeliveries({
      ...query,
      workspace_id: workspaceId,
      test_mode_only: testModeOnly,
      id,
      ...(after === undefined ? {} : { created_after: instantOf(after, 'created_after') }),
    });
    if (!('verdict' in page)) return page;
    throw page.verdict === 'bad_cursor' ? badCursor() : unknownWebhook();
  }

  replay(keyed: Keyed & OfMode, id: DeliveryId): Promise<Replayable<WebhookDeliveryRecord>> {
    return this.once(keyed, async () => {
      const result = await this.webhooks.replayWebhookDelivery({
        ...asked(keyed),
        test_mode_only: keyed.testModeOnly,
        id,
      });
      if (!('verdict' in result)) return { answer: result.delivery, replayed: result.replayed };
      if (result.verdict === 'disabled') throw conflict('webhookIsDisabled');
      throw result.verdict === 'not_found' ? unknownDelivery() : keyConflict();
    });
  }

  recover(
    keyed: Keyed & OfMode,
    id: EndpointId,
    body: RecoverWebhookBody,
  ): Promise<Replayable<WebhookRecovery>> {
    const since = instantOf(body.since, 'since');
    return this.once(keyed, async () => {
      const result = await this.webhooks.recoverWebhook({
        ...asked(keyed),
        test_mode_only: keyed.testModeOnly,
        id,
        since,
      });
      if (!('verdict' in result)) return { answer: result.recovery, replayed: result.replayed };
      if (result.verdict === 'disabled') throw conflict('webhookIsDisabled');
      if (result.verdict === 'running') throw conflict('recoveryRunning');
      if (result.verdict === 'too_old') {
        const message = ERROR_MESSAGES.recoveryTooOld(RECOVERY_DAYS_MAX);
        throw new ApiError('validation_error', { field: 'since', message });
      }
      throw result.verdict === 'not_found' ? unknownWebhook() : keyConflict();
    });
  }

  async recovery(
    workspaceId: WorkspaceId,
    id: EndpointId,
    recoveryId: string,
  ): Promise<WebhookRecovery> {
    const named = { workspace_id: workspaceId, id, recovery_id: recoveryId };
    const { recovery } = await this.webhooks.getWebhookRecovery(named);
    if (!recovery) {
      throw unknownResource('recovery');
    }
    return recovery;
  }

  private once<Answer>(
    { workspaceId, claim }: Keyed,
    work: () => Promise<Replayable<Answer>>,
  ): Promise<Replayable<Answer>> {
    return this.inFlight.during(workspaceId, claim, work);
  }
}

function asked({ workspaceId, claim }: Keyed) {
  return { workspace_id: workspaceId, idempotency: claim };
}

function instantOf(text: string, field: string): string {
  const at = readMoment(text);
  if (at) return at.toISOString();
  throw new ApiError('validation_error', { field, message: inputMessage(field, 'notAMoment') });
}

export function refused({ field, message: en, message_fr: fr }: RefusedWebhook): ApiError {
  return new ApiError('validation_error', { field, message: { en, fr } });
}

type Conflict = 'webhookIsDisabled' | 'recoveryRunning';

function conflict(name: Conflict): ApiError {
  return new ApiError('conflict', { message: ERROR_MESSAGES[name] });
}

export function tooManyWebhooks(isTrial: boolean): ApiError {
  const message = isTrial
    ? ERROR_MESSAGES.tooManyTrialWebhooks(TRIAL_WEBHOOKS_MAX)
    : ERROR_MESSAGES.tooManyWebhooks(WEBHOOKS_MAX);
  return new ApiError('conflict', { message });
}

function keyConflict(): ApiError {
  return new ApiError('idempotency_conflict');
}

function unknownWebhook(): ApiError {
  return unknownResource('webhook');
}

function unknownDelivery(): ApiError {
  return unknownResource('webhook_delivery');
}
