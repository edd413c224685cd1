import { Inject, Injectable } from '@nestjs/common';
import {
  type EndpointId,
  eventIdFloor,
  idFloor,
  newId,
  type WorkspaceId,
} from '@watchword/contracts';
import { crashPoint } from '@watchword/observability';
import { DATABASE } from '@watchword/platform';
import { type Queryable, statement, type Transactional } from '@watchword/postgres';
import { TEST_EVENT_TYPE } from '../payloads/event-types.policy.js';

export interface Recovery {
  id: string;
  status: 'running' | 'done';
  total: number;
  done: number;
}

export interface RunningRecovery {
  id: string;
  workspaceId: WorkspaceId;
  endpointId: EndpointId;
  isOpen: boolean;
}

export interface RecoveryPace {
  readonly chunkSize: number;
  readonly everyMs: number;
}

const SHOWN = 'id, status, total, done';

const find = statement(
  'webhooks.find-recovery',
  `SELECT ${SHOWN} FROM webhooks.recoveries
   WHERE workspace_id = $1 AND endpoint_id = $2 AND id = $3`,
);

const begin = statement(
  'webhooks.begin-recovery',
  `INSERT INTO webhooks.recoveries
     (id, workspace_id, endpoint_id, since, status, total, next_at, created_at)
   VALUES ($1, $2, $3, $4, 'running', 0, $5, $5)
   ON CONFLICT (endpoint_id) WHERE status = 'running' DO NOTHING`,
);

/**
 * Collects the events since then that the endpoint did not get: their deliveries failed, or were
 * never made because it was disabled. Its types of today change nothing. Events from before
 * the endpoint was created are left out, and so are test events, which are for one endpoint alone.
 */
const collect = statement(
  'webhooks.collect-recovery-items',
  `WITH own AS MATERIALIZED (
     SELECT event_id, bool_or(status <> 'failed') AS is_made, max(id::text)::uuid AS last_id
     FROM webhooks.deliveries
     WHERE workspace_id = $2 AND endpoint_id = $3 AND id >= $6::uuid
     GROUP BY event_id
   ), missed AS (
     SELECT event.id AS event_id, own.last_id AS replay_of
     FROM webhooks.events AS event
     JOIN webhooks.endpoints AS endpoint ON endpoint.id = $3
     LEFT JOIN own ON own.event_id = event.id
     WHERE event.workspace_id = $2 AND event.sequence > 0 AND event.id >= $5
       AND event.occurred_at >= greatest($4, endpoint.created_at)
       AND event.variant_b_body IS NOT NULL AND (NOT $7::boolean OR event.test_mode)
       AND CASE event.variant_b_type
         WHEN '${TEST_EVENT_TYPE}' THEN event.variant_b_body::jsonb #> '{data,test}' IS NULL
         ELSE true END
       AND (own.event_id IS NOT NULL OR EXISTS (
         SELECT FROM webhooks.silences AS silence
         WHERE silence.endpoint_id = $3 AND event.sequence > silence.after_sequence
           AND event.sequence <= coalesce(silence.last_sequence, event.sequence)
           AND (event.variant_b_type = ANY (silence.events) OR '*' = ANY (silence.events))))
       AND own.is_made IS NOT TRUE
   ), items AS (
     INSERT INTO webhooks.recovery_items (recovery_id, event_id, replay_of)
     SELECT $1, event_id, replay_of FROM missed RETURNING 1
   ), counted AS (SELECT count(*)::integer AS total FROM items)
   UPDATE webhooks.recoveries AS recovery
   SET total = counted.total,
     status = CASE WHEN counted.total = 0 THEN 'done' ELSE 'running' END
   FROM counted WHERE recovery.id = $1
   RETURNING recovery.id, recovery.status, recovery.total, recovery.done`,
);

/** Locked until the transaction ends, so that one process at a time continues it. */
const takeRunning = statement(
  'webhooks.take-running-recovery',
  `SELECT recovery.id, recovery.workspace_id AS "workspaceId",
     recovery.endpoint_id AS "endpointId",
     endpoint.status = 'enabled' AND endpoint.deleted_at IS NULL AS "isOpen"
   FROM webhooks.recoveries AS recovery
   JOIN webhooks.endpoints AS endpoint ON endpoint.id = recovery.endpoint_id
   WHERE recovery.status = 'running' AND recovery.id > $1 AND recovery.next_at <= $2
   ORDER BY recovery.id LIMIT 1 FOR UPDATE OF recovery SKIP LOCKED`,
);

/** The oldest items become deliveries that are due now. */
const advance = statement(
  'webhooks.advance-recovery',
  `WITH next AS (
     DELETE FROM webhooks.recovery_items AS item USING (
       SELECT recovery_id, event_id FROM webhooks.recovery_items
       WHERE recovery_id = $1 ORDER BY event_id LIMIT $5
     ) AS first
     WHERE item.recovery_id = first.recovery_id AND item.event_id = first.event_id
     RETURNING item.event_id, item.replay_of
   ), made AS (
     INSERT INTO webhooks.deliveries (
       workspace_id, id, endpoint_id, event_id, status, attempt_count, next_attempt_at, due_at,
       replay_of, created_at
     )
     SELECT $2, webhooks.new_id($4), $3, next.event_id, 'pending', 0, due.at, due.at, next.replay_of, $4
     FROM next JOIN webhooks.events AS event ON event.id = next.event_id
     CROSS JOIN (
       SELECT CASE WHEN untested THEN 'infinity' ELSE $4::timestamptz END AS at
       FROM webhooks.endpoints WHERE id = $3
     ) AS due
     RETURNING 1
   )
   UPDATE webhooks.recoveries AS recovery
   SET done = recovery.done + (SELECT count(*) FROM next), next_at = $6,
     status = CASE
       WHEN recovery.done + (SELECT count(*) FROM next) >= recovery.total THEN 'done'
       ELSE 'running' END
   WHERE recovery.id = $1`,
);

const abandon = statement(
  'webhooks.abandon-recovery',
  `WITH left_over AS (DELETE FROM webhooks.recovery_items WHERE recovery_id = $1)
   UPDATE webhooks.recoveries SET status = 'done' WHERE id = $1`,
);

const CLOCKS_DIFFER_MS = 3_600_000;
/**
 * Ids are drawn around the time of the event. The event of a finally failed top-up has the id of its
 * payment, which is up to 31 hours older.
 */
const EVENT_ID_EARLIER_MS = 3 * 24 * 3_600_000;

export class RecoveryStore {
  constructor(private readonly database: Queryable) {}

  async find(
    workspaceId: WorkspaceId,
    endpointId: EndpointId,
    id: string,
  ): Promise<Recovery | null> {
    const values = [workspaceId, endpointId, id];
    return (await this.database.query<Recovery>(find, values)).rows[0] ?? null;
  }

  /** Null while another one runs. For use in a transaction. */
  async begin(
    workspaceId: WorkspaceId,
    endpointId: EndpointId,
    since: Date,
    testModeOnly: boolean,
    at: Date,
  ): Promise<Recovery | null> {
    const id = newId();
    crashPoint('webhooks.begin-recovery.before-insert');
    const { rowCount } = await this.database.query(begin, [id, workspaceId, endpointId, since, at]);
    crashPoint('webhooks.begin-recovery.after-insert');
    if (rowCount === 0) return null;
    const eventFloor = eventIdFloor(since.getTime() - EVENT_ID_EARLIER_MS);
    const deliveryFloor = idFloor(since.getTime() - CLOCKS_DIFFER_MS);
    const floors = [eventFloor, deliveryFloor];
    const values = [id, workspaceId, endpointId, since, ...floors, testModeOnly];
    crashPoint('webhooks.collect-recovery.before-insert');
    const { rows } = await this.database.query<Recovery>(collect, values);
    crashPoint('webhooks.collect-recovery.after-insert');
    return rows[0]!;
  }
}

/** Continues recoveries, one chunk at a time. */
@Injectable()
export class RecoveryProgressStore {
  constructor(@Inject(DATABASE) private readonly database: Transactional) {}

  /** The recovery after that id which got a chunk; null when there is none. */
  async advance(after: string, pace: RecoveryPace, at: Date): Promise<RunningRecovery | null> {
    const advanced = await this.database.transaction(async (transaction) => {
      const { rows } = await transaction.query<RunningRecovery>(takeRunning, [after, at]);
      const running = rows[0];
      if (!running) return null;
      const { id, workspaceId, endpointId, isOpen } = running;
      const next = new Date(at.getTime() + pace.everyMs);
      const values = [id, workspaceId, endpointId, at, pace.chunkSize, next];
      if (isOpen) await transaction.query(advance, values);
      else await transaction.query(abandon, [id]);
      crashPoint('webhooks.advance-recovery.before-commit');
      return running;
    });
    if (advanced) crashPoint('webhooks.advance-recovery.after-commit');
    return advanced;
  }
}
