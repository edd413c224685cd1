import { ALL_TOPICS } from '@watchword/contracts';
import type { DatabasePool } from '@watchword/postgres';
import type { BusState } from './bus-state.ts';
import { Tally } from './tally.ts';

/**
 * Each query returns what is still to be done. `$1` are the destinations without receipts.
 */
const UNFINISHED: Record<string, string> = {
  'accepted and not yet with dispatch': `
    SELECT acceptance.message_id::text AS what, acceptance.message_id
    FROM billing.acceptances AS acceptance
    LEFT JOIN dispatch.messages AS message ON message.id = acceptance.message_id
    LEFT JOIN dispatch.emails AS email ON email.id = acceptance.message_id
    WHERE message.id IS NULL AND email.id IS NULL
      AND coalesce(json_typeof(acceptance.command::json -> 'resend'), 'null') = 'null'`,
  'not yet sent': `
    SELECT id::text AS what, id AS message_id FROM dispatch.messages WHERE state = 'accepted'`,
  'sent, and its receipt is missing': `
    SELECT id::text AS what, id AS message_id FROM dispatch.messages
    WHERE state = 'sent' AND NOT test_mode AND destination <> ALL ($1)`,
  'its send_at has passed, and it waits on': `
    SELECT message_id::text AS what, message_id FROM dispatch.scheduled_messages
    WHERE send_at < now() - interval '10 s'`,
  'scheduled, and its command is gone': `
    SELECT id::text AS what, id AS message_id FROM dispatch.messages
    WHERE state = 'scheduled' AND NOT EXISTS (
      SELECT FROM dispatch.scheduled_messages WHERE message_id = id)`,
  'held, and its workspace is not suspended': `
    SELECT message_id::text AS what, message_id FROM dispatch.held_commands AS held
    WHERE NOT EXISTS (
      SELECT FROM dispatch.workspace_standings AS standing
      WHERE standing.workspace_id = held.workspace_id AND standing.suspended)`,
  'ended, and not settled': `
    SELECT id::text AS what, id AS message_id FROM dispatch.messages
    WHERE reason IS NOT NULL AND settled_at IS NULL`,
  'an attempt is unfinished': `
    SELECT message_id || ' attempt ' || number AS what, message_id FROM dispatch.attempts
    WHERE held_by IS NOT NULL OR outcome IS NULL`,
  'a copy of an email is not handed over yet': `
    SELECT email_id || ' recipient ' || number AS what, email_id AS message_id
    FROM dispatch.email_recipients WHERE state = 'queued' OR due_at IS NOT NULL`,
  'an attempt of an email is unfinished': `
    SELECT email_id || ' attempt ' || number AS what, email_id AS message_id
    FROM dispatch.email_attempts WHERE held_by IS NOT NULL OR outcome IS NULL`,
  'an email ended, and is not settled': `
    SELECT email.id::text AS what, email.id AS message_id FROM dispatch.emails AS email
    WHERE settled_at IS NULL AND NOT EXISTS (
      SELECT FROM dispatch.email_recipients AS recipient
      WHERE recipient.email_id = email.id AND state NOT IN ('failed', 'cancelled'))`,
  'an account email is asked for and not on its way': `
    SELECT id::text AS what, NULL AS message_id FROM gateway.email_requests`,
  /** ADR 4: until the end it can be asked for again. */
  'a code is kept that nobody needs': `
    SELECT id::text AS what, id AS message_id FROM dispatch.messages
    WHERE code_cipher IS NOT NULL AND state NOT IN ('accepted', 'sent', 'delivered')`,
  /** Except for a code that has just expired: codes expire during a drain, too. */
  'a webhook delivery is due': `
    SELECT delivery.id::text AS what, NULL AS message_id FROM webhooks.deliveries AS delivery
    JOIN webhooks.events AS event ON event.id = delivery.event_id
    WHERE delivery.status = 'pending'
      AND NOT (event.variant_a_type = 'otp.expired' AND event.occurred_at > now() - interval '10 s')`,
  'a webhook recovery is under way': `
    SELECT id::text AS what, NULL AS message_id FROM webhooks.recoveries WHERE status = 'running'`,
  'an endpoint is not closed yet, or its notice not sent': `
    SELECT id::text AS what, NULL AS message_id FROM webhooks.endpoints
    WHERE closing OR notice_event_id IS NOT NULL`,
  /**
   * A report names a message by the carrier's own id; where that got lost with the answer, the report fits
   * nothing and stays until it is purged. There are no more of those than attempts without an answer.
   */
  'a report is parked that no ambiguous attempt explains': `
    SELECT parked.what, NULL AS message_id FROM (
      SELECT report ->> 'provider' AS provider, report ->> 'provider_message_id' AS what,
        dense_rank() OVER (
          PARTITION BY report ->> 'provider' ORDER BY report ->> 'provider_message_id') AS place
      FROM dispatch.parked_reports) AS parked
    WHERE parked.place > (
      SELECT count(*) FROM dispatch.attempts AS attempt
      WHERE attempt.provider = parked.provider AND attempt.outcome = 'ambiguous'
        AND attempt.provider_message_id IS NULL)`,
};

/** 9. After a fault heals, every queue drains to zero. */
export async function checkDrained(
  database: DatabasePool,
  bus: BusState,
  silentDestinations: readonly string[],
): Promise<Tally> {
  const tally = new Tally(9, 'everything is drained: nothing unfinished, unsettled, due or parked');
  for (const [problem, query] of Object.entries(UNFINISHED)) {
    const values = query.includes('$1') ? [silentDestinations] : [];
    const { rows } = await database.query<{ what: string }>(query, values);
    if (rows.length === 0) tally.expect(true, () => '');
    for (const { what } of rows) tally.expect(false, () => `${problem}: ${what}`);
  }
  checkBus(tally, bus);
  return tally;
}

/** Every group has read its topic to the end, and every topic with readers has its groups. */
function checkBus(tally: Tally, { groups, deadLetters }: BusState): void {
  for (const what of deadLetters) tally.expect(false, () => `a dead letter: ${what}`);
  for (const { name, readers } of ALL_TOPICS) {
    const isRead = groups.some(({ topic }) => topic === name);
    tally.expect(isRead || readers.length === 0, () => `nobody reads ${name}`);
  }
  for (const { group, topic, waiting } of groups) {
    tally.expect(waiting === 0, () => `${group} has ${waiting} messages of ${topic} to read`);
  }
}
