import { describe, expect, it } from '@jest/globals';
import {
  type MessageId,
  type FoundMessage,
  newId,
  type SearchMessagesRequest,
} from '@watchword/contracts';
import { FakeClock } from '@watchword/testing';
import { otpCommand, smsCommand } from './commands.kit.js';
import { kit, useKit } from './one-dispatch.kit.js';

const clock = new FakeClock();
useKit({ clock });

async function search(request: Partial<SearchMessagesRequest>) {
  const page = await kit.calls.searchMessages({ limit: 50, ...request });
  if ('verdict' in page) throw new Error(page.verdict);
  return page;
}

const idsOf = (records: FoundMessage[]) => records.map(({ id }) => id);

describe('the search of operators', () => {
  it('finds the messages to a number in all workspaces and both modes, newest first', async () => {
    const destination = '+2348031110001';
    const sent = [
      smsCommand({ destination, workspace_id: newId() }),
      otpCommand({ destination, workspace_id: newId(), sender_id: null }),
      smsCommand({ destination, workspace_id: newId(), test_mode: true }),
    ];
    await kit.send(...sent, smsCommand());
    const newestFirst = sent.map(({ message_id: id }) => id).toReversed();
    expect(idsOf((await search({ to: destination })).data)).toEqual(newestFirst);

    const first = await search({ to: destination, limit: 2 });
    expect(idsOf(first.data)).toEqual(newestFirst.slice(0, 2));
    await kit.send(smsCommand({ destination }));
    const second = await search({ to: destination, limit: 2, cursor: first.next_cursor });
    expect(idsOf(second.data)).toEqual(newestFirst.slice(2));
    expect(second.next_cursor).toBeUndefined();
    const of = sent[1]!.workspace_id;
    expect(idsOf((await search({ to: destination, workspace_id: of })).data)).toEqual([
      sent[1]!.message_id,
    ]);
  });

  it('finds one message by its id, and pages those of a workspace', async () => {
    const workspace_id = newId();
    const at = (second: number) => new Date(clock.now() + second * 1_000).toISOString();
    const sent = [1, 2, 3].map((second) => smsCommand({ workspace_id, created_at: at(second) }));
    await kit.send(...sent);
    const newestFirst = sent.map(({ message_id: id }) => id).toReversed();
    const [id] = newestFirst as [MessageId, ...MessageId[]];
    expect(idsOf((await search({ id: id.toUpperCase() })).data)).toEqual([id]);
    expect((await search({ id, to: '+14155550123' })).data).toEqual([]);
    expect((await search({ id: newId() })).data).toEqual([]);
    const first = await search({ workspace_id, limit: 2 });
    const second = await search({ workspace_id, limit: 2, cursor: first.next_cursor });
    expect(idsOf([...first.data, ...second.data])).toEqual(newestFirst);
    expect(second.next_cursor).toBeUndefined();
  });

  it('filters by the public status, and lists all without a filter', async () => {
    const destination = '+2348031110002';
    const [a, b] = [smsCommand({ destination }), smsCommand({ destination, family: 'b' })];
    await kit.send(a, b);
    await Promise.all([a, b].map(({ message_id: id }) => kit.until(id, 'sent')));
    expect(idsOf((await search({ to: destination, status: 'sent' })).data)).toEqual([
      b.message_id,
      a.message_id,
    ]);
    expect((await search({ to: destination, status: 'queued' })).data).toEqual([]);
    expect(idsOf((await search({ limit: 1 })).data)).toEqual([b.message_id]);
  });

  it('refuses the cursor of another list', async () => {
    const request = { workspace_id: newId(), test_mode: null, limit: 1 };
    const workspace_id = request.workspace_id;
    await kit.send(smsCommand({ workspace_id }), smsCommand({ workspace_id }));
    const page = await kit.calls.listMessages(request);
    const cursor = 'data' in page ? page.next_cursor : undefined;
    expect(cursor).toBeDefined();
    expect(await kit.calls.searchMessages({ limit: 1, cursor })).toEqual({ verdict: 'bad_cursor' });
  });
});
