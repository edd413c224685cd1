import { expect, it } from '@jest/globals';
import {
  type ListedMessage,
  type MessageListQuery,
  newId,
  type Page,
  routes,
  type WorkspaceId,
} from '@watchword/contracts';
import { FakeClock } from '@watchword/testing';
import { otpCommand, smsCommand } from './commands.kit.js';
import { refused } from './dispatch.kit.js';
import { kit, useKit } from './one-dispatch.kit.js';

const clock = new FakeClock();
useKit({ clock });

type Request = { workspace_id: WorkspaceId } & Omit<Partial<MessageListQuery>, 'status'> & {
    status?: string;
  };

async function list({ workspace_id, ...query }: Request): Promise<Page<ListedMessage>> {
  const asked = { workspace_id, query: { limit: 50, ...query } };
  return (await kit.serve<Page<ListedMessage>>(routes.listAllMessages, asked)).body!;
}

const idsOf = (records: ListedMessage[]) => records.map(({ id }) => id);

/** Returns commands of messages created a second apart. */
function commands(workspaceId: WorkspaceId, count: number, firstSecond = 0) {
  return Array.from({ length: count }, (_, index) =>
    smsCommand({
      workspace_id: workspaceId,
      created_at: new Date(clock.now() + (firstSecond + index) * 1_000).toISOString(),
    }),
  );
}

it('decisions 17: the list of messages is newest first, in pages that neither repeat nor skip while others come', async () => {
  const workspaceId = newId();
  const sent = commands(workspaceId, 5);
  await kit.send(...sent);
  await kit.send(smsCommand());
  const newestFirst = sent.map(({ message_id: id }) => id).toReversed();

  const first = await list({ workspace_id: workspaceId, limit: 2 });
  expect(idsOf(first.data)).toEqual(newestFirst.slice(0, 2));
  await kit.send(...commands(workspaceId, 2, 100));
  const second = await list({ workspace_id: workspaceId, limit: 2, cursor: first.next_cursor });
  expect(idsOf(second.data)).toEqual(newestFirst.slice(2, 4));
  const third = await list({ workspace_id: workspaceId, limit: 2, cursor: second.next_cursor });
  expect(idsOf(third.data)).toEqual(newestFirst.slice(4));
  expect(third.next_cursor).toBeUndefined();
});

it('decisions 17: the list of messages is filtered by kind, number, sender, country, mode and time', async () => {
  const workspaceId = newId();
  const at = (second: number) => new Date(clock.now() + second * 1_000).toISOString();
  const of = { workspace_id: workspaceId };
  const one = smsCommand({ ...of, created_at: at(1), destination: '+14155550123' });
  const two = smsCommand({ ...of, created_at: at(2), country_code: 'KE', sender_id: null });
  const three = otpCommand({ ...of, created_at: at(3), sender_id: null });
  const four = smsCommand({ ...of, created_at: at(4), test_mode: true, sender_id: null });
  await kit.send(one, two, three, four);
  const found = async (request: Omit<Request, 'workspace_id'>) =>
    idsOf((await list({ ...of, ...request })).data);
  expect(await found({ kind: 'otp' })).toEqual([three.message_id]);
  expect(await found({ to: '+14155550123' })).toEqual([one.message_id]);
  expect(await found({ from: 'Acme' })).toEqual([one.message_id]);
  expect(await found({ country: 'KE' })).toEqual([two.message_id]);
  expect(await found({ test_mode: true })).toEqual([four.message_id]);
  expect(await found({ test_mode: false, kind: 'sms' })).toEqual([two.message_id, one.message_id]);
  expect(await found({ created_after: at(2) })).toEqual([four.message_id, three.message_id]);
  expect(await found({ created_before: at(2) })).toEqual([one.message_id]);
  expect(await found({ created_after: at(1), created_before: at(3) })).toEqual([two.message_id]);
});

it('decisions 27: an SMS without a sender of its own shows that of the handset once a carrier has it, and is found by it', async () => {
  const of = { workspace_id: newId(), sender_id: null };
  const taken = smsCommand(of);
  await kit.send(taken);
  await kit.until(taken.message_id, 'sent');
  kit.africasTalking.answer = () => refused('invalid_number');
  const refusedOne = smsCommand(of);
  await kit.send(refusedOne);
  await kit.until(refusedOne.message_id, 'failed');
  const { data } = await list({ workspace_id: of.workspace_id });
  expect(data).toMatchObject([
    { id: refusedOne.message_id, from: null },
    { id: taken.message_id, from: 'Watchword', sender_id: null },
  ]);
  const found = await list({ workspace_id: of.workspace_id, from: 'Watchword' });
  expect(idsOf(found.data)).toEqual([taken.message_id]);
});

it('decisions 25: the list of messages filters by the status that each record shows, before and after a refund is settled', async () => {
  const of = { workspace_id: newId() };
  kit.africasTalking.answer = () => refused('invalid_number');
  const failing = smsCommand(of);
  const other = smsCommand({ ...of, family: 'b' });
  await kit.send(failing, other);
  await kit.until(failing.message_id, 'failed');
  await kit.until(other.message_id, 'failed');
  const found = async (status: string) => idsOf((await list({ ...of, status })).data);
  expect(await found('failed')).toEqual([]);
  expect(await found('pending')).toEqual([failing.message_id]);
  expect(await found('queued')).toEqual([other.message_id]);
  await kit.refund(failing.message_id);
  expect(await found('failed')).toEqual([failing.message_id]);
  expect(await found('pending')).toEqual([]);
  expect(await found('no such word')).toEqual([]);
});

it('a list refuses an unknown country and the cursor of another list', async () => {
  const of = { workspace_id: newId<WorkspaceId>() };
  const refusal = (field: string) => ({ type: 'validation_error', field });
  await expect(list({ ...of, country: 'XX' })).rejects.toMatchObject(refusal('country'));
  await expect(list({ ...of, cursor: 'x' })).rejects.toMatchObject(refusal('cursor'));
  const late = list({ ...of, created_after: 'yesterday' });
  await expect(late).rejects.toMatchObject(refusal('created_after'));
});
