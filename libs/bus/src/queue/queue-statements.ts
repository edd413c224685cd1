import type { ServiceName } from '@watchword/contracts';
import { type Statement, statement } from '@watchword/postgres';

/**
 * Milliseconds after which PostgreSQL ends the transaction of a relay that sends nothing more; longer than a
 * publication takes.
 */
const RELAY_IDLE_MAX_MS = 45_000;
/** Most waiting messages that are counted. */
const COUNTED_MAX = 10_000;

/**
 * Does not wait for the disk. If the server stops and loses the change, the message comes again,
 * and consumers deduplicate.
 */
const QUICKLY = `quickly AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))`;

type Named = (name: string, text: string) => Statement;

/** The statements about the queue of one service. */
export function statementsOf(owner: ServiceName) {
  const queue = `${owner}.message_queue`;
  const named: Named = (name, text) => statement(`queue-${name}-${owner}`, text, 'once');
  return {
    ...ofReaders(queue, named),
    ...ofMessages(owner, queue, named),
    ...ofDeadLetters(queue, named),
  };
}

function ofReaders(queue: string, named: Named) {
  return {
    setReaders: named(
      'set-readers',
      `WITH wanted AS (SELECT * FROM unnest($1::text[], $2::text[]) AS w (topic, reader)),
         gone AS (
           DELETE FROM ${queue}_readers AS r WHERE r.topic = ANY ($3::text[])
             AND NOT EXISTS (SELECT FROM wanted AS w WHERE w.topic = r.topic AND w.reader = r.reader))
       INSERT INTO ${queue}_readers SELECT topic, reader FROM wanted ON CONFLICT DO NOTHING`,
    ),
    moveToReaders: named(
      'move-to-readers',
      `WITH strays AS (
         DELETE FROM ${queue} AS q
          WHERE q.topic = ANY ($1::text[]) AND q.failed_at IS NULL AND NOT EXISTS (
            SELECT FROM ${queue}_readers AS r WHERE r.topic = q.topic AND r.reader = q.reader)
         RETURNING q.*
       ), each AS (
         SELECT DISTINCT ON (topic, message_id) * FROM strays ORDER BY topic, message_id, position)
       INSERT INTO ${queue}
         (topic, reader, key, message_id, type, traceparent, occurred_at, payload)
       SELECT topic, r.reader, key, message_id, type, traceparent, occurred_at, payload
         FROM each JOIN ${queue}_readers AS r USING (topic) ORDER BY position`,
    ),
    lag: named(
      'lag',
      `SELECT r.topic, r.reader AS group, count(w.occurred_at)::integer AS waiting,
              greatest(coalesce(extract(epoch FROM now() - min(w.occurred_at)), 0), 0)::float8
                AS "oldestSeconds"
         FROM ${queue}_readers AS r
         LEFT JOIN LATERAL (
           SELECT occurred_at FROM ${queue} AS q
            WHERE q.topic = r.topic AND q.reader = r.reader AND q.failed_at IS NULL
            ORDER BY position LIMIT ${COUNTED_MAX}
         ) AS w ON true
        WHERE r.topic = ANY ($1::text[]) GROUP BY r.topic, r.reader`,
    ),
  };
}

function ofMessages(owner: ServiceName, queue: string, named: Named) {
  return {
    claim: named(
      'claim',
      `SELECT message_id, key, type, traceparent, occurred_at, payload
         FROM ${owner}.claim_messages($1, $2, $3, $4::integer * interval '1 ms')`,
    ),
    take: named(
      'take',
      `WITH turn AS MATERIALIZED (
         SELECT pg_try_advisory_xact_lock(
                  hashtextextended('${owner} ' || $1 || ' ' || $2, 0)) AS is_free,
                set_config('synchronous_commit', 'off', true),
                set_config('idle_in_transaction_session_timeout', '${RELAY_IDLE_MAX_MS}', true)
       ), taken AS (
         DELETE FROM ${queue} WHERE ctid = ANY (ARRAY(
           SELECT ctid FROM ${queue}
            WHERE (SELECT is_free FROM turn)
              AND topic = $1 AND reader = $2 AND failed_at IS NULL
            ORDER BY position LIMIT $3))
         RETURNING position, message_id, key, type, traceparent, occurred_at, payload)
       SELECT is_free, message_id, key, type, traceparent, occurred_at, payload
         FROM turn LEFT JOIN taken ON true ORDER BY position`,
    ),
    due: named(
      'due',
      `SELECT w.topic, w.reader FROM unnest($1::text[], $2::text[]) AS w (topic, reader)
        WHERE EXISTS (SELECT FROM ${queue} AS q WHERE q.topic = w.topic AND q.reader = w.reader
          AND q.failed_at IS NULL AND q.due_at <= now())`,
    ),
    delete: named(
      'delete',
      `WITH ${QUICKLY}
       DELETE FROM ${queue} AS q
        USING quickly, unnest($1::text[], $2::text[], $3::text[]) AS done (topic, reader, id)
        WHERE q.message_id = done.id AND q.topic = done.topic AND q.reader = done.reader
          AND q.failed_at IS NULL`,
    ),
    insert: named(
      'insert',
      `INSERT INTO ${queue}
         (topic, reader, key, message_id, type, traceparent, occurred_at, payload)
       SELECT topic, reader, key, message_id, type, traceparent, occurred_at::timestamptz, payload
         FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[],
                     $7::text[]) WITH ORDINALITY
           AS m (topic, key, message_id, type, traceparent, occurred_at, payload, place)
         JOIN ${queue}_readers USING (topic)
        ORDER BY place`,
    ),
    release: named(
      'release',
      `WITH ${QUICKLY}
       UPDATE ${queue} AS q SET due_at = now() FROM quickly
        WHERE q.topic = $1 AND q.reader = $2 AND q.message_id = ANY ($3::text[])`,
    ),
    releaseOthers: named(
      'release-others',
      `UPDATE ${queue} SET due_at = now()
        WHERE topic = $1 AND reader = $2 AND failed_at IS NULL AND due_at > now()
          AND message_id <> ALL ($3::text[])`,
    ),
  };
}

function ofDeadLetters(queue: string, named: Named) {
  const letters = `topic = $1 AND reader = $2 AND failed_at IS NOT NULL`;
  return {
    fail: named(
      'fail',
      `UPDATE ${queue} SET failed_at = now(), reason = $4, attempts = $5
        WHERE topic = $1 AND reader = $2 AND message_id = $3`,
    ),
    deadLetters: named(
      'dead-letters',
      `SELECT message_id, type, reader, position, reason, attempts, failed_at FROM ${queue}
        WHERE topic = $1 AND reader = coalesce($2, reader) AND failed_at IS NOT NULL
        ORDER BY position LIMIT $3`,
    ),
    count: named(
      'count-dead-letters',
      `SELECT topic, reader AS group, count(*)::integer AS count FROM ${queue}
        WHERE topic = ANY ($1::text[]) AND failed_at IS NOT NULL GROUP BY topic, reader`,
    ),
    replay: named(
      'replay',
      `UPDATE ${queue} SET failed_at = NULL, reason = NULL, attempts = 0, due_at = now()
        WHERE ${letters}`,
    ),
    discard: named('discard', `DELETE FROM ${queue} WHERE ${letters}`),
  };
}
