import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { asId, type MessageId, newId } from '@watchword/contracts';
import type { SubmitOutcome } from '@watchword/carriers';
import { type TestDatabase, testDatabase } from '@watchword/testing';
import fc from 'fast-check';
import { pino } from 'pino';
import { otpOf } from '../src/channels/channels.js';
import { dispatchService } from '../src/index.js';
import type { Message } from '../src/messages/message.js';
import { writeOf } from '../src/messages/message-changes.handler.js';
import { afterWrite, MessageStore } from '../src/messages/message.store.js';
import type { MessageWrite } from '../src/messages/message-write.js';
import { areOutcomes } from '../src/messages/outcome-columns.js';
import { withOutcome } from '../src/sending/failover.policy.js';
import { later, message, SENDER } from './message.kit.js';
import { type Step, step, stepped } from './steps.kit.js';
/** The same on every machine; `PROPERTY_SEED` for others. */
fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 20_261_124) });

/** A message by its kind and the resends that it allows: its code is deleted early without any. */
const born = fc.record({
  kind: fc.constantFrom('sms' as const, 'otp' as const),
  resendMax: fc.nat(1),
});
type Born = typeof born extends fc.Arbitrary<infer Value> ? Value : never;
type Change = (current: Message, at: Date) => Message;

let database: TestDatabase;
let store: MessageStore;

beforeAll(async () => {
  const { migrations, functions } = dispatchService;
  database = await testDatabase({ service: 'dispatch', migrations, functions });
  store = new MessageStore(database.pool, pino({ level: 'silent' }));
});

afterAll(() => database?.drop());

async function stored(made: readonly Born[]): Promise<Message[]> {
  const messages = made
    .map(({ kind, resendMax }) => {
      const fresh = { ...message(kind), id: newId() };
      const otp = otpOf(fresh);
      return otp ? { ...fresh, content: { ...otp, resendMax } } : fresh;
    })
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const writes = messages.map((one) => writeOf(null, one, one.createdAt));
  expect((await store.insert(writes)).size).toBe(messages.length);
  return messages;
}

function writesOf(messages: readonly Message[], changes: readonly Change[], at: Date) {
  return messages.flatMap((before, index) => {
    const after = changes[index % changes.length]!(before, at);
    return after === before ? [] : [writeOf(before, after, at)];
  });
}

/** Walls that hold the message make its batch one for `change_messages`. */
const withWalls = (write: MessageWrite): MessageWrite => ({
  ...write,
  within: { workspaceId: write.message.workspaceId, testMode: write.message.testMode },
});

/** Writes a batch for each round of changes. Returns the rows of all tables, and what went the short way. */
async function outcome(made: readonly Born[], rounds: readonly Change[][], isGeneral: boolean) {
  let messages = await stored(made);
  const short: MessageWrite[] = [];
  for (const [index, changes] of rounds.entries()) {
    const usual = writesOf(messages, changes, later(1_000 * (index + 1)));
    const writes = isGeneral ? usual.map(withWalls) : usual;
    if (areOutcomes(writes)) short.push(...writes);
    expect((await store.update(writes)).size).toBe(writes.length);
    const written = new Map(writes.map((write) => [write.message.id, afterWrite(write.message)]));
    messages = messages.map((one) => written.get(one.id) ?? one);
  }
  return { short, rows: await rowsOf(messages) };
}

async function rowsOf(messages: readonly Message[]): Promise<string> {
  const ofEach = messages.map(async ({ id, workspaceId }) => {
    const queries = [
      'SELECT * FROM messages WHERE id = $1::uuid',
      'SELECT * FROM attempts WHERE message_id = $1::uuid ORDER BY number',
      'SELECT topic, type, key, occurred_at, payload FROM outbox WHERE key = $1 ORDER BY position',
    ];
    const tables = [];
    for (const query of queries) tables.push((await database.pool.query(query, [id])).rows);
    // What differs between any two messages and events.
    return JSON.stringify(tables)
      .replaceAll(id, 'message')
      .replaceAll(workspaceId, 'workspace')
      .replaceAll(/\\"event_id\\":\\"[^"]*\\"/g, '');
  });
  return (await Promise.all(ofEach)).join('\n');
}

/** The outcome of the first call. */
const answered =
  (outcome: SubmitOutcome): Change =>
  (current, at) =>
    withOutcome(current, 1, outcome, { candidates: [], heldBy: SENDER, at });
const accepted = (providerMessageId: string) =>
  answered({ outcome: 'accepted', providerMessageId });
const unanswered = answered({ outcome: 'ambiguous', rawCode: null, rawMessage: null });

async function expectAlike(made: readonly Born[], rounds: readonly Change[][]) {
  const { short, rows } = await outcome(made, rounds, false);
  const general = await outcome(made, rounds, true);
  expect(rows).toEqual(general.rows);
  expect(general.short).toEqual([]);
  return short;
}

describe('outcomes', () => {
  it('are written alike by the short statement and by the general one', async () => {
    const short: MessageWrite[] = [];
    const batch = fc.array(born, { minLength: 1, maxLength: 3 });
    const round = fc.array(step, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(
        batch,
        fc.array(round, { minLength: 4, maxLength: 14 }),
        async (made, rounds) => {
          const changes = rounds.map((steps) =>
            steps.map<Change>((one) => (current, at) => stepped(current, one, at)),
          );
          short.push(...(await expectAlike(made, changes)));
        },
      ),
      { numRuns: 400 },
    );
    expect(short.length).toBeGreaterThan(60);
    const attempts = short.flatMap((write) => write.attempts);
    expect(attempts.some(({ wasAmbiguous }) => wasAmbiguous)).toBe(true);
    const isDeleted = ({ message: { content } }: MessageWrite) =>
      content.kind === 'otp' && content.codeCipher === null;
    expect(short.some(isDeleted)).toBe(true);
  });

  it("record the attempt of a second text, after which an OTP's code is deleted", async () => {
    const id = asId<MessageId>('second');
    const steps: Step[] = [
      { kind: 'reserve', id },
      { kind: 'resend', id },
      { kind: 'outcome', index: 0, attempt: 1 },
    ];
    const rounds = steps.map<Change[]>((one) => [(current, at) => stepped(current, one, at)]);
    const short = await expectAlike(
      [{ kind: 'otp', resendMax: 1 }],
      [[accepted('first')], ...rounds],
    );
    expect(short.flatMap(({ attempts }) => attempts)).toMatchObject([{ resend: 0 }, { resend: 1 }]);
    expect(otpOf(short.at(-1)!.message)?.codeCipher).toBeNull();
  });

  it('forget why an attempt had no answer, once the carrier has the message', async () => {
    const rounds = [[unanswered], [accepted('late')]];
    const [write] = await expectAlike([{ kind: 'sms', resendMax: 0 }], rounds);
    expect(write?.before?.attempts[0]).toMatchObject({ reason: 'provider_timeout' });
    expect(write?.attempts[0]).toMatchObject({ reason: null, wasAmbiguous: true });
  });

  it.each([
    ['ATXid_1', true],
    ['a "quoted", {braced} \\ id', true],
    ['Ünïcode', true],
    ['NULL', true],
    ['2 lines\nof it', false],
    ['', false],
  ])("keep a carrier's id such as %j", async (providerMessageId, isShort) => {
    const short = await expectAlike(
      [{ kind: 'sms', resendMax: 0 }],
      [[accepted(providerMessageId)]],
    );
    expect(short.length > 0).toBe(isShort);
  });

  it('leave out a message that another process has changed, with its attempt and events', async () => {
    const messages = await stored(Array.from({ length: 2 }, () => ({ kind: 'sms', resendMax: 0 })));
    const writes = writesOf(messages, [accepted('one'), accepted('two')], later(1_000));
    await store.update(writes.slice(1));
    const before = await rowsOf(messages.slice(1));
    expect(areOutcomes(writes)).toBe(true);
    expect(await store.update(writes)).toEqual(new Set([messages[0]!.id]));
    expect(await rowsOf(messages.slice(1))).toBe(before);
    expect(await rowsOf(messages.slice(0, 1))).toContain('message.sent');
    expect(await store.update(writes)).toEqual(new Set());
  });
});
