import { Controller } from '@nestjs/common';
import { DEFAULT_EVENTS, type Outcome, type PutWebhookBody, routes } from '@watchword/contracts';
import { Body, Caller, Operation, type WorkspaceCaller } from '@watchword/platform';
import { EndpointHandler } from './endpoint.handler.js';
import { type Endpoint, reasonOf } from './endpoint.js';
import { noWebhook } from './refusals.policy.js';

/** The workspace's webhook of variant A, for members and operators. */
@Controller()
export class WorkspaceWebhookController {
  constructor(private readonly endpoints: EndpointHandler) {}

  @Operation(routes.getOwnWebhook)
  async get(@Caller() { workspace_id: workspaceId }: WorkspaceCaller): Promise<Outcome> {
    const endpoint = await this.endpoints.get(workspaceId);
    if (endpoint === null) throw noWebhook();
    const { url, status, secret, createdAt, updatedAt } = endpoint;
    return {
      body: {
        ...{ url, events: eventsOf(endpoint), status, disabled_reason: reasonOf(endpoint), secret },
        ...{ created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() },
      },
    };
  }

  /** A second call keeps the secret. */
  @Operation(routes.putOwnWebhook, routes.putWorkspaceWebhook)
  async put(
    @Caller() { workspace_id: workspaceId, is_trial: trial = true }: WorkspaceCaller,
    @Body() body: PutWebhookBody,
  ): Promise<Outcome> {
    const wanted = { url: body.url, events: body.events ?? null, trial };
    const endpoint = await this.endpoints.put(workspaceId, wanted);
    const stored = { url: endpoint.url, events: eventsOf(endpoint) };
    return {
      body: { ...stored, secret: endpoint.secret },
      effect: { workspace_id: workspaceId, ...stored },
    };
  }

  @Operation(routes.deleteOwnWebhook, routes.deleteWorkspaceWebhook)
  async delete(@Caller() { workspace_id: workspaceId }: WorkspaceCaller): Promise<Outcome> {
    if (!(await this.endpoints.delete(workspaceId))) throw noWebhook();
    return { effect: { workspace_id: workspaceId } };
  }

  @Operation(routes.rotateOwnWebhookSecret, routes.rotateWorkspaceWebhookSecret)
  async rotateSecret(@Caller() { workspace_id: workspaceId }: WorkspaceCaller): Promise<Outcome> {
    const rotated = await this.endpoints.rotateSecret(workspaceId);
    if (rotated === null) throw noWebhook();
    const { secret } = rotated;
    const previous_expires_at = rotated.previousExpiresAt.toISOString();
    return {
      body: { secret, previous_expires_at },
      effect: { workspace_id: workspaceId, previous_expires_at },
    };
  }
}

function eventsOf({ events }: Endpoint): string[] {
  return [...(events ?? DEFAULT_EVENTS)];
}
