import { describe, expect, it } from '@jest/globals';
import type { DatabasePool } from '@watchword/postgres';
import { checkDrained } from './drain.check.ts';

const id = '0199a000-0000-7000-8000-000000000001';

/** Answers queries of that table, and nothing for any other. */
function databaseWith(table: string, row: { what: string; message_id: string | null }) {
  const query = async (text: string) => ({ rows: text.includes(`FROM ${table}`) ? [row] : [] });
  return { query } as unknown as DatabasePool;
}

const drained = async (database: DatabasePool) => {
  const bus = { groups: [], deadLetters: [] };
  const { unfinishedMessages, otherCount } = await checkDrained(database, bus, []);
  return { messages: [...unfinishedMessages], otherCount };
};
const unread = (await drained(databaseWith('nothing', { what: '', message_id: null }))).otherCount;

describe('what is not drained', () => {
  it('is counted once for each message, by its id', async () => {
    const attempt = { what: `${id} attempt 1`, message_id: id };
    const messages = await drained(databaseWith('dispatch.messages', attempt));
    expect(messages).toEqual({ messages: [id], otherCount: unread });
  });

  it('is something else where an id is not that of a message', async () => {
    const delivery = { what: id, message_id: null };
    const others = await drained(databaseWith('webhooks.deliveries', delivery));
    expect(others).toEqual({ messages: [], otherCount: unread + 1 });
  });
});
