import { type Queryable, statement } from '@watchword/postgres';

export interface TestEvent {
  eventId: string;
  deliveryId: string;
  workspaceId: string;
  endpointId: string;
  type: string;
  /** The body without its last member; see `envelope.policy`. */
  head: string;
  at: Date;
}

/**
 * The event takes the next number of its workspace, and the row of the counter is held until both stand:
 * numbers stay without a gap. The delivery is due at once for whoever looks.
 */
const insert = statement(
  'webhooks.insert-test-event',
  `WITH counter AS (
     INSERT INTO webhooks.sequences AS known (workspace_id, last_sequence) VALUES ($1, 1)
     ON CONFLICT (workspace_id) DO UPDATE SET last_sequence = known.last_sequence + 1
     RETURNING last_sequence
   ), stored AS (
     INSERT INTO webhooks.events (
       id, workspace_id, sequence, variant_a_type, variant_a_body, occurred_at
     )
     SELECT $2, $1, last_sequence, $3, $4 || ',"sequence":' || last_sequence || '}', $5
     FROM counter
   )
   INSERT INTO webhooks.deliveries (
     workspace_id, id, endpoint_id, event_id, status, attempt_count, next_attempt_at, due_at,
     created_at
   ) VALUES ($1, $6, $7, $2, 'pending', 0, $5, $5, $5)`,
);

export class TestEventStore {
  constructor(private readonly database: Queryable) {}

  async insert(event: TestEvent): Promise<void> {
    const { workspaceId, eventId, type, head, at, deliveryId, endpointId } = event;
    const values = [workspaceId, eventId, type, head, at, deliveryId, endpointId];
    await this.database.query(insert, values);
  }
}
