import { Inject, Injectable } from '@nestjs/common';
import { DATABASE } from '@watchword/platform';
import { type Queryable, statement } from '@watchword/postgres';

const look = statement(
  'webhooks.due-work',
  `SELECT EXISTS (
      SELECT FROM webhooks.recoveries WHERE status = 'running' AND next_at <= $1
    ) AS "hasRecoveries",
    EXISTS (SELECT FROM webhooks.endpoints WHERE notice_event_id IS NOT NULL)
      OR EXISTS (SELECT FROM webhooks.endpoints WHERE closing) AS "hasDisabled"`,
);

export interface DueWork {
  readonly hasRecoveries: boolean;
  readonly hasDisabled: boolean;
}

/** Finds due work other than deliveries, in one statement for all jobs of the process. */
@Injectable()
export class WebhooksDueWorkStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  async look(now: Date): Promise<DueWork> {
    return (await this.database.query<DueWork>(look, [now])).rows[0] as DueWork;
  }
}
