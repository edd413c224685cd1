/** A workspace's messages of two months, of all ends, and the hourly roll-ups that the overview reads. */
import type pg from 'pg';
import { copy, makeIds, ROWS_PER_STATEMENT, TIME } from './growth.ts';

const DAYS = 60;
const ROLL_UPS_AT_ONCE = 100;

/** Of a hundred messages 88 are delivered, 5 failed and were refunded, 7 have no receipt. */
const IS_FAILED = 'grown.n % 100 < 5';
const IS_OPEN = 'grown.n % 100 BETWEEN 5 AND 11';
const by = (n: number, values: readonly string[]) =>
  `(ARRAY['${values.join(`', '`)}'])[1 + grown.n % ${n} % ${values.length}]`;

const COLUMNS = {
  id: 'grown.id',
  created_at: TIME,
  updated_at: TIME,
  send_at: 'NULL',
  // The job that deletes texts of this age has nothing to do then.
  body: `CASE WHEN ${TIME} > now() - interval '25 days' THEN template.body END`,
  destination: `'+234803' || (2000000 + grown.n % 7000000)`,
  country_code: by(7, ['NG', 'NG', 'KE', 'GH', 'CI']),
  network: by(11, ['mtn_ng', 'glo_ng', 'airtel_ng', '9mobile_ng']),
  provider: by(13, ['africas_talking', 'termii', 'infobip']),
  state: `CASE WHEN ${IS_FAILED} THEN 'failed' WHEN ${IS_OPEN} THEN 'sent' ELSE 'delivered' END`,
  reason: `CASE WHEN ${IS_FAILED} THEN 'absent_subscriber' END`,
  refunded: IS_FAILED,
  settled_at: `CASE WHEN ${IS_FAILED} THEN ${TIME} END`,
  sent_at: TIME,
  delivered_at: `CASE WHEN grown.n % 100 > 11 THEN ${TIME} + make_interval(secs => 1 + grown.n % 97 / 7.0) END`,
};

export async function writeHistory(
  client: pg.Client,
  messageId: string,
  count: number,
): Promise<void> {
  await client.query('SET synchronous_commit = off; SET TIME ZONE UTC');
  const step = (DAYS * 86_400) / count;
  for (let from = 1; from <= count; from += ROWS_PER_STATEMENT) {
    await makeIds(client, [from, Math.min(from + ROWS_PER_STATEMENT - 1, count)], step);
    const template = `id = '${messageId}'`;
    await copy(client, { table: 'dispatch.messages', template, columns: COLUMNS });
  }
  await client.query('VACUUM (ANALYZE) dispatch.messages');
  await client.query('CHECKPOINT');
}

/** Makes the roll-ups as the job of dispatch does. Returns how many it made. */
export async function rollUp(client: pg.Client): Promise<number> {
  await client.query(
    `INSERT INTO dispatch.changed_hours (workspace_id, hour)
     SELECT DISTINCT workspace_id, date_trunc('hour', created_at, 'UTC') FROM dispatch.messages`,
  );
  const text = `SELECT dispatch.roll_up_usage(date_trunc('hour', now()), '-infinity', $1) AS made`;
  let all = 0;
  for (;;) {
    const { rows } = await client.query<{ made: number }>(text, [ROLL_UPS_AT_ONCE]);
    all += rows[0]!.made;
    if (rows[0]!.made < ROLL_UPS_AT_ONCE) break;
  }
  await client.query(
    'VACUUM (ANALYZE) dispatch.hourly_usage, dispatch.daily_usage, dispatch.changed_hours',
  );
  return all;
}
