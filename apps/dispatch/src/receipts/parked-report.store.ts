import { Inject, Injectable } from '@nestjs/common';
import { DATABASE } from '@watchword/platform';
import { type DeliveryReport, idFloor, type MessageId } from '@watchword/contracts';
import { crashPoint } from '@watchword/observability';
import { type Queryable, statement } from '@watchword/postgres';

/** Reports that match nothing yet, and the messages of the others. */
export const FIRST_CHECK_MS = 250;
const KEPT_HOURS = 24;
/** As long as `match_reports` looks for a report's message among the usual partitions. */
const PARTS_KEPT_MS = 40 * 86_400_000;
const PARKED_MAX = 1_000_000;
const PURGE_BATCH = 10_000;

const match = statement(
  'dispatch_match_reports',
  'SELECT ordinal, message_id AS "messageId" FROM dispatch.match_reports($1, $2)',
  'once',
);

const park = statement(
  'dispatch_park_reports',
  `INSERT INTO parked_reports (report_id, report, check_at, parked_at)
   SELECT r->>'report_id', r, $2::timestamptz + interval '${FIRST_CHECK_MS} milliseconds', $2
   FROM json_array_elements($1::json) AS r
   ON CONFLICT (report_id) DO NOTHING`,
);

/** Doubles the wait after each check without a match. */
const due = statement(
  'dispatch_due_reports',
  `UPDATE parked_reports p
   SET checks = checks + 1,
     check_at = $1::timestamptz
       + least(3600000, ${FIRST_CHECK_MS} * 2 ^ (checks + 1)) * interval '1 millisecond'
   WHERE report_id IN (
     SELECT report_id FROM parked_reports WHERE check_at <= $1 ORDER BY check_at LIMIT $2
     FOR UPDATE SKIP LOCKED)
   RETURNING report, checks`,
);

const remove = statement(
  'dispatch_remove_reports',
  `DELETE FROM parked_reports WHERE report_id = ANY ($1::text[])`,
);

/** One statement for both, because it runs every minute. */
const purge = statement(
  'dispatch_purge_reports',
  `WITH parts AS (
     DELETE FROM attempt_parts WHERE message_id IN (
       SELECT message_id FROM attempt_parts WHERE message_id < $2 LIMIT ${PURGE_BATCH})
     RETURNING 1),
   reports AS (
     DELETE FROM parked_reports WHERE report_id IN (
       (SELECT report_id FROM parked_reports
        WHERE parked_at < $1::timestamptz - interval '${KEPT_HOURS} hours' LIMIT ${PURGE_BATCH})
       UNION ALL
       (SELECT report_id FROM parked_reports
        ORDER BY check_at OFFSET ${PARKED_MAX} LIMIT ${PURGE_BATCH}))
     RETURNING 1)
   SELECT greatest((SELECT count(*) FROM parts), (SELECT count(*) FROM reports))
     >= ${PURGE_BATCH} AS "hasMore"`,
);

export interface ParkedReport {
  readonly report: DeliveryReport;
  /** With this one. */
  readonly checks: number;
}

@Injectable()
export class ParkedReportStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  /** Returns the message of each report by its provider's id, in the order of the reports. */
  async match(reports: readonly DeliveryReport[]): Promise<(MessageId | null)[]> {
    const found: (MessageId | null)[] = reports.map(() => null);
    if (reports.length === 0) return found;
    const { rows } = await this.database.query<{ ordinal: number; messageId: MessageId | null }>(
      match,
      [
        reports.map(({ provider }) => provider),
        reports.map((report) => report.provider_message_id),
      ],
    );
    for (const { ordinal, messageId } of rows) found[ordinal - 1] = messageId;
    return found;
  }

  async park(reports: readonly DeliveryReport[], at: Date): Promise<void> {
    if (reports.length === 0) return;
    crashPoint('dispatch.park.before-commit');
    await this.database.query(park, [JSON.stringify(reports), at]);
    crashPoint('dispatch.park.after-commit');
  }

  /** Returns reports with a due check. A report is due again later until it is removed. */
  async due(at: Date, limit: number): Promise<ParkedReport[]> {
    crashPoint('dispatch.recheck.before-commit');
    const { rows } = await this.database.query<ParkedReport>(due, [at, limit]);
    crashPoint('dispatch.recheck.after-commit');
    return rows;
  }

  async remove(reportIds: readonly string[]): Promise<void> {
    if (reportIds.length === 0) return;
    crashPoint('dispatch.unpark.before-commit');
    await this.database.query(remove, [reportIds]);
    crashPoint('dispatch.unpark.after-commit');
  }

  /** Returns whether there may be more. */
  async purge(at: Date): Promise<boolean> {
    const values = [at, idFloor(at.getTime() - PARTS_KEPT_MS)];
    const { rows } = await this.database.query<{ hasMore: boolean }>(purge, values);
    return rows[0]!.hasMore;
  }
}
