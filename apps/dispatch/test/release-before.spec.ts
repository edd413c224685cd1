import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@watchword/contracts';
import { type TestDatabase, testDatabase } from '@watchword/testing';
import { channelOf } from '../src/channels/channels.js';
import { dispatchService } from '../src/index.js';
import type { Message } from '../src/messages/message.js';
import { AT, later, message, SENDER } from './message.kit.js';

/** What a replica of the release before sends to the functions that it knows. */
let database: TestDatabase;

beforeAll(async () => {
  const { migrations, functions } = dispatchService;
  database = await testDatabase({ service: 'dispatch', migrations, functions });
});
afterAll(() => database?.drop());

const rowOf = ({ content, ...envelope }: Message) => ({
  ...envelope,
  ...channelOf(content).toStored(content),
  resends: null,
});

const attemptOf = ({ id, attempts }: Message, change: object = {}) => ({
  messageId: id,
  ...attempts[0],
  senderId: SENDER,
  ...change,
});

const eventOf = ({ id }: Message, ordinal: number) => ({
  ordinal,
  messageId: id,
  topic: 'svc.message-events.v1',
  key: id,
  id: `event ${ordinal} of ${id}`,
  type: 'sms.sent',
  time: AT,
  payload: { text: 'two\nlines', ordinal },
});

async function call(name: string, ...batches: (object | string)[]): Promise<string[]> {
  const parameters = batches.map((_, index) => `$${index + 1}`).join(', ');
  const values = batches.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
  const text = `SELECT dispatch.${name}(${parameters}) AS id`;
  return (await database.pool.query<{ id: string }>(text, values)).rows.map(({ id }) => id);
}

const insert = (sent: readonly Message[], events: object[] = []) =>
  call(
    'insert_messages',
    sent.map(rowOf),
    sent.map((one) => attemptOf(one)),
    events,
  );

const column = async (text: string, value: unknown): Promise<unknown[]> =>
  (await database.pool.query<{ value: unknown }>(text, [value])).rows.map(({ value: one }) => one);

describe('the functions of the release before', () => {
  it('insert messages with attempts, and events in the order of their numbers', async () => {
    const [one, known] = [message('sms'), message('otp')];
    await insert([known]);
    const events = [eventOf(one, 2), eventOf(known, 3), eventOf(one, 1)];
    expect(await insert([one, known], events)).toEqual([one.id]);
    const ids = [one.id, known.id];
    const attempts = 'SELECT held_by AS value FROM dispatch.attempts WHERE message_id = ANY ($1)';
    expect(await column(attempts, ids)).toEqual([SENDER, SENDER]);
    const outbox =
      'SELECT payload::json AS value FROM dispatch.outbox WHERE key = ANY ($1) ORDER BY position';
    expect(await column(outbox, ids)).toEqual(
      [1, 2].map((ordinal) => eventOf(one, ordinal).payload),
    );
  });

  it('keep the command of a scheduled message', async () => {
    const one = { ...message('sms', { sendAt: later(60_000) }), command: { to: 'later' } };
    await call('insert_messages', [{ ...rowOf(one), command: one.command }], [], []);
    const text = 'SELECT command AS value FROM dispatch.scheduled_messages WHERE message_id = $1';
    expect(await column(text, one.id)).toEqual([{ to: 'later' }]);
  });

  it('change messages, and learn which numbers want no messages', async () => {
    const sent = [message('sms', { destination: '+2348031230001' }), message('otp')];
    const stale = message('sms');
    await insert([...sent, stale]);
    const all = [...sent, stale];
    const changes = all.map((one) => ({ ...rowOf(one), state: 'failed', updatedAt: AT }));
    changes[2] = { ...changes[2]!, version: 7 };
    const refused = { outcome: 'refused', reason: 'dnd_active', finishedAt: AT };
    const attempts = all.map((one) => attemptOf(one, refused));
    const key = { workspaceId: newId(), scope: 'cancel', key: newId(), fingerprint: 'f' };
    const keys = [{ messageId: sent[0]!.id, ...key, result: {}, createdAt: AT }];
    const events = all.map((one, index) => eventOf(one, index + 1));
    const written = await call('update_messages', changes, attempts, events, keys);
    expect(written.toSorted()).toEqual(sent.map(({ id }) => id).toSorted());
    const numbers = 'SELECT destination AS value FROM dispatch.dnd_numbers WHERE origin = $1';
    expect(await column(numbers, 'learned')).toEqual(['+2348031230001']);
    const outbox = 'SELECT message_id AS value FROM dispatch.outbox WHERE key = $1';
    expect(await column(outbox, stale.id)).toEqual([]);
    const stored = 'SELECT message_id AS value FROM dispatch.idempotency_keys WHERE key = $1';
    expect(await column(stored, key.key)).toEqual([sent[0]!.id]);
  });

  it('count guesses, and leave a message that must be judged again', async () => {
    const [one, other] = [message('otp'), message('otp')];
    await insert([one, other]);
    const changes = [one, other].map((each) => ({ ...rowOf(each), attemptCount: 1 }));
    const guess = { numberGuesses: 1, known: null, wrong: 1, isRight: false };
    const guesses = [one, other].map(({ id, workspaceId, destination }, index) => ({
      ...{ messageId: id, workspaceId, destination, ...guess },
      numberGuesses: index === 0 ? 1 : 100,
    }));
    const at = AT.toISOString();
    const events = [eventOf(one, 1), eventOf(other, 2)];
    expect(await call('verify_messages', changes, [], events, [], guesses, at)).toEqual([one.id]);
    const counts =
      'SELECT wrong_count AS value FROM dispatch.guessed_numbers WHERE workspace_id = $1';
    expect(await column(counts, one.workspaceId)).toEqual([1]);
    const outbox = 'SELECT key AS value FROM dispatch.outbox WHERE key = ANY ($1)';
    expect(await column(outbox, [one.id, other.id])).toEqual([one.id]);
  });
});
