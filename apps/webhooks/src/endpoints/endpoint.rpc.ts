import { Controller } from '@nestjs/common';
import {
  type AnswerOf,
  DEFAULT_EVENTS,
  isUuid,
  type RequestOf,
  webhooksCalls,
  type WorkspaceEndpoint,
} from '@watchword/contracts';
import { CallPattern } from '@watchword/platform';
import { EndpointHandler } from './endpoint.handler.js';
import { type Endpoint, reasonOf } from './endpoint.js';

/** A workspace id that is no UUID has no endpoint, like any unknown one. */
@Controller()
export class EndpointRpc {
  constructor(private readonly endpoints: EndpointHandler) {}

  @CallPattern(webhooksCalls, 'putWorkspaceEndpoint')
  async putWorkspaceEndpoint(
    request: RequestOf<'putWorkspaceEndpoint'>,
  ): AnswerOf<'putWorkspaceEndpoint'> {
    const { workspace_id: workspaceId, url, events, trial = false } = request;
    const result = await this.endpoints.put(workspaceId, { url, events, trial });
    if (result.verdict !== 'done') return result;
    return { verdict: 'done', endpoint: toWorkspaceEndpoint(result.endpoint) };
  }

  @CallPattern(webhooksCalls, 'getWorkspaceEndpoint')
  async getWorkspaceEndpoint(
    request: RequestOf<'getWorkspaceEndpoint'>,
  ): AnswerOf<'getWorkspaceEndpoint'> {
    const { workspace_id: workspaceId } = request;
    const endpoint = isUuid(workspaceId) ? await this.endpoints.get(workspaceId) : null;
    return { endpoint: endpoint && toWorkspaceEndpoint(endpoint) };
  }

  @CallPattern(webhooksCalls, 'deleteWorkspaceEndpoint')
  async deleteWorkspaceEndpoint(
    request: RequestOf<'deleteWorkspaceEndpoint'>,
  ): AnswerOf<'deleteWorkspaceEndpoint'> {
    const { workspace_id: workspaceId } = request;
    return { deleted: isUuid(workspaceId) && (await this.endpoints.delete(workspaceId)) };
  }

  @CallPattern(webhooksCalls, 'rotateWorkspaceSecret')
  async rotateWorkspaceSecret(
    request: RequestOf<'rotateWorkspaceSecret'>,
  ): AnswerOf<'rotateWorkspaceSecret'> {
    const { workspace_id: workspaceId } = request;
    const rotated = isUuid(workspaceId) ? await this.endpoints.rotateSecret(workspaceId) : null;
    if (!rotated) return { verdict: 'not_found' };
    return {
      secret: rotated.secret,
      previous_expires_at: rotated.previousExpiresAt.toISOString(),
    };
  }
}

function toWorkspaceEndpoint(endpoint: Endpoint): WorkspaceEndpoint {
  return {
    id: endpoint.id,
    url: endpoint.url,
    events: [...(endpoint.events ?? DEFAULT_EVENTS)],
    status: endpoint.status,
    disabled_reason: reasonOf(endpoint),
    secret: endpoint.secret,
    created_at: endpoint.createdAt.toISOString(),
    updated_at: endpoint.updatedAt.toISOString(),
  };
}
