import { Controller, Inject } from '@nestjs/common';
import {
  type Clock,
  type CreatedWebhook,
  type CreateWebhookBody,
  type EndpointId,
  type IdempotencyClaim,
  type Outcome,
  type Page,
  type PageQuery,
  readPage,
  type RotatedSecret,
  routes,
  TRIAL_WEBHOOKS_MAX,
  unknownResource,
  type UpdateWebhookBody,
  type WebhookRecord,
  WEBHOOKS_MAX,
} from '@watchword/contracts';
import {
  Body,
  Caller,
  Claim,
  CLOCK,
  Id,
  KeyedAnswers,
  Operation,
  Query,
  type WorkspaceCaller,
} from '@watchword/platform';
import { CLOSING, type Closing, HELD, type Held, needsTest } from './endpoint.handler.js';
import { ALLOW_LOOPBACK } from './endpoint-url.policy.js';
import { type Endpoint, reasonOf } from './endpoint.js';
import { EndpointStore } from './endpoint.store.js';
import { newSecret } from './new-secret.js';
import { checkEndpoint, tooManyWebhooks } from './refusals.policy.js';
import { previousSecretExpiry } from './secret-rotation.policy.js';

/** `/v1/webhooks`: the endpoints of variant B. */
@Controller()
export class WebhooksController {
  constructor(
    private readonly endpoints: EndpointStore,
    private readonly keyed: KeyedAnswers,
    @Inject(CLOSING) private readonly closing: Closing,
    @Inject(HELD) private readonly held: Held,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(ALLOW_LOOPBACK) private readonly allowLoopback: boolean,
  ) {}

  /** A replay returns the secret again. */
  @Operation(routes.createWebhook)
  create(
    @Caller() { workspace_id: workspaceId, is_trial: trial = true }: WorkspaceCaller,
    @Body() { url, description = null, ...body }: CreateWebhookBody,
    @Claim() claim: IdempotencyClaim | null,
  ): Promise<Outcome<CreatedWebhook>> {
    const events = [...new Set(body.events)];
    checkEndpoint({ url, events }, 'b', this.allowLoopback);
    const max = trial ? TRIAL_WEBHOOKS_MAX : WEBHOOKS_MAX;
    const wanted = { url, events, description, secret: newSecret(), max, trial };
    return this.keyed.once(workspaceId, claim, async (transaction, at) => {
      const endpoints = this.endpoints.within(transaction);
      const endpoint = await endpoints.create(workspaceId, { ...wanted, at });
      if (endpoint === null) throw tooManyWebhooks(trial);
      return { body: { ...shown(endpoint), secret: endpoint.secret } };
    });
  }

  @Operation(routes.listWebhooks)
  async list(
    @Caller() { workspace_id: workspaceId }: WorkspaceCaller,
    @Query() query: PageQuery,
  ): Promise<Outcome<Page<WebhookRecord>>> {
    // There are at most 20.
    const all = await this.endpoints.findAll(workspaceId);
    const read = async (limit: number, beforeId: string | null) =>
      all.filter(({ id }) => beforeId === null || id < beforeId).slice(0, limit);
    return { body: await readPage('webhooks', query, read, (rows) => rows.map(shown)) };
  }

  @Operation(routes.getWebhook)
  async get(
    @Caller() { workspace_id: workspaceId }: WorkspaceCaller,
    @Id() id: EndpointId,
  ): Promise<Outcome<WebhookRecord>> {
    return { body: shown(known(await this.endpoints.find(workspaceId, id))) };
  }

  /** Disabling an endpoint fails its pending deliveries. */
  @Operation(routes.updateWebhook)
  async update(
    @Caller() { workspace_id: workspaceId, is_trial: trial = true }: WorkspaceCaller,
    @Id() id: EndpointId,
    @Body() { url, description, status, ...body }: UpdateWebhookBody,
  ): Promise<Outcome<WebhookRecord>> {
    const before = known(await this.endpoints.find(workspaceId, id));
    const events = body.events && [...new Set(body.events)];
    checkEndpoint({ url, events }, 'b', this.allowLoopback);
    if (status === 'enabled' && before.status === 'disabled') await this.closing.close(id);
    const untested = needsTest(trial, url ?? before.url, before);
    const wanted = { url, events, description, status, trial, untested };
    const endpoint = known(await this.endpoints.change(workspaceId, id, wanted, this.now()));
    if (before.untested && !untested) await this.held.release([id], { endsTrial: true });
    if (endpoint.status === 'disabled') await this.closing.close(id);
    return { body: shown(endpoint) };
  }

  @Operation(routes.deleteWebhook)
  async delete(
    @Caller() { workspace_id: workspaceId }: WorkspaceCaller,
    @Id() id: EndpointId,
  ): Promise<Outcome> {
    const deleted = await this.endpoints.delete(workspaceId, id, this.now());
    if (!deleted) throw unknownResource('webhook');
    await this.closing.close(id);
    return {};
  }

  @Operation(routes.rotateWebhookSecret)
  rotateSecret(
    @Caller() { workspace_id: workspaceId }: WorkspaceCaller,
    @Id() id: EndpointId,
    @Claim() claim: IdempotencyClaim | null,
  ): Promise<Outcome<RotatedSecret>> {
    return this.keyed.once(workspaceId, claim, async (transaction, at) => {
      const endpoints = this.endpoints.within(transaction);
      const endpoint = known(await endpoints.find(workspaceId, id));
      const [secret, previousExpiresAt] = [newSecret(), previousSecretExpiry(at)];
      const isReplaced = await endpoints.replaceSecret(endpoint, { secret, previousExpiresAt, at });
      if (!isReplaced) throw unknownResource('webhook');
      return { body: { secret, previous_expires_at: previousExpiresAt.toISOString() } };
    });
  }

  private now(): Date {
    return new Date(this.clock.now());
  }
}

function known(endpoint: Endpoint | null): Endpoint {
  if (endpoint === null) throw unknownResource('webhook');
  return endpoint;
}

function shown(endpoint: Endpoint): WebhookRecord {
  return {
    id: endpoint.id,
    url: endpoint.url,
    events: [...(endpoint.events ?? [])],
    description: endpoint.description,
    status: endpoint.status,
    disabled_reason: reasonOf(endpoint),
    created_at: endpoint.createdAt.toISOString(),
    updated_at: endpoint.updatedAt.toISOString(),
  };
}
