import { Inject, Injectable } from '@nestjs/common';
import { DATABASE } from '@watchword/platform';
import { type Queryable, statement } from '@watchword/postgres';

const look = statement(
  'billing.due-work',
  `SELECT EXISTS (SELECT FROM billing.payments WHERE due_at <= $1) AS "isPaymentDue",
     EXISTS (SELECT FROM billing.automatic_top_ups WHERE enabled) AS "hasTopUps"`,
);

export interface DueWork {
  readonly isPaymentDue: boolean;
  /** Some workspace has automatic top-ups. */
  readonly hasTopUps: boolean;
}

/** What there is to do, in one statement for all jobs of the process. */
@Injectable()
export class BillingDueWorkStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  async look(now: Date): Promise<DueWork> {
    return (await this.database.query<DueWork>(look, [now])).rows[0] as DueWork;
  }
}
