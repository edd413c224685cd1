import { expect, it } from '@jest/globals';
import { type MessageRecord, newId } from '@watchword/contracts';
import { createLogger } from '@watchword/observability';
import type { TextCommand } from '../src/channels/text-channel.js';
import { RetentionJob } from '../src/retention/retention.job.js';
import { RetentionStore } from '../src/retention/retention.store.js';
import { UsageJob } from '../src/usage/usage.job.js';
import { UsageStore } from '../src/usage/usage.store.js';
import { otpCommand, smsCommand } from './commands.kit.js';
import { kit, useKit } from './one-dispatch.kit.js';

const DAY_MS = 86_400_000;
const SETTINGS = { retentionContentDays: 30, retentionMessagesDays: 400 };
const startedAt = Date.now();
const logger = createLogger({ service: 'retention-spec', level: 'silent' });
useKit();

/** Runs the job this many days after the start of this spec. */
async function runOnDay(day: number): Promise<void> {
  const store = new RetentionStore(kit.database.pool);
  const clock = { now: () => startedAt + day * DAY_MS };
  const usage = new UsageJob(new UsageStore(kit.database.pool), clock);
  await new RetentionJob(store, SETTINGS, usage, clock, logger).run();
}

async function sent(command: TextCommand): Promise<TextCommand> {
  await kit.send(command);
  await kit.until(command.message_id, 'sent');
  return command;
}

async function record({ message_id, workspace_id, kind }: TextCommand): Promise<MessageRecord> {
  const { message } = await kit.calls.getMessage({
    message_id,
    workspace_id,
    kind,
    test_mode: null,
  });
  if (message === null) throw new Error(`${message_id} is gone`);
  return message;
}

async function count(text: string): Promise<number> {
  const { rows } = await kit.database.pool.query<{ count: number }>(text);
  return rows[0]!.count;
}

const texts = () => count('SELECT count(*)::integer AS count FROM messages WHERE body IS NOT NULL');

/** Makes many copies of a message, drawn within the same minute. */
async function copies({ message_id: id }: TextCommand, howMany: number): Promise<void> {
  const ids = Array.from({ length: howMany }, newId);
  await kit.database.pool.query(
    `INSERT INTO messages SELECT (jsonb_populate_record(message, jsonb_build_object('id', copy.id))).*
     FROM messages AS message, unnest($2::uuid[]) AS copy (id) WHERE message.id = $1`,
    [id, ids],
  );
}

it('the text of an SMS is deleted after its days, and its record says so', async () => {
  const sms = await sent(smsCommand());
  const otp = await sent(otpCommand());
  await copies(sms, 2_100);
  await runOnDay(29);
  expect(await texts()).toBe(2_101);
  expect(await record(sms)).toMatchObject({ content_expired: false });
  const before = await record(sms);
  expect(before.body).toEqual(expect.any(String));

  await runOnDay(30.1);
  expect(await texts()).toBe(0);
  expect(await record(sms)).toEqual({
    ...before,
    body: null,
    original_body: null,
    content_expired: true,
  });
  expect(await record(otp)).toMatchObject({ kind: 'otp', content_expired: false });
});

it.each([
  ['was scheduled', 20, 49, 60.1],
  ['waited for the end of quiet hours', 33, 62, 67.1],
])(
  'the text of a message that %s is stored until its own days are over',
  async (_, days, kept, gone) => {
    const waiting = await sent(smsCommand());
    const due = new Date(startedAt + days * DAY_MS);
    const update = "UPDATE messages SET state = 'scheduled', send_at = $2 WHERE id = $1";
    await kit.database.pool.query(update, [waiting.message_id, due]);
    await runOnDay(kept);
    expect((await record(waiting)).body).not.toBeNull();
    await kit.database.pool.query("UPDATE messages SET state = 'sent' WHERE id = $1", [
      waiting.message_id,
    ]);
    await runOnDay(gone);
    expect(await record(waiting)).toMatchObject({ body: null, content_expired: true });
  },
);

it('a record is deleted with its attempts a month after its days, and not while it is scheduled', async () => {
  const waiting = await sent(smsCommand());
  await kit.database.pool.query("UPDATE messages SET state = 'scheduled' WHERE id = $1", [
    waiting.message_id,
  ]);
  await runOnDay(431);
  expect(await count('SELECT count(*)::integer AS count FROM messages')).toBeGreaterThan(2_100);
  await runOnDay(433);
  const { rows } = await kit.database.pool.query('SELECT id FROM messages');
  expect(rows).toEqual([{ id: waiting.message_id }]);
  const left = await kit.database.pool.query('SELECT DISTINCT message_id AS id FROM attempts');
  expect(left.rows).toEqual([{ id: waiting.message_id }]);
});
