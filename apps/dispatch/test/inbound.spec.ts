import { describe, expect, it } from '@jest/globals';
import { type InboundMessage, newId, type WorkspaceId } from '@watchword/contracts';
import { smsCommand } from './commands.kit.js';
import { kit, useKit } from './one-dispatch.kit.js';

useKit();

const HANDSET = '+2348031230001';

const inbound = (keyword: InboundMessage['keyword'], to = '20880'): InboundMessage => ({
  inbound_id: newId(),
  provider: 'africas_talking',
  provider_message_id: newId(),
  from: HANDSET,
  to,
  keyword,
  received_at: new Date().toISOString(),
});

async function sent(
  senderId: string | null,
  workspaceId = newId<WorkspaceId>(),
): Promise<WorkspaceId> {
  const command = smsCommand({
    workspace_id: workspaceId,
    sender_id: senderId,
    destination: HANDSET,
  });
  await kit.send(command);
  await kit.until(command.message_id, 'sent');
  return workspaceId;
}

async function refusal(workspaceId: WorkspaceId, senderId: string | null) {
  const question = { workspace_id: workspaceId, sender_id: senderId, country_code: 'NG' };
  const { findings } = await kit.calls.judgeDestinations({
    questions: [{ ...question, destination: HANDSET }],
  });
  return findings[0]?.refusal;
}

describe('an inbound message', () => {
  it('opts the handset out of the sender that wrote last, and in again', async () => {
    const earlier = await sent('Earlier');
    const acme = await sent('Acme');
    await kit.inbound(inbound('stop'), inbound('stop'));
    expect(await refusal(acme, 'acme')).toBe('opted_out');
    expect(await refusal(acme, 'Other')).toBeNull();
    expect(await refusal(earlier, 'Earlier')).toBeNull();
    await kit.inbound(inbound('help'), inbound(null));
    expect(await refusal(acme, 'Acme')).toBe('opted_out');
    await kit.inbound(inbound('start'));
    expect(await refusal(acme, 'Acme')).toBeNull();
  });

  it('decisions 28: with STOP or START means a sender in each of its spellings', async () => {
    const acme = await sent('Acme');
    await kit.inbound(inbound('stop', 'A.C.M.E'));
    for (const spelling of ['Acme', ' Acme', 'Acme.', 'A-cme']) {
      expect(await refusal(acme, spelling)).toBe('opted_out');
    }
    await kit.inbound(inbound('start', 'ＡＣＭＥ'));
    expect(await refusal(acme, 'Acme')).toBeNull();
  });

  it('decisions 28: closes a sender in the workspace that sent last from it, and opens it in every workspace', async () => {
    const first = await sent('Shared');
    await kit.inbound(inbound('stop', 'Shared'));
    const second = await sent('Shared');
    expect(await refusal(second, 'Shared')).toBeNull();
    await kit.inbound(inbound('stop', 'Shared'));
    expect(await refusal(first, 'Shared')).toBe('opted_out');
    expect(await refusal(second, 'Shared')).toBe('opted_out');
    await kit.inbound(inbound('start', 'SHARED'));
    expect(await refusal(first, 'Shared')).toBeNull();
    expect(await refusal(second, 'Shared')).toBeNull();
  });

  it('with STOP means no workspace whose message is still to be sent', async () => {
    const wrote = await sent('Waits');
    const sendAt = new Date(Date.now() + 86_400_000).toISOString();
    const later = smsCommand({ sender_id: 'Waits', destination: HANDSET, send_at: sendAt });
    await kit.send(later);
    await kit.until(later.message_id, 'scheduled');
    await kit.inbound(inbound('stop', 'Waits'));
    expect(await refusal(wrote, 'Waits')).toBe('opted_out');
    expect(await refusal(later.workspace_id, 'Waits')).toBeNull();
  });

  it('decisions 28: with START to a number opens each sender that the account of the number carried', async () => {
    const stopped = await Promise.all(
      ['Alpha', 'Beta'].map(async (name) => {
        const workspaceId = await sent(name);
        await kit.inbound(inbound('stop', name));
        return { workspaceId, name };
      }),
    );
    await sent('Since');
    await kit.inbound({ ...inbound('start'), provider: 'twilio' });
    await kit.inbound(inbound('start'));
    for (const { workspaceId, name } of stopped) {
      expect(await refusal(workspaceId, name)).toBeNull();
    }
  });

  it('with STOP to a number means the last sender of its account, even if another account sent since', async () => {
    const carried = await sent('Carried');
    const since = await sent('Elsewhere');
    await kit.database.pool.query(
      `UPDATE messages SET provider = 'twilio' WHERE workspace_id = $1`,
      [since],
    );
    await kit.inbound(inbound('stop'));
    expect(await refusal(carried, 'Carried')).toBe('opted_out');
    expect(await refusal(since, 'Elsewhere')).toBeNull();
  });

  it('closes and opens messages without a sender ID apart from named senders', async () => {
    const workspaceId = await sent(null);
    await kit.inbound(inbound('stop', '+2348009999999'));
    expect(await refusal(workspaceId, null)).toBe('opted_out');
    expect(await refusal(workspaceId, 'Acme')).toBeNull();
    const other = await sent(null);
    await kit.inbound(inbound('start', '+2348009999999'));
    expect(await refusal(workspaceId, null)).toBeNull();
    expect(await refusal(other, null)).toBeNull();
  });

  it('means the sender that it names, where that one wrote', async () => {
    const named = await sent('Named');
    const last = await sent('Last');
    await kit.inbound(inbound('stop', 'NAMED'));
    expect(await refusal(named, 'Named')).toBe('opted_out');
    expect(await refusal(last, 'Last')).toBeNull();
  });

  it('to a sender ID of letters never means another sender ID', async () => {
    const bolt = await sent('Bolt');
    await kit.inbound(inbound('stop', 'Nobody'));
    expect(await refusal(bolt, 'Bolt')).toBeNull();
    await kit.inbound(inbound('stop', '20880'));
    expect(await refusal(bolt, 'Bolt')).toBe('opted_out');
  });

  it('of a handset that got nothing changes nothing', async () => {
    await kit.inbound({ ...inbound('stop'), from: '+2348031239999' });
    expect(await refusal(newId(), 'Acme')).toBeNull();
  });
});
