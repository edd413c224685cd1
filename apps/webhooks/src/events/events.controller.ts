import { Controller, Inject } from '@nestjs/common';
import {
  type AnswerOf,
  type Clock,
  type EventsQuery,
  isUuid,
  type Outcome,
  type RequestOf,
  routes,
  webhooksCalls,
} from '@watchword/contracts';
import {
  Caller,
  CallPattern,
  CLOCK,
  Operation,
  Query,
  type WorkspaceCaller,
} from '@watchword/platform';
import { DeliveryListStore } from '../deliveries/delivery-list.store.js';
import { toWebhookDelivery } from '../deliveries/delivery-records.policy.js';
import { EventListStore } from './event-list.store.js';
import { EVENTS_KEPT_MS } from './retention.policy.js';

/** Lists events: for receivers that repair gaps, and for the pages of the dashboard. */
@Controller()
export class EventsController {
  constructor(
    private readonly events: EventListStore,
    private readonly deliveries: DeliveryListStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The bodies are JSON already, and shown exactly as delivered. */
  @Operation(routes.listEvents)
  async list(
    @Caller() { workspace_id: workspaceId, test_mode: testMode }: WorkspaceCaller,
    @Query() { after, limit, type }: EventsQuery,
  ): Promise<Outcome> {
    // A test key sees events of test messages only; a live key sees all.
    const asked = { workspace_id: workspaceId, after, limit, test_mode_only: testMode === true };
    const page = await this.readEvents({ ...asked, ...(type !== undefined && { type }) });
    const next = page.next_after === undefined ? '' : `,"next_after":${page.next_after}`;
    return { json: `{"data":[${page.bodies.join(',')}]${next}}` };
  }

  @CallPattern(webhooksCalls, 'readEvents')
  async readEvents(request: RequestOf<'readEvents'>): AnswerOf<'readEvents'> {
    const { workspace_id: workspaceId, after, limit, type = null } = request;
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
