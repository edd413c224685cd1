import type { MessageId } from '@watchword/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { DATABASE } from '@watchword/platform';
import { type Queryable, statement } from '@watchword/postgres';

const JOB = 'otp-expiry';

/** Walks along the index by expiry. `state` only filters, so its changes touch no index. */
const expired = statement(
  'dispatch_expired_otps',
  `SELECT id, expires_at AS "expiresAt" FROM messages
   WHERE (expires_at, id) > ($1, $2) AND expires_at <= $3
     AND state IN ('sent', 'delivered')
   ORDER BY expires_at, id LIMIT $4`,
);

const reached = statement('dispatch_job_reached', 'SELECT reached FROM progress WHERE job = $1');

const reach = statement(
  'dispatch_job_reach',
  `INSERT INTO progress (job, reached) VALUES ($1, $2)
   ON CONFLICT (job) DO UPDATE SET reached = greatest(progress.reached, excluded.reached)`,
);

export interface ExpiredOtp {
  readonly id: MessageId;
  readonly expiresAt: Date;
}

@Injectable()
export class OtpExpiryStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  async expired(after: ExpiredOtp, until: Date, limit: number): Promise<ExpiredOtp[]> {
    const parameters = [after.expiresAt, after.id, until, limit];
    return (await this.database.query<ExpiredOtp>(expired, parameters)).rows;
  }

  /** Returns the time until which every OTP was read. Null before the first time. */
  async reached(): Promise<Date | null> {
    const { rows } = await this.database.query<{ reached: Date }>(reached, [JOB]);
    return rows[0]?.reached ?? null;
  }

  async reach(moment: Date): Promise<void> {
    await this.database.query(reach, [JOB, moment]);
  }
}
