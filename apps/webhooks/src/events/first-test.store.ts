import { Inject, Injectable } from '@nestjs/common';
import type { EndpointId } from '@watchword/contracts';
import { DATABASE } from '@watchword/platform';
import { type Queryable, statement } from '@watchword/postgres';
import type { Endpoint } from '../endpoints/endpoint.js';
import { TEST_EVENT_TYPE } from '../payloads/event-types.policy.js';

/** One test at a time: while one is retried, no further one begins. */
const findWithoutTest = statement(
  'webhooks.find-untested-endpoints-without-test',
  `SELECT endpoint.id, endpoint.workspace_id AS "workspaceId" FROM webhooks.endpoints AS endpoint
   WHERE endpoint.id = ANY ($1::uuid[]) AND endpoint.untested AND NOT EXISTS (
     SELECT FROM webhooks.deliveries AS delivery
     JOIN webhooks.events AS event ON event.id = delivery.event_id
     WHERE delivery.endpoint_id = endpoint.id AND delivery.due_at < 'infinity'
       AND event.test_mode AND event.variant_a_type = '${TEST_EVENT_TYPE}')`,
);

/** Finds endpoints that need a test event, because deliveries to them are held until one is answered with 2xx. */
@Injectable()
export class FirstTestStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  async findWithoutTest(
    endpointIds: readonly EndpointId[],
  ): Promise<Pick<Endpoint, 'id' | 'workspaceId'>[]> {
    const { rows } = await this.database.query<Pick<Endpoint, 'id' | 'workspaceId'>>(
      findWithoutTest,
      [endpointIds],
    );
    return rows;
  }
}
