import { Inject, Injectable } from '@nestjs/common';
import type { Clock, CreditEvent } from '@watchword/contracts';
import { CLOCK } from '@watchword/platform';
import { DeliveryScheduler } from '../deliveries/delivery.scheduler.js';
import { EndpointStore } from '../endpoints/endpoint.store.js';

/** A purchase of credits ends the trial of a workspace, and with it the bounds of its endpoints. */
@Injectable()
export class EndTrialsHandler {
  constructor(
    private readonly endpoints: EndpointStore,
    @Inject(DeliveryScheduler) private readonly scheduler: Pick<DeliveryScheduler, 'due'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async end(events: readonly CreditEvent[]): Promise<void> {
    const purchases = events.filter(
      (event) => event.type === 'credit.topped_up' && event.top_up_kind === 'purchase',
    );
    if (purchases.length === 0) return;
    const workspaceIds = purchases.map(({ workspace_id: id }) => id);
    const ids = await this.endpoints.findTrials(workspaceIds);
    if (ids.length === 0) return;
    const nowMs = this.clock.now();
    await this.endpoints.open(ids, true, new Date(nowMs));
    for (const id of ids) this.scheduler.due(id, nowMs);
  }
}
