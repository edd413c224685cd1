import { CallPattern, CLOCK } from '@watchword/platform';

import { Controller, Inject } from '@nestjs/common';
import {
  type AnswerOf,
  type Clock,
  type CreatedWebhook,
  isUuid,
  type RefusedWebhook,
  type RequestOf,
  TRIAL_WEBHOOKS_MAX,
  type WebhookRecord,
  WEBHOOKS_MAX,
  webhooksCalls,
} from '@watchword/contracts';
import { CLOSING, type Closing, HELD, type Held, needsTest } from './endpoint.handler.js';
import { problemOfUrl, ALLOW_LOOPBACK } from './endpoint-url.policy.js';
import { type Endpoint, reasonOf } from './endpoint.js';
import { EndpointStore } from './endpoint.store.js';
import { problemOfEvents } from './events.policy.js';
import { KeyedEffects } from './keyed-effects.js';
import { newSecret } from './new-secret.js';
import { refusal } from './refusal.js';
import { previousSecretExpiry } from './secret-rotation.policy.js';

type Rotation = { secret: string; previous_expires_at: string } | { verdict: 'not_found' };

/** The endpoints of variant B. An id that is no UUID counts as unknown. */
@Controller()
export class WebhookRpc {
  constructor(
    private readonly endpoints: EndpointStore,
    private readonly effects: KeyedEffects,
    @Inject(CLOSING) private readonly closing: Closing,
    @Inject(HELD) private readonly held: Held,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(ALLOW_LOOPBACK) private readonly allowLoopback: boolean,
  ) {}

  @CallPattern(webhooksCalls, 'createWebhook')
  async createWebhook(request: RequestOf<'createWebhook'>): AnswerOf<'createWebhook'> {
    const { workspace_id: workspaceId, url, description, idempotency, trial = false } = request;
    const events = [...new Set(request.events)];
    const refused = this.problemOf(url, events);
    if (refused) return refused;
    const at = this.now();
    const max = trial ? TRIAL_WEBHOOKS_MAX : WEBHOOKS_MAX;
    const wanted = { url, events, description, secret: newSecret(), at, max, trial };
    const keyed = await this.effects.once<CreatedWebhook | null>(
      workspaceId,
      idempotency,
      at,
      async (transaction) => {
        const endpoint = await this.endpoints.within(transaction).create(workspaceId, wanted);
        return endpoint && { ...toRecord(endpoint), secret: endpoint.secret };
      },
      (answer) => answer === null,
    );
    if ('verdict' in keyed) return keyed;
    if (keyed.answer === null) return { verdict: 'too_many' };
    return { replayed: keyed.replayed, webhook: keyed.answer };
  }

  @CallPattern(webhooksCalls, 'listWebhooks')
  async listWebhooks({
    workspace_id: workspaceId,
  }: RequestOf<'listWebhooks'>): AnswerOf<'listWebhooks'> {
    return {
      data: (await this.endpoints.findAll(workspaceId)).map(toRecord),
    };
  }

  @CallPattern(webhooksCalls, 'getWebhook')
  async getWebhook({
    workspace_id: workspaceId,
    id,
  }: RequestOf<'getWebhook'>): AnswerOf<'getWebhook'> {
    const endpoint = isUuid(id) ? await this.endpoints.find(workspaceId, id) : null;
    return { webhook: endpoint && toRecord(endpoint) };
  }

  @CallPattern(webhooksCalls, 'updateWebhook')
  async updateWebhook(request: RequestOf<'updateWebhook'>): AnswerOf<'updateWebhook'> {
    const { workspace_id: workspaceId, id, url, description, status, trial = false } = request;
    const before = isUuid(id) ? await this.endpoints.find(workspaceId, id) : null;
    if (!before) return { verdict: 'not_found' };
    const events = request.events && [...new Set(request.events)];
    const refused = this.problemOf(url, events);
    if (refused) return refused;
    if (status === 'enabled' && before.status === 'disabled') await this.closing.close(id);
    const at = this.now();
    const untested = needsTest(trial, url ?? before.url, before);
    const wanted = { url, events, description, status, trial, untested };
    const endpoint = await this.endpoints.change(workspaceId, id, wanted, at);
    if (!endpoint) return { verdict: 'not_found' };
    if (before.untested && !untested) await this.held.release([id], { endsTrial: true });
    if (endpoint.status === 'disabled') await this.closing.close(id);
    return { webhook: toRecord(endpoint) };
  }

  @CallPattern(webhooksCalls, 'deleteWebhook')
  async deleteWebhook({
    workspace_id: workspaceId,
    id,
  }: RequestOf<'deleteWebhook'>): AnswerOf<'deleteWebhook'> {
    const deleted = isUuid(id) && (await this.endpoints.delete(workspaceId, id, this.now()));
    if (deleted) await this.closing.close(id);
    return { deleted };
  }

  @CallPattern(webhooksCalls, 'rotateWebhookSecret')
  async rotateWebhookSecret(
    request: RequestOf<'rotateWebhookSecret'>,
  ): AnswerOf<'rotateWebhookSecret'> {
    const { workspace_id: workspaceId, id, idempotency } = request;
    if (!isUuid(id)) return { verdict: 'not_found' };
    const at = this.now();
    const replacement = { secret: newSecret(), previousExpiresAt: previousSecretExpiry(at), at };
    const keyed = await this.effects.once<Rotation>(
      workspaceId,
      idempotency,
      at,
      async (transaction) => {
        const endpoints = this.endpoints.within(transaction);
        const endpoint = await endpoints.find(workspaceId, id);
        const isReplaced = endpoint && (await endpoints.replaceSecret(endpoint, replacement));
        if (!isReplaced) return { verdict: 'not_found' };
        const { secret, previousExpiresAt } = replacement;
        return { secret, previous_expires_at: previousExpiresAt.toISOString() };
      },
      (answer) => 'verdict' in answer,
    );
    if ('verdict' in keyed) return keyed;
    return 'verdict' in keyed.answer ? keyed.answer : { replayed: keyed.replayed, ...keyed.answer };
  }

  private problemOf(url: string | undefined, events: string[] | undefined): RefusedWebhook | null {
    const urlProblem = url === undefined ? null : problemOfUrl(url, this.allowLoopback);
    if (urlProblem !== null) return refusal('url', urlProblem);
    const eventsProblem = events === undefined ? null : problemOfEvents(events, 'b');
    return eventsProblem && refusal('events', eventsProblem);
  }

  private now(): Date {
    return new Date(this.clock.now());
  }
}

function toRecord(endpoint: Endpoint): WebhookRecord {
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
