import { describe, expect, it } from '@jest/globals';
import { newId } from '@watchword/contracts';
import { FakeClock } from '@watchword/testing';
import type { TextCommand } from '../src/channels/text-channel.js';
import { deliveryReport, otpCommand, smsCommand } from './commands.kit.js';
import { kit, resetCarriers, useKit } from './one-dispatch.kit.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ERASED = '+234•••••';
const MINUTE_MS = 60_000;
const clock = new FakeClock(Date.now());
useKit({ clock });
resetCarriers();

let ordinal = 1_000_000;
const freshNumber = () => `+234803${(ordinal += 1)}`;
const later = (ms: number) => new Date(clock.now() + ms).toISOString();

const asked = (to: string) => ({ to, after: null, before: later(DAY_MS) });
const open = async (to: string) => (await kit.calls.countOpenMessages(asked(to))).count;
const slice = (to: string, after: string | null = null) =>
  kit.calls.eraseMessages({ to, erased: ERASED, after });

async function delivered(command: TextCommand): Promise<TextCommand> {
  await kit.send(command);
  await kit.until(command.message_id, 'sent');
  await report(command);
  await kit.until(command.message_id, 'delivered');
  return command;
}

const report = ({ message_id }: TextCommand) => {
  const id = { message_id, provider_message_id: `africas_talking-${message_id}` };
  return kit.report(deliveryReport({ ...id, received_at: later(0), raw_message: 'Delivered.' }));
};

/** Makes many copies of a message, drawn within the same minute. */
async function copies({ message_id: id }: TextCommand, howMany: number): Promise<void> {
  const ids = Array.from({ length: howMany }, newId);
  await kit.database.pool.query(
    `INSERT INTO messages SELECT (jsonb_populate_record(message, jsonb_build_object('id', copy.id))).*
     FROM messages AS message, unnest($2::uuid[]) AS copy (id) WHERE message.id = $1`,
    [id, ids],
  );
}

async function count(table: string, destination: string): Promise<number> {
  const text = `SELECT count(*)::integer AS count FROM ${table} WHERE destination = $1`;
  const { rows } = await kit.database.pool.query<{ count: number }>(text, [destination]);
  return rows[0]!.count;
}

describe('an erasure of a number', () => {
  it('takes the number and words out of its messages, a slice a call, and no more', async () => {
    const destination = freshNumber();
    const sms = await delivered(smsCommand({ destination }));
    const other = await delivered(smsCommand({ destination: freshNumber() }));
    await copies(sms, 2_100);
    const before = await kit.stored(sms.message_id);

    const slices = [await slice(destination)];
    for (let { next } = slices[0]!; next !== null; { next } = slices.at(-1)!) {
      slices.push(await slice(destination, next));
    }
    expect(slices.map((one) => one.count)).toEqual([1_000, 1_000, 101]);
    expect(await kit.stored(sms.message_id)).toEqual({
      ...before,
      ...{ destination: ERASED, body: null, original_body: null, metadata: {} },
      version: Number(before['version']) + 1,
    });
    expect(await count('messages', destination)).toBe(0);
    expect(await kit.stored(other.message_id)).toMatchObject({
      destination: other.destination,
      body: other.sms?.body,
    });
    expect(await slice(destination)).toEqual({ count: 0, next: null });
  });

  it('waits for messages that are scheduled, held, sent or have a code', async () => {
    const destination = freshNumber();
    await kit.send(smsCommand({ destination, send_at: later(HOUR_MS) }));
    expect(await open(destination)).toBe(1);
    const sent = smsCommand({ destination });
    await kit.send(sent);
    await kit.until(sent.message_id, 'sent');
    expect(await open(destination)).toBe(2);
    const otp = otpCommand({ destination, created_at: later(0) });
    await delivered(otp);
    expect(await open(destination)).toBe(3);
    const workspace_id = newId();
    const suspended = { type: 'workspace.updated', name: 'Acme', suspended: true } as const;
    await kit.account({ ...suspended, workspace_id, occurred_at: later(0) });
    await kit.send(smsCommand({ destination, workspace_id }));
    expect(await open(destination)).toBe(4);
    expect(await slice(destination)).toEqual({ count: 0, next: null });
    expect(await kit.stored(sent.message_id)).toMatchObject({ destination });
  });

  it('cancels scheduled messages with a refund, and does not count test messages', async () => {
    const destination = freshNumber();
    const [live, test, other] = [
      smsCommand({ destination, send_at: later(HOUR_MS) }),
      smsCommand({ destination, send_at: later(HOUR_MS), test_mode: true }),
      smsCommand({ destination: freshNumber(), send_at: later(HOUR_MS) }),
    ];
    await kit.send(live, test, other);
    const { tests, count: others } = await kit.calls.countOpenMessages(asked(destination));
    expect([others, tests]).toEqual([1, 1]);
    const early = { ...asked(destination), before: '2026-01-01T00:00:00.000Z' };
    expect(await kit.calls.countOpenMessages(early)).toMatchObject({ count: 0, tests: 0 });
    const cancelling = { to: destination, after: null };
    const isLast = { ...cancelling, after: test.message_id };
    expect(await kit.calls.cancelScheduledMessages(isLast)).toEqual({ count: 0, next: null });
    expect(await kit.calls.cancelScheduledMessages(cancelling)).toEqual({ count: 2, next: null });
    expect(await kit.calls.cancelScheduledMessages(cancelling)).toEqual({ count: 0, next: null });
    expect(await slice(destination)).toEqual({ count: 1, next: null });
    expect(await open(destination)).toBe(1);
    await kit.refund(live.message_id);
    expect(await slice(destination)).toEqual({ count: 1, next: null });
    expect(await kit.stored(other.message_id)).toMatchObject({ state: 'scheduled' });
  });

  it('does not wait for a receipt that is three days late, which then tells no number', async () => {
    const destination = freshNumber();
    const silent = smsCommand({ destination });
    await kit.send(silent);
    await kit.until(silent.message_id, 'sent');
    clock.advance(3 * DAY_MS + MINUTE_MS);
    expect(await open(destination)).toBe(0);
    expect(await slice(destination)).toEqual({ count: 1, next: null });
    await report(silent);
    await kit.until(silent.message_id, 'delivered');
    const [last] = (await kit.events(silent.message_id)).slice(-1);
    expect(last).toMatchObject({ type: 'message.delivered' });
    expect(last!.message).toMatchObject({ destination: ERASED, body: null, metadata: {} });
    expect(await kit.stored(silent.message_id)).toMatchObject({ destination: ERASED, body: null });
  });

  it('takes away what a carrier said, and the command of a cancelled message', async () => {
    const destination = freshNumber();
    const refusal = { outcome: 'refused', reason: 'invalid_number', rawCode: '21211' } as const;
    const rawMessage = `${destination} is not a number`;
    kit.africasTalking.answer = () => ({ ...refusal, rawMessage });
    const [failed, cancelled] = [
      smsCommand({ destination }),
      smsCommand({ destination, send_at: later(HOUR_MS) }),
    ];
    await kit.send(failed, cancelled);
    await kit.until(failed.message_id, 'failed');
    const { message_id, workspace_id } = cancelled;
    const scope = { workspace_id, test_mode: false };
    await kit.calls.cancelMessage({ ...scope, message_id, kind: 'sms', idempotency: null });
    expect(await open(destination)).toBe(2);
    await kit.refund(failed.message_id, cancelled.message_id);
    expect(await slice(destination)).toEqual({ count: 2, next: null });
    const { rows } = await kit.database.pool.query(
      `SELECT raw_message FROM attempts WHERE message_id = $1
       UNION ALL SELECT command::text FROM scheduled_messages WHERE message_id = $2`,
      [failed.message_id, message_id],
    );
    expect(rows).toEqual([{ raw_message: null }]);
  });

  it('is not undone by what another process remembers', async () => {
    const destination = freshNumber();
    const silent = smsCommand({ destination });
    await kit.send(silent);
    await kit.until(silent.message_id, 'sent');
    // As another process erases it: this one still has the number in its memory.
    await kit.database.pool.query(
      `UPDATE messages SET destination = $2, body = NULL, version = version + 1 WHERE id = $1`,
      [silent.message_id, ERASED],
    );
    await report(silent);
    await kit.until(silent.message_id, 'delivered');
    const [last] = (await kit.events(silent.message_id)).slice(-1);
    expect(last!.message).toMatchObject({ destination: ERASED, body: null });
  });

  it('deletes what was learned, and keeps what protects the person', async () => {
    const destination = freshNumber();
    const { workspace_id } = await delivered(smsCommand({ destination }));
    await kit.database.pool.query(
      `WITH opt_out AS (
         INSERT INTO opt_outs (id, workspace_id, destination, sender_id, folded, created_at)
           VALUES ($3, $2, $1, 'Acme', 'acme', now())
       ), dnd AS (
         INSERT INTO dnd_numbers VALUES ($1, 'learned', 'NG', now() + interval '1 day')
       ), network AS (
         INSERT INTO number_networks VALUES ($1, 'airtel_ng', now())
       )
       INSERT INTO guessed_numbers VALUES ($2, $1, 3, now())`,
      [destination, workspace_id, newId()],
    );
    await slice(destination);
    const tables = ['opt_outs', 'dnd_numbers', 'number_networks', 'guessed_numbers'];
    const left = await Promise.all(tables.map((table) => count(table, destination)));
    expect(left).toEqual([1, 1, 0, 0]);
  });
});
