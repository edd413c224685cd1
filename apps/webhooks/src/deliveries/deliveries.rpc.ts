import { Controller, Inject } from '@nestjs/common';
import {
  type AnswerOf,
  type Clock,
  type EndpointId,
  ID_POSITION,
  isUuid,
  ListCursor,
  type RequestOf,
  type WebhookDeliveryRecord,
  webhooksCalls,
} from '@watchword/contracts';
import { CallPattern, CLOCK } from '@watchword/platform';
import { EndpointStore } from '../endpoints/endpoint.store.js';
import { KeyedEffects } from '../endpoints/keyed-effects.js';
import { DeliveryListStore } from './delivery-list.store.js';
import { toDeliveryRecord, toWebhookDelivery } from './delivery-records.policy.js';
import { DeliveryScheduler } from './delivery.scheduler.js';
import { ReplayStore } from './replay.store.js';

const deliveryIdsOfWorkspace = new ListCursor('delivery', ID_POSITION);
/** Each endpoint has its own list. */
const deliveryIdsOf = (endpointId: EndpointId) =>
  new ListCursor(`webhook-delivery:${endpointId}`, ID_POSITION);

type Replay = { verdict: 'not_found' | 'disabled' } | { delivery: WebhookDeliveryRecord };

@Controller()
export class DeliveriesRpc {
  constructor(
    private readonly deliveries: DeliveryListStore,
    @Inject(EndpointStore) private readonly endpoints: Pick<EndpointStore, 'find'>,
    private readonly effects: KeyedEffects,
    @Inject(DeliveryScheduler) private readonly scheduler: Pick<DeliveryScheduler, 'due'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @CallPattern(webhooksCalls, 'listDeliveries')
  async listDeliveries(request: RequestOf<'listDeliveries'>): AnswerOf<'listDeliveries'> {
    const { workspace_id: workspaceId, limit, cursor } = request;
    const before = cursor === undefined ? null : deliveryIdsOfWorkspace.read(cursor);
    if (before === undefined) return { verdict: 'bad_cursor' };
    if (!isUuid(workspaceId)) return { data: [] };
    // One row more than the page shows whether there is a next page.
    const rows = await this.deliveries.list(workspaceId, before, limit + 1);
    const shown = rows.slice(0, limit);
    const data = shown.map(toWebhookDelivery);
    return rows.length > limit
      ? { data, next_cursor: deliveryIdsOfWorkspace.after(shown.at(-1)!.id) }
      : { data };
  }

  @CallPattern(webhooksCalls, 'listWebhookDeliveries')
  async listWebhookDeliveries(
    request: RequestOf<'listWebhookDeliveries'>,
  ): AnswerOf<'listWebhookDeliveries'> {
    const { workspace_id: workspaceId, id, limit, cursor, status, created_after } = request;
    const endpoint = isUuid(id) ? await this.endpoints.find(workspaceId, id) : null;
    if (!endpoint) return { verdict: 'not_found' };
    const deliveryIds = deliveryIdsOf(endpoint.id);
    const before = cursor === undefined ? null : deliveryIds.read(cursor);
    if (before === undefined) return { verdict: 'bad_cursor' };
    const { rows, next } = await this.deliveries.ofEndpoint(workspaceId, id, {
      before,
      limit,
      status: status ?? null,
      eventType: request.event_type ?? null,
      createdAfter: created_after === undefined ? null : new Date(created_after),
      testModeOnly: request.test_mode_only ?? false,
    });
    const data = rows.map(toDeliveryRecord);
    return next === null ? { data } : { data, next_cursor: deliveryIds.after(next) };
  }

  @CallPattern(webhooksCalls, 'replayWebhookDelivery')
  async replayWebhookDelivery(
    request: RequestOf<'replayWebhookDelivery'>,
  ): AnswerOf<'replayWebhookDelivery'> {
    const { workspace_id: workspaceId, id, idempotency } = request;
    if (!isUuid(id)) return { verdict: 'not_found' };
    const testModeOnly = request.test_mode_only ?? false;
    const at = new Date(this.clock.now());
    const keyed = await this.effects.once<Replay>(
      workspaceId,
      idempotency,
      at,
      async (transaction) => {
        const store = new ReplayStore(transaction);
        const replayed = await store.replay(workspaceId, id, testModeOnly, at);
        if (typeof replayed === 'string') return { verdict: replayed };
        const row = await new DeliveryListStore(transaction).find(workspaceId, replayed.id);
        return { delivery: toDeliveryRecord(row!) };
      },
      (answer) => 'verdict' in answer,
    );
    if ('verdict' in keyed) return keyed;
    const { answer, replayed } = keyed;
    if ('verdict' in answer) return answer;
    if (!replayed) this.scheduler.due(answer.delivery.webhook_id, at.getTime());
    return { replayed, ...answer };
  }
}
