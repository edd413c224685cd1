import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { newId } from '@watchword/contracts';
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
import { withReport } from '../src/receipts/delivery-report.policy.js';
import { withOutcome } from '../src/sending/failover.policy.js';
import { deliveryReport } from './commands.kit.js';
import { later, message, SENDER } from './message.kit.js';

jest.setTimeout(60_000);
/** The same on every machine; `PROPERTY_SEED` for others. */
fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 20_261_124) });

const kinds = fc.constantFrom('sms' as const, 'otp' as const);
const usual = fc.constantFrom('ATXid_1', 'a "quoted", {braced} \\ id', 'Ünïcode', 'NULL');
const ids: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: usual, weight: 9 },
  fc.constant('2 lines\nof it'),
);
/** Which call or report comes next for which message. */
const steps = fc.array(
  fc.record({ of: fc.nat(3), isReport: fc.boolean(), providerMessageId: ids }),
  { minLength: 1, maxLength: 5 },
);
type Steps = typeof steps extends fc.Arbitrary<infer Value> ? Value : never;

let database: TestDatabase;
let store: MessageStore;

beforeAll(async () => {
  const { migrations, functions } = dispatchService;
  database = await testDatabase({ service: 'dispatch', migrations, functions });
  store = new MessageStore(database.pool, pino({ level: 'silent' }));
}, 60_000);

afterAll(() => database?.drop());

async function stored(made: readonly ('sms' | 'otp')[]): Promise<Message[]> {
  const messages = made
    .map((kind) => {
      const fresh = { ...message(kind), id: newId() };
      const otp = otpOf(fresh);
      // Its code is kept for the second text.
      return otp ? { ...fresh, content: { ...otp, resendMax: 1 } } : fresh;
    })
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const writes = messages.map((one) => writeOf(null, one, one.createdAt));
  expect((await store.insert(writes)).size).toBe(messages.length);
  return messages;
}

function stepped(current: Message, { isReport, providerMessageId }: Steps[number], at: Date) {
  if (!isReport) {
    const context = { candidates: [], heldBy: SENDER, at };
    return withOutcome(current, 1, { outcome: 'accepted', providerMessageId }, context);
  }
  const report = deliveryReport({
    provider: 'one',
    state: 'delivered',
    provider_message_id: current.attempts[0]!.providerMessageId,
    message_id: current.id,
  });
  return withReport(current, report, at);
}

function changes(messages: readonly Message[], taken: Steps, at: Date): MessageWrite[] {
  return messages.flatMap((before, index) => {
    const own = taken.filter(({ of }) => of % messages.length === index);
    const after = own.reduce((current, step) => stepped(current, step, at), before);
    return after === before ? [] : [writeOf(before, after, at)];
  });
}

/** Writes two rounds of changes. Walls that hold all of them make it a batch for `change_messages`. */
async function outcome(
  made: readonly ('sms' | 'otp')[],
  rounds: readonly Steps[],
  isGeneral: boolean,
) {
  let messages = await stored(made);
  let shortCount = 0;
  for (const [index, taken] of rounds.entries()) {
    const writes = changes(messages, taken, later(1_000 * (index + 1))).map((write) => {
      const { workspaceId, testMode } = write.message;
      return isGeneral ? { ...write, within: { workspaceId, testMode } } : write;
    });
    if (areOutcomes(writes)) shortCount += writes.length;
    expect((await store.update(writes)).size).toBe(writes.length);
    const written = new Map(writes.map((write) => [write.message.id, afterWrite(write.message)]));
    messages = messages.map((one) => written.get(one.id) ?? one);
  }
  return { shortCount, rows: await rowsOf(messages) };
}

async function rowsOf(messages: readonly Message[]): Promise<string> {
  const ofEach = await Promise.all(
    messages.map(async ({ id, workspaceId }) => {
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
    }),
  );
  return ofEach.join('\n');
}

describe('outcomes', () => {
  it('are written alike by the short statement and by the general one', async () => {
    let shortCount = 0;
    const batch = fc.array(kinds, { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(batch, steps, steps, async (made, first, second) => {
        const short = await outcome(made, [first, second], false);
        const general = await outcome(made, [first, second], true);
        expect(short.rows).toEqual(general.rows);
        expect(general.shortCount).toBe(0);
        shortCount += short.shortCount;
      }),
      { numRuns: 60 },
    );
    expect(shortCount).toBeGreaterThan(60);
  });

  it('leave out a message that another process has changed, with its attempt and events', async () => {
    const messages = await stored(['sms', 'sms']);
    const taken = [0, 1].map((of) => ({ of, isReport: false, providerMessageId: `id-${of}` }));
    const [mine, others] = changes(messages, taken, later(1_000));
    await store.update([others!]);
    const before = await rowsOf([messages[1]!]);
    expect(areOutcomes([mine!, others!])).toBe(true);
    expect(await store.update([mine!, others!])).toEqual(new Set([messages[0]!.id]));
    expect(await rowsOf([messages[1]!])).toBe(before);
    expect(await rowsOf([messages[0]!])).toContain('message.sent');
    expect(await store.update([mine!, others!])).toEqual(new Set());
  });
});
