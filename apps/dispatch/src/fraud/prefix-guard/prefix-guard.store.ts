import { Inject, Injectable } from '@nestjs/common';
import { PHONE_CONTRACTS, type PrefixEvent, type WorkspaceId } from '@watchword/contracts';
import { DATABASE } from '@watchword/platform';
import { type Queryable, statement } from '@watchword/postgres';
import { kindsThat } from '../../channels/channels.js';
import {
  OTPS_MIN,
  type PrefixRecord,
  type PrefixTraffic,
  USUAL_FACTOR,
  USUAL_HOURS,
} from './prefix-anomaly.policy.js';

export interface PrefixKey {
  readonly workspaceId: WorkspaceId;
  readonly prefix: string;
}

export type WatchedPrefix = PrefixKey & PrefixTraffic & { readonly record: PrefixRecord | null };

export type Restriction = PrefixKey & PrefixRecord & { readonly since: Date };

const PUMPED = kindsThat(({ kind }) => PHONE_CONTRACTS[kind].isPumped);

/** A resend is one more send of the same code; see `Resend` in `message.ts`. A re-route is the platform's own. */
const STARTED_RESENDS = `SELECT (resend ->> 'startedAt')::timestamptz AS sent_at
  FROM json_array_elements(resends) AS resend
  WHERE resend ->> 'startedAt' IS NOT NULL AND resend ->> 'isReroute' IS NULL`;

/**
 * Prefixes that can be anomalous in this hour, by the number of sends. Sends before a lift do not
 * count. A code lives for an hour at most, so an hour's resends belong to messages of two hours. A
 * verified code counts once, however often it was sent.
 */
const watched = statement(
  'dispatch_watched_prefixes',
  `WITH recent AS MATERIALIZED (
     SELECT id, workspace_id, substr(destination, 2, 6) AS prefix, created_at, verified_at, resends
     FROM messages
     WHERE created_at > $1::timestamptz - interval '2 hours' AND created_at <= $1
       AND kind IN ${PUMPED} AND NOT test_mode
       -- Not of erased numbers, which have no prefix any more.
       AND destination ~ '^.[0-9]{6}'
   ), sends AS (
     SELECT id, workspace_id, prefix, verified_at, created_at AS sent_at FROM recent
     UNION ALL
     SELECT id, workspace_id, prefix, verified_at, resent.sent_at
     FROM recent CROSS JOIN LATERAL (${STARTED_RESENDS}) AS resent WHERE resends IS NOT NULL
   ), suspect AS (
     SELECT workspace_id, prefix, count(*) AS otps,
       count(DISTINCT id) FILTER (WHERE verified_at IS NOT NULL) AS verified
     FROM sends LEFT JOIN prefix_records AS record USING (workspace_id, prefix)
     WHERE sent_at > $1::timestamptz - interval '1 hour' AND sent_at <= $1
       AND (record.lifted_at IS NULL OR sent_at > record.lifted_at)
     GROUP BY workspace_id, prefix
     HAVING count(*) >= ${OTPS_MIN}
   )
   SELECT suspect.workspace_id AS "workspaceId", suspect.prefix, otps, verified,
     before.otps_before AS "otpsBefore", record.state, record.ends_at AS "endsAt",
     record.first_flagged_at AS "firstFlaggedAt"
   FROM suspect
   LEFT JOIN prefix_records AS record USING (workspace_id, prefix)
   CROSS JOIN LATERAL (
     -- More than this is usual enough; how much more does not matter.
     SELECT coalesce(sum(sent), 0)::bigint AS otps_before FROM (
       SELECT 1 + (SELECT count(*) FROM (${STARTED_RESENDS}) AS resent) AS sent FROM messages
       WHERE workspace_id = suspect.workspace_id
         AND substr(destination, 2, 6) = suspect.prefix
         AND created_at > $1::timestamptz - interval '${USUAL_HOURS + 1} hours'
         AND created_at <= $1::timestamptz - interval '1 hour'
         AND kind IN ${PUMPED} AND NOT test_mode
       LIMIT suspect.otps * ${Math.ceil(USUAL_HOURS / USUAL_FACTOR)} + 1
     ) AS counted
   ) AS before
   ORDER BY suspect.workspace_id, suspect.prefix`,
);

const beginCheck = statement(
  'dispatch_begin_prefix_check',
  `UPDATE prefix_guard SET checked_at = $1 WHERE checked_at <= $2`,
);

const nextVersion = statement(
  'dispatch_next_prefix_version',
  'UPDATE prefix_guard SET version = version + 1',
);

const restrict = statement(
  'dispatch_restrict_prefix',
  `INSERT INTO prefix_records AS known (
     workspace_id, prefix, state, first_flagged_at, since, ends_at, otp_count, verified_count
   ) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
   ON CONFLICT (workspace_id, prefix) DO UPDATE SET state = excluded.state,
     first_flagged_at = excluded.first_flagged_at, since = excluded.since,
     ends_at = excluded.ends_at, otp_count = excluded.otp_count,
     verified_count = excluded.verified_count`,
);

const announce = statement(
  'dispatch_announce_prefix',
  `INSERT INTO message_queue (topic, reader, key, message_id, type, occurred_at, payload)
   SELECT topic, reader, $2, $3, $4, $5, $6 FROM message_queue_readers WHERE topic = $1`,
);

const COLUMNS = `workspace_id AS "workspaceId", prefix, state, since, ends_at AS "endsAt",
  first_flagged_at AS "firstFlaggedAt"`;

const lift = statement(
  'dispatch_lift_prefix',
  `WITH held AS (
     SELECT * FROM prefix_records
     WHERE workspace_id = $1 AND prefix = $2
       AND (state = 'blocked' OR (state = 'throttled' AND ends_at > $3))
     FOR UPDATE
   ), lifted AS (
     UPDATE prefix_records AS record SET state = 'lifted', ends_at = NULL, lifted_at = $3
     FROM held WHERE record.workspace_id = held.workspace_id AND record.prefix = held.prefix
   )
   SELECT ${COLUMNS} FROM held`,
);

const version = statement('dispatch_prefix_version', 'SELECT version FROM prefix_guard');

const inForce = statement(
  'dispatch_prefixes_in_force',
  `SELECT ${COLUMNS} FROM prefix_records
   WHERE state = 'blocked' OR (state = 'throttled' AND ends_at > $1)`,
);

@Injectable()
export class PrefixGuardStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  /** Returns false when a check ran after `unlessAfter`. Otherwise holds this one until its end. */
  async beginCheck(at: Date, unlessAfter: Date): Promise<boolean> {
    return (await this.database.query(beginCheck, [at, unlessAfter])).rowCount === 1;
  }

  async watched(at: Date): Promise<WatchedPrefix[]> {
    type Row = PrefixKey &
      PrefixTraffic & {
        state: PrefixRecord['state'] | 'lifted' | null;
        endsAt: Date | null;
        firstFlaggedAt: Date | null;
      };
    const { rows } = await this.database.query<Row>(watched, [at]);
    return rows.map(({ state, endsAt, firstFlaggedAt, ...traffic }) => {
      const isOpen = state === null || state === 'lifted' || firstFlaggedAt === null;
      return { ...traffic, record: isOpen ? null : { state, endsAt, firstFlaggedAt } };
    });
  }

  async restrict(prefix: WatchedPrefix, record: PrefixRecord, at: Date): Promise<void> {
    await this.database.query(restrict, [
      prefix.workspaceId,
      prefix.prefix,
      record.state,
      record.firstFlaggedAt,
      at,
      record.endsAt,
      prefix.otps,
      prefix.verified,
    ]);
  }

  async announce(topic: string, event: PrefixEvent): Promise<void> {
    const { event_id: id, workspace_id: key, occurred_at: at } = event;
    const payload = JSON.stringify(event);
    await this.database.query(announce, [topic, key, id, 'svc.prefix-event.v1', at, payload]);
  }

  /**
   * Locks the version until the transaction ends, so that versions have the order of the changes.
   */
  async nextVersion(): Promise<void> {
    await this.database.query(nextVersion);
  }

  /** Returns the restriction that was in force, or null. */
  async lift({ workspaceId, prefix }: PrefixKey, at: Date): Promise<Restriction | null> {
    const { rows } = await this.database.query<Restriction>(lift, [workspaceId, prefix, at]);
    return rows[0] ?? null;
  }

  async version(): Promise<number> {
    return (await this.database.query<{ version: number }>(version)).rows[0]!.version;
  }

  async inForce(at: Date): Promise<Restriction[]> {
    return (await this.database.query<Restriction>(inForce, [at])).rows;
  }
}
