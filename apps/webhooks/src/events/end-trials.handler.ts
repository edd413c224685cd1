import { Injectable } from '@nestjs/common';
import type { CreditEvent } from '@watchword/contracts';
import { PendingDeliveriesHandler } from '../deliveries/pending-deliveries.handler.js';
import { EndpointStore } from '../endpoints/endpoint.store.js';

/** A purchase of credits ends the trial of a workspace, and with it the bounds of its endpoints. */
@Injectable()
export class EndTrialsHandler {
  constructor(
    private readonly endpoints: EndpointStore,
    private readonly held: PendingDeliveriesHandler,
  ) {}

  async end(events: readonly CreditEvent[]): Promise<void> {
    const purchases = events.filter(
      (event) => event.type === 'credit.topped_up' && event.top_up_kind === 'purchase',
    );
    if (purchases.length === 0) return;
    const workspaceIds = purchases.map(({ workspace_id: id }) => id);
    const ids = await this.endpoints.findTrials(workspaceIds);
    if (ids.length > 0) await this.held.release(ids, { endsTrial: true });
  }
}
