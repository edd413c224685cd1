import { Inject, Injectable } from '@nestjs/common';
import type { Clock, EndpointId } from '@watchword/contracts';
import { CLOCK } from '@watchword/platform';
import type { Held } from '../endpoints/endpoint.handler.js';
import { EndpointStore } from '../endpoints/endpoint.store.js';
import { DeliveryScheduler } from './delivery.scheduler.js';

/** Deliveries to untested endpoints are held: they are due at infinity until they are released. */
@Injectable()
export class PendingDeliveriesHandler implements Held {
  constructor(
    private readonly endpoints: EndpointStore,
    @Inject(DeliveryScheduler) private readonly scheduler: Pick<DeliveryScheduler, 'due'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async release(ids: readonly EndpointId[], { endsTrial }: { endsTrial: boolean }): Promise<void> {
    const nowMs = this.clock.now();
    await this.endpoints.releaseHeld(ids, endsTrial, new Date(nowMs));
    for (const id of ids) this.scheduler.due(id, nowMs);
  }
}
