import { Inject, Injectable } from '@nestjs/common';
import { newEventId, newId } from '@watchword/contracts';
import { DATABASE } from '@watchword/platform';
import type { Queryable } from '@watchword/postgres';
import { DeliveryScheduler } from '../deliveries/delivery.scheduler.js';
import type { Endpoint } from '../endpoints/endpoint.js';
import type { FirstTests } from '../endpoints/endpoint.handler.js';
import { SampleStore } from './sample.store.js';
import { sampleFor } from './samples.policy.js';

/**
 * Makes the delivery of a test event to an untested endpoint. Only its result, or that of a test that the owner
 * asks for, lets other deliveries follow. A crash before it leaves that to the owner.
 */
@Injectable()
export class FirstTestDeliveries implements FirstTests {
  private readonly samples: SampleStore;

  constructor(
    @Inject(DATABASE) database: Queryable,
    @Inject(DeliveryScheduler) private readonly scheduler: Pick<DeliveryScheduler, 'due'>,
  ) {
    this.samples = new SampleStore(database);
  }

  async begin(endpoint: Endpoint, at: Date): Promise<void> {
    const { id: endpointId, workspaceId, variant } = endpoint;
    const eventId = newEventId();
    const { type, body } = sampleFor(endpoint, eventId, at);
    const delivery = { workspaceId, endpointId, eventId, deliveryId: newId(), type, body, at };
    await this.samples.insertDue({ ...delivery, variant });
    this.scheduler.due(endpointId, at.getTime());
  }
}
