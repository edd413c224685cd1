import { Controller, Inject } from '@nestjs/common';
import {
  type AnswerOf,
  type Clock,
  isUuid,
  type RequestOf,
  webhooksCalls,
} from '@watchword/contracts';
import { CallPattern, CLOCK } from '@watchword/platform';
import { DeliveryListStore } from '../deliveries/delivery-list.store.js';
import { toWebhookDelivery } from '../deliveries/delivery-records.policy.js';
import { EventListStore } from './event-list.store.js';
import { EVENTS_KEPT_MS } from './retention.policy.js';

/** Lists events: for receivers that repair gaps, and for the pages of the dashboard. */
@Controller()
export class EventsRpc {
  constructor(
    private readonly events: EventListStore,
    private readonly deliveries: DeliveryListStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @CallPattern(webhooksCalls, 'listEvents')
  async listEvents(request: RequestOf<'listEvents'>): AnswerOf<'listEvents'> {
    const { workspace_id: workspaceId, after, limit, type = null } = request;
    if (!isUuid(workspaceId)) return { bodies: [] };
    const since = new Date(this.clock.now() - EVENTS_KEPT_MS);
    const testModeOnly = request.test_mode_only ?? false;
    const asked = { workspaceId, after, limit, type, testModeOnly, since };
    const { rows, next } = await this.events.page(asked);
    const page = { bodies: rows.map(({ body }) => body) };
    return next === null ? page : { ...page, next_after: next };
  }

  @CallPattern(webhooksCalls, 'getLastSequence')
  async getLastSequence(request: RequestOf<'getLastSequence'>): AnswerOf<'getLastSequence'> {
    const { workspace_id: workspaceId } = request;
    return { sequence: isUuid(workspaceId) ? await this.events.lastSequence(workspaceId) : 0 };
  }

  @CallPattern(webhooksCalls, 'listMessageEvents')
  async listMessageEvents(request: RequestOf<'listMessageEvents'>): AnswerOf<'listMessageEvents'> {
    const { workspace_id: workspaceId, message_id: messageId } = request;
    if (!isUuid(workspaceId) || !isUuid(messageId)) return { data: [] };
    const events = await this.events.ofMessage(workspaceId, messageId);
    const ids = events.map(({ id }) => id);
    const made = await this.deliveries.ofEvents(workspaceId, ids);
    const data = events.map(({ occurredAt, ...event }) => ({
      ...event,
      occurred_at: occurredAt.toISOString(),
      deliveries: made.filter(({ eventId }) => eventId === event.id).map(toWebhookDelivery),
    }));
    return { data };
  }
}
