import { type Clock, isUuid, newEventId, newId, type WebhooksCalls } from '@watchword/contracts';
import type { DeliverHandler } from '../deliveries/deliver.handler.js';
import type { EndpointStore } from '../endpoints/endpoint.store.js';
import { variantAHead } from '../payloads/envelope.policy.js';
import type { TestEventStore } from './test-event.store.js';

/** The one kind of data that has a member to say that it is a sample. */
const TYPE = 'credit_balance.topped_up';

/** Fires a synthetic event, so that a receiver can be tried without sending anything. */
export class TestEventRpc {
  constructor(
    private readonly endpoints: Pick<EndpointStore, 'findOwn'>,
    private readonly events: TestEventStore,
    private readonly deliveries: Pick<DeliverHandler, 'due'>,
    private readonly clock: Clock,
  ) {}

  sendTestEvent: WebhooksCalls['sendTestEvent'] = async ({
    workspace_id: workspaceId,
    balance,
  }) => {
    const endpoint = isUuid(workspaceId) ? await this.endpoints.findOwn(workspaceId) : null;
    if (!endpoint) return { verdict: 'not_found' };
    if (endpoint.status === 'disabled') return { verdict: 'disabled' };
    const at = new Date(this.clock.now());
    const data = { workspace_id: workspaceId, balance, test: true };
    const event = { eventId: newEventId(), deliveryId: newId(), type: TYPE };
    const head = variantAHead(TYPE, at.toISOString(), data);
    await this.events.insert({ ...event, workspaceId, endpointId: endpoint.id, head, at });
    this.deliveries.due(endpoint.id, at.getTime());
    return {
      verdict: 'sent',
      event_id: event.eventId,
      event_type: TYPE,
      delivery_id: event.deliveryId,
    };
  };
}
