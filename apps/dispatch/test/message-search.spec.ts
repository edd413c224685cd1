import { expect, it } from '@jest/globals';
import { newId, type SearchMessagesRequest } from '@watchword/contracts';
import type { Queryable, Statement } from '@watchword/postgres';
import { EmailSearchStore } from '../src/emails/email-search.store.js';
import { MessageSearchStore } from '../src/messages/message-search.store.js';
import { otpCommand, smsCommand } from './commands.kit.js';
import { kit, useKit } from './one-dispatch.kit.js';

useKit();

async function search(request: Partial<SearchMessagesRequest>) {
  const page = await kit.calls.searchMessages({ limit: 50, emails: true, ...request });
  if ('verdict' in page) throw new Error(page.verdict);
  return page.data.map(({ id }) => id);
}

it('the search of a workspace is filtered by number, id, kind, mode and time', async () => {
  const of = { workspace_id: newId() as ReturnType<typeof smsCommand>['workspace_id'] };
  const sms = smsCommand({ ...of, destination: '+14155550177' });
  const otp = otpCommand({ ...of, test_mode: true });
  const foreign = smsCommand({ destination: '+14155550177' });
  await kit.send(sms, otp, foreign);
  expect(await search({ ...of, to: '+14155550177' })).toEqual([sms.message_id]);
  expect(await search({ ...of, id: foreign.message_id })).toEqual([]);
  expect(await search({ ...of, kind: 'otp' })).toEqual([otp.message_id]);
  expect(await search({ ...of, kind: 'email' })).toEqual([]);
  expect(await search({ ...of, test_mode: false })).toEqual([sms.message_id]);
  expect(await search({ ...of, created_after: '2099-01-01T00:00:00Z' })).toEqual([]);
  expect(await search({ ...of, created_before: '2099-01-01T00:00:00Z' })).toHaveLength(2);
});

/** Returns the plan of what a store asks, for tables too large to be read as a whole. */
async function planOf(ask: (database: Queryable) => Promise<unknown>): Promise<string> {
  let plan = '';
  const explaining = {
    query: async (asked: Statement, values: unknown[]) => {
      await kit.database.pool.transaction(async (transaction) => {
        await transaction.query('SET LOCAL enable_seqscan = off');
        const { rows } = await transaction.query<Record<string, string>>(
          `EXPLAIN ${asked.text}`,
          values,
        );
        plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      });
      return { rows: [{ ids: [], walkEnd: null }] };
    },
  };
  await ask(explaining as unknown as Queryable);
  return plan;
}

it.each([
  ['a number', 'messages_of_destination|destination_test_mode', { to: '+14155550177' }],
  ['an id', 'pkey', { id: newId() }],
  ['a status', 'workspace_id_created_at', { status: 'failed' }],
])('the search of a workspace for %s reads along an index', async (_, index, asked) => {
  const request = { workspace_id: newId(), limit: 50, ...asked } as SearchMessagesRequest;
  const plan = await planOf((database) => new MessageSearchStore(database).page(request, null));
  expect(plan).toMatch(new RegExp(`Index.* Scan.* using \\S*(${index})`));
  expect(plan).not.toContain('Seq Scan');
});

it('the search of a workspace for an address reads along its newest emails', async () => {
  const request = { workspace_id: newId(), limit: 50, to: 'ada@example.com' };
  const plan = await planOf((database) =>
    new EmailSearchStore(database).page(request as SearchMessagesRequest, null),
  );
  expect(plan).toContain('emails_listed');
});
