import { expect, it } from '@jest/globals';
import {
  type FoundOwnMessage,
  type MessageSearchQuery,
  newId,
  type OperatorMessage,
  type Page,
  routes,
  type WorkspaceId,
} from '@watchword/contracts';
import type { Queryable, Statement } from '@watchword/postgres';
import { eventually } from '@watchword/testing';
import { EmailSearchStore } from '../src/emails/email-search.store.js';
import type { SearchAsked } from '../src/messages/search-walk.js';
import { MessageSearchStore } from '../src/messages/message-search.store.js';
import { deliveryReport, otpCommand, smsCommand } from './commands.kit.js';
import { kit, useKit } from './one-dispatch.kit.js';

useKit();

type Request = Partial<MessageSearchQuery> & { workspace_id: WorkspaceId };

async function search({ workspace_id, ...query }: Request) {
  const asked = { workspace_id, country: 'US', query: { limit: 50, ...query } };
  const { body } = await kit.serve<Page<FoundOwnMessage>>(routes.searchOwnMessages, asked);
  return body?.data.map(({ id }) => id);
}

it('the search of a workspace is filtered by number, id, kind, mode and time', async () => {
  const of = { workspace_id: newId() as ReturnType<typeof smsCommand>['workspace_id'] };
  const sms = smsCommand({ ...of, destination: '+14155550177' });
  const otp = otpCommand({ ...of, test_mode: true });
  const foreign = smsCommand({ destination: '+14155550177' });
  await kit.send(sms, otp, foreign);
  expect(await search({ ...of, q: '(415) 555-0177' })).toEqual([sms.message_id]);
  expect(await search({ ...of, q: foreign.message_id })).toEqual([]);
  expect(await search({ ...of, kind: 'otp' })).toEqual([otp.message_id]);
  expect(await search({ ...of, kind: 'email' })).toEqual([]);
  expect(await search({ ...of, test_mode: false })).toEqual([sms.message_id]);
  expect(await search({ ...of, created_after: '2099-01-01T00:00:00Z' })).toEqual([]);
  expect(await search({ ...of, created_before: '2099-01-01T00:00:00Z' })).toHaveLength(2);
});

it('what an operator reveals is an effect on each workspace, of its own messages alone', async () => {
  const destination = '+14155550188';
  const [ada, eve] = [smsCommand({ destination }), smsCommand({ destination })];
  await kit.send(ada, eve);
  const query = { limit: 50, to: destination, reveal: true, reason: 'Ticket 7' };
  const { body, effect, furtherEffects } = await kit.serve<Page<OperatorMessage>>(
    routes.searchMessages,
    { query },
  );
  expect(body?.data).toMatchObject([{ to: destination }, { to: destination }]);
  const shared = {
    to: expect.not.stringContaining(destination),
    revealed: true,
    reason: 'Ticket 7',
  };
  const effects = [ada, eve].map(({ workspace_id, message_id }) => ({
    ...shared,
    ...{ workspace_id, message_ids: [message_id] },
  }));
  expect([effect, ...(furtherEffects ?? [])]).toEqual(expect.arrayContaining(effects));
  expect(furtherEffects).toHaveLength(1);
});

it('an operator who reveals nothing sees masked numbers, and gives a reason to see more', async () => {
  const sms = smsCommand({ destination: '+14155550199' });
  await kit.send(sms);
  const asked = { parameters: { id: sms.message_id }, query: {} };
  const { body, effect } = await kit.serve(routes.getFoundMessage, asked);
  expect(JSON.stringify(body)).not.toContain('4155550199');
  expect(effect).toEqual({ workspace_id: sms.workspace_id, message_id: sms.message_id });
  const unreasoned = kit.serve(routes.getFoundMessage, { ...asked, query: { reveal: true } });
  await expect(unreasoned).rejects.toMatchObject({ type: 'validation_error', field: 'reason' });
});

it('an operator reads why each attempt of a message failed', async () => {
  const sms = smsCommand({ destination: '+14155550111' });
  await kit.send(sms);
  const asked = { parameters: { id: sms.message_id }, query: {} };
  const read = async () => (await kit.serve<OperatorMessage>(routes.getFoundMessage, asked)).body!;
  await eventually(async () => expect((await read()).attempt_reasons).toEqual([null]));
  await kit.report(
    deliveryReport({
      ...{ provider_message_id: `africas_talking-${sms.message_id}`, state: 'failed' },
      reason: 'absent_subscriber',
    }),
  );
  await eventually(async () =>
    expect((await read()).attempt_reasons).toEqual(['absent_subscriber']),
  );
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
  const request = { workspace_id: newId(), limit: 50, ...asked } as SearchAsked;
  const plan = await planOf((database) => new MessageSearchStore(database).page(request, null));
  expect(plan).toMatch(new RegExp(`Index.* Scan.* using \\S*(${index})`));
  expect(plan).not.toContain('Seq Scan');
});

it('the search of a workspace for an address reads along its newest emails', async () => {
  const request = { workspace_id: newId(), limit: 50, to: 'ada@example.com' };
  const plan = await planOf((database) =>
    new EmailSearchStore(database).page(request as SearchAsked, null),
  );
  expect(plan).toContain('emails_listed');
});
