import { Controller, Inject } from '@nestjs/common';
import {
  badCursor,
  type Clock,
  type DeliveryId,
  type EndpointId,
  ID_POSITION,
  type IdempotencyClaim,
  ListCursor,
  momentOf,
  type Outcome,
  type Page,
  type PageQuery,
  routes,
  unknownResource,
  type WebhookDeliveriesQuery,
  type WebhookDelivery,
  type WebhookDeliveryRecord,
} from '@watchword/contracts';
import {
  Caller,
  Claim,
  CLOCK,
  Id,
  KeyedAnswers,
  Operation,
  Query,
  type WorkspaceCaller,
} from '@watchword/platform';
import { EndpointStore } from '../endpoints/endpoint.store.js';
import { DeliveryListStore } from './delivery-list.store.js';
import { toDeliveryRecord, toWebhookDelivery } from './delivery-records.policy.js';
import { DeliveryScheduler } from './delivery.scheduler.js';
import { isDisabled } from './refusals.policy.js';
import { ReplayStore } from './replay.store.js';

const deliveryIdsOfWorkspace = new ListCursor('delivery', ID_POSITION);
/** Each endpoint has its own list. */
const deliveryIdsOf = (endpointId: EndpointId) =>
  new ListCursor(`webhook-delivery:${endpointId}`, ID_POSITION);

/** Webhook deliveries. A test key sees and repeats those of test mode, every other caller all. */
@Controller()
export class DeliveriesController {
  constructor(
    private readonly deliveries: DeliveryListStore,
    @Inject(EndpointStore) private readonly endpoints: Pick<EndpointStore, 'find'>,
    private readonly keyed: KeyedAnswers,
    @Inject(DeliveryScheduler) private readonly scheduler: Pick<DeliveryScheduler, 'due'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Operation(routes.listOwnWebhookDeliveries, routes.listWorkspaceWebhookDeliveries)
  async list(
    @Caller() { workspace_id: workspaceId }: WorkspaceCaller,
    @Query() { limit, cursor }: PageQuery,
  ): Promise<Outcome<Page<WebhookDelivery>>> {
    const before = positionIn(deliveryIdsOfWorkspace, cursor);
    // One row more than the page shows whether there is a next page.
    const rows = await this.deliveries.list(workspaceId, before, limit + 1);
    const shown = rows.slice(0, limit);
    const page: Page<WebhookDelivery> = { data: shown.map(toWebhookDelivery) };
    const last = shown.at(-1);
    if (rows.length > limit && last) page.next_cursor = deliveryIdsOfWorkspace.after(last.id);
    return { body: page };
  }

  /** A page can be short and still have a next one. */
  @Operation(routes.listWebhookDeliveries)
  async listOfEndpoint(
    @Caller() { workspace_id: workspaceId, test_mode: testMode }: WorkspaceCaller,
    @Id() id: EndpointId,
    @Query() query: WebhookDeliveriesQuery,
  ): Promise<Outcome<Page<WebhookDeliveryRecord>>> {
    const { limit, cursor, created_after: after } = query;
    const createdAfter = after === undefined ? null : momentOf(after, 'created_after');
    const endpoint = await this.endpoints.find(workspaceId, id);
    if (!endpoint) throw unknownResource('webhook');
    const deliveryIds = deliveryIdsOf(endpoint.id);
    const { rows, next } = await this.deliveries.ofEndpoint(workspaceId, id, {
      before: positionIn(deliveryIds, cursor),
      limit,
      status: query.status ?? null,
      eventType: query.event_type ?? null,
      createdAfter,
      testModeOnly: testMode === true,
    });
    const page: Page<WebhookDeliveryRecord> = { data: rows.map(toDeliveryRecord) };
    if (next !== null) page.next_cursor = deliveryIds.after(next);
    return { body: page };
  }

  /** Creates a new delivery of the same event, with the same id and bytes. */
  @Operation(routes.replayWebhookDelivery)
  async replay(
    @Caller() { workspace_id: workspaceId, test_mode: testMode }: WorkspaceCaller,
    @Id() id: DeliveryId,
    @Claim() claim: IdempotencyClaim | null,
  ): Promise<Outcome<WebhookDeliveryRecord>> {
    const outcome = await this.keyed.once(workspaceId, claim, async (transaction, at) => {
      const store = new ReplayStore(transaction);
      const replayed = await store.replay(workspaceId, id, testMode === true, at);
      if (replayed === 'disabled') throw isDisabled();
      if (replayed === 'not_found') throw unknownResource('webhook_delivery');
      const row = await new DeliveryListStore(transaction).find(workspaceId, replayed.id);
      return { body: toDeliveryRecord(row!) };
    });
    const { body, replayed } = outcome;
    if (body && !replayed) this.scheduler.due(body.webhook_id, this.clock.now());
    return outcome;
  }
}

function positionIn(cursors: ListCursor, cursor: string | undefined): string | null {
  if (cursor === undefined) return null;
  const id = cursors.read(cursor);
  if (id === undefined) throw badCursor();
  return id;
}
