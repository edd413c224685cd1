import { Inject, Injectable } from '@nestjs/common';
import { DATABASE } from '@watchword/platform';
import { type Queryable, statement } from '@watchword/postgres';
import { databaseJson } from '../messages/database-json.js';
import type { EmailErasure } from './email-erasure.policy.js';

/** An email that changed since it was read is left out. Replies of receivers often quote the address. */
const erase = statement(
  'dispatch_erase_emails',
  `WITH given AS MATERIALIZED (
     SELECT * FROM json_to_recordset($1::json) AS given (
       id uuid, version integer, command json, "toAddresses" json, recipients json)
   ), written AS MATERIALIZED (
     UPDATE emails AS email
     SET version = email.version + 1, command = given.command,
       to_addresses = ARRAY(SELECT json_array_elements_text(given."toAddresses")),
       tags = ARRAY(SELECT json_array_elements_text(given.command -> 'email' -> 'tags')),
       content_sha256 = given.command -> 'email' ->> 'content_sha256'
     FROM given WHERE email.id = given.id AND email.version = given.version
     RETURNING email.id, given.recipients
   ), of_recipients AS MATERIALIZED (
     SELECT written.id, one.* FROM written CROSS JOIN LATERAL
       json_to_recordset(written.recipients) AS one (number smallint, address text, bounce json)
   ), addresses AS (
     UPDATE email_recipients AS recipient SET address = one.address, bounce = one.bounce
     FROM of_recipients AS one
     WHERE recipient.email_id = one.id AND recipient.number = one.number
   ), answers AS (
     UPDATE email_attempts AS attempt SET raw_message = NULL
     FROM of_recipients AS one
     WHERE attempt.email_id = one.id AND attempt.recipient = one.number
   )
   SELECT count(*)::integer AS count FROM written`,
);

@Injectable()
export class EmailErasureStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  /** Returns how many were written. */
  async write(erasures: readonly EmailErasure[]): Promise<number> {
    if (erasures.length === 0) return 0;
    const { rows } = await this.database.query<{ count: number }>(erase, [databaseJson(erasures)]);
    return rows[0]!.count;
  }
}
