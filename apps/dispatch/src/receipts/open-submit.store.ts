import { Inject, Injectable } from '@nestjs/common';
import { DATABASE } from '@watchword/platform';
import { type Queryable, statement } from '@watchword/postgres';
import type { OpenSubmit } from './lost-answer.policy.js';

/** Carriers give up within minutes, so an older submit gets no receipt. */
const AMBIGUOUS_MINUTES = 60;

/** Both halves use small partial indexes. */
const open = statement(
  'dispatch_open_submits',
  `SELECT m.id AS "messageId", a.number, m.destination, a.provider, m.kind, m.state, a.outcome,
     a.started_at AS "startedAt", a.finished_at AS "finishedAt"
   FROM (
     SELECT message_id, number, provider, outcome, started_at, finished_at FROM attempts
     WHERE outcome = 'ambiguous'
       AND started_at > $2::timestamptz - interval '${AMBIGUOUS_MINUTES} minutes'
     UNION ALL
     SELECT message_id, number, provider, outcome, started_at, finished_at FROM attempts
     WHERE held_by IS NOT NULL AND outcome IS NULL
   ) AS a
   JOIN messages AS m ON m.id = a.message_id
   WHERE m.destination = ANY ($1::text[]) AND NOT m.test_mode`,
);

/** Submits without an answer, or with a lost one. */
@Injectable()
export class OpenSubmitStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  async to(destinations: readonly string[], at: Date): Promise<OpenSubmit[]> {
    if (destinations.length === 0) return [];
    const { rows } = await this.database.query<OpenSubmit>(open, [destinations, at]);
    return rows;
  }
}
