import { Inject, Injectable } from '@nestjs/common';
import { DATABASE } from '@watchword/platform';
import { type Queryable, statement } from '@watchword/postgres';
import type { CarrierChoice } from './routing/route-table.policy.js';

/** Index look-ups only: each part reads the first due row, and operators make few decisions. */
const read = statement(
  'dispatch_due_work',
  `SELECT
     (SELECT min(send_at) FROM scheduled_messages WHERE send_at <= $2) AS "messageAt",
     (SELECT min(due_at) FROM email_recipients WHERE due_at <= $2) AS "emailAt",
     (SELECT min(check_at) FROM parked_reports WHERE check_at <= $2) AS "reportAt",
     (SELECT expires_at FROM messages
       WHERE expires_at > $3 AND expires_at <= $2 AND state IN ('sent', 'delivered')
       ORDER BY expires_at, id LIMIT 1) AS "expiryAt",
     EXISTS (SELECT FROM held_commands AS held
       WHERE expires_at <= $1 OR NOT EXISTS (
         SELECT FROM workspace_standings AS standing
         WHERE standing.workspace_id = held.workspace_id AND standing.suspended)) AS "isReleased",
     EXISTS (SELECT FROM email_domains WHERE next_check_at <= $1) AS "hasDomains",
     EXISTS (SELECT FROM prefix_guard WHERE checked_at <= $6) AS "hasPrefixes",
     EXISTS (SELECT FROM attempts AS attempt
       WHERE held_by IS NOT NULL AND held_by <> $4 AND NOT EXISTS (
         SELECT FROM senders WHERE senders.id = attempt.held_by AND alive_until > $1)) AS "isLeft",
     EXISTS (SELECT FROM attempts WHERE held_by = $4 AND started_at < $5) AS "hasStrays",
     EXISTS (SELECT FROM email_attempts AS attempt
       WHERE held_by IS NOT NULL AND held_by <> $4 AND NOT EXISTS (
         SELECT FROM senders WHERE senders.id = attempt.held_by AND alive_until > $1)) AS "isEmailLeft",
     (SELECT coalesce(json_agg(json_build_object(
         'id', id, 'state', state, 'preferredIn', preferred_in)), '[]')
       FROM carrier_choices) AS choices`,
);

export interface DueWork {
  /** Earliest due times until `until`. Null where nothing is due. */
  readonly messageAt: Date | null;
  readonly emailAt: Date | null;
  readonly reportAt: Date | null;
  readonly expiryAt: Date | null;
  readonly isReleased: boolean;
  readonly hasDomains: boolean;
  readonly hasPrefixes: boolean;
  /** Whether dead processes left attempts. */
  readonly isLeft: boolean;
  readonly isEmailLeft: boolean;
  /** Whether this process has attempts that it began long ago. */
  readonly hasStrays: boolean;
  readonly choices: readonly (CarrierChoice & { readonly id: string })[];
}

export interface DueWorkQuestion {
  readonly now: Date;
  readonly until: Date;
  /** Time until which expired codes are already written. */
  readonly expiredBefore: Date;
  readonly senderId: string;
  readonly straysBefore: Date;
  readonly prefixesBefore: Date;
}

/** Finds due work for all jobs of the process, in one statement. */
@Injectable()
export class DispatchDueWorkStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  async read(question: DueWorkQuestion): Promise<DueWork> {
    const { now, until, expiredBefore, senderId, straysBefore, prefixesBefore } = question;
    const values = [now, until, expiredBefore, senderId, straysBefore, prefixesBefore];
    return (await this.database.query<DueWork>(read, values)).rows[0] as DueWork;
  }
}
