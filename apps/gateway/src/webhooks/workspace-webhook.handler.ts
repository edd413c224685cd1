import { Inject, Injectable } from '@nestjs/common';
import {
  ApiError,
  badCursor,
  type BillingCalls,
  ERROR_MESSAGES,
  type PageQuery,
  type PutWebhookBody,
  type WebhooksCalls,
  type WorkspaceId,
} from '@watchword/contracts';
import type { Outcome } from '../accounts/audit/outcome.js';
import { WorkspaceStore } from '../accounts/workspaces/workspace.store.js';
import { BILLING } from '../calls/billing-calls.js';
import { WEBHOOKS } from '../calls/webhooks-calls.js';
import { TrialWorkspaces } from '../limits/trial-workspaces.js';
import { refused, tooManyWebhooks } from './webhooks.handler.js';

/** The workspace's webhook of variant A, for operators and members. */
@Injectable()
export class WorkspaceWebhookHandler {
  constructor(
    @Inject(WEBHOOKS) private readonly webhooks: WebhooksCalls,
    @Inject(BILLING) private readonly billing: Pick<BillingCalls, 'getAccount'>,
    private readonly workspaces: WorkspaceStore,
    private readonly trials: TrialWorkspaces,
  ) {}

  async get(workspaceId: WorkspaceId): Promise<Outcome> {
    const { endpoint } = await this.webhooks.getWorkspaceEndpoint({ workspace_id: workspaceId });
    if (!endpoint) throw noWebhook();
    const {
      url,
      events,
      status,
      disabled_reason = null,
      secret,
      created_at,
      updated_at,
    } = endpoint;
    return { body: { url, events, status, disabled_reason, secret, created_at, updated_at } };
  }

  async put(workspaceId: WorkspaceId, { url, events }: PutWebhookBody): Promise<Outcome> {
    const workspace = await this.workspaces.find(workspaceId);
    const isTrial = workspace !== null && (await this.trials.isTrial(workspace));
    const wanted = { workspace_id: workspaceId, url, events: events ?? null, trial: isTrial };
    const result = await this.webhooks.putWorkspaceEndpoint(wanted);
    if (result.verdict === 'refused') throw refused(result);
    if (result.verdict === 'too_many') throw tooManyWebhooks(isTrial);
    const { endpoint } = result;
    return {
      body: { url: endpoint.url, events: endpoint.events, secret: endpoint.secret },
      effect: { workspace_id: workspaceId, url: endpoint.url, events: endpoint.events },
    };
  }

  async remove(workspaceId: WorkspaceId): Promise<Outcome> {
    const { deleted } = await this.webhooks.deleteWorkspaceEndpoint({ workspace_id: workspaceId });
    if (!deleted) throw noWebhook();
    return { effect: { workspace_id: workspaceId } };
  }

  async rotateSecret(workspaceId: WorkspaceId): Promise<Outcome> {
    const result = await this.webhooks.rotateWorkspaceSecret({ workspace_id: workspaceId });
    if ('verdict' in result) throw noWebhook();
    const { secret, previous_expires_at } = result;
    return {
      body: { secret, previous_expires_at },
      effect: { workspace_id: workspaceId, previous_expires_at },
    };
  }

  /** Sends a sample with the real balance, marked as a test. */
  async test(workspaceId: WorkspaceId): Promise<Outcome> {
    const account = await this.billing.getAccount({ workspace_id: workspaceId });
    const balance = account?.balance ?? 0;
    const result = await this.webhooks.sendTestEvent({ workspace_id: workspaceId, balance });
    if (result.verdict !== 'sent') {
      if (result.verdict === 'not_found') throw noWebhook();
      throw new ApiError('conflict', { message: ERROR_MESSAGES.webhookDisabled });
    }
    const { event_id, event_type, delivery_id } = result;
    return {
      body: { event_id, event_type, delivery_id },
      effect: { workspace_id: workspaceId, event_id },
    };
  }

  async deliveries(workspaceId: WorkspaceId, query: PageQuery): Promise<Outcome> {
    const page = await this.webhooks.listDeliveries({ ...query, workspace_id: workspaceId });
    if ('verdict' in page) throw badCursor();
    return { body: page };
  }
}

function noWebhook(): ApiError {
  return new ApiError('not_found', { message: ERROR_MESSAGES.noWebhook });
}
