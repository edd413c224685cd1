import { Inject, Injectable } from '@nestjs/common';
import { type EndpointId, newEventId, newId } from '@watchword/contracts';
import { DATABASE } from '@watchword/platform';
import type { Queryable } from '@watchword/postgres';
import { EndpointStore } from '../endpoints/endpoint.store.js';
import { SampleStore } from './sample.store.js';
import { sampleFor } from './samples.policy.js';

/**
 * Test events of untested endpoints. Deliveries to such an endpoint wait until a test event is answered with 2xx. The
 * first that waits makes one, which is retried like any delivery; so does a later one once that has failed.
 */
@Injectable()
export class FirstTests {
  private readonly samples: SampleStore;

  constructor(
    @Inject(DATABASE) database: Queryable,
    private readonly endpoints: EndpointStore,
  ) {
    this.samples = new SampleStore(database);
  }

  async begin(endpointIds: readonly EndpointId[], at: Date): Promise<void> {
    // The scheduler tells of secrets that it cannot read.
    const found = await this.endpoints.findMany(endpointIds, () => undefined);
    for (const endpoint of found.filter(({ untested }) => untested)) {
      const { id: endpointId, workspaceId, variant } = endpoint;
      const eventId = newEventId();
      const { type, body } = sampleFor(endpoint, eventId, at);
      const delivery = { workspaceId, endpointId, eventId, deliveryId: newId(), type, body, at };
      await this.samples.insertDue({ ...delivery, variant });
    }
  }
}
