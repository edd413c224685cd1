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

async function sent(senderId: string, workspaceId = newId<WorkspaceId>()): Promise<WorkspaceId> {
  const command = smsCommand({
    workspace_id: workspaceId,
    sender_id: senderId,
    destination: HANDSET,
  });
  await kit.send(command);
  await kit.until(command.message_id, 'sent');
  return workspaceId;
}

async function refusal(workspaceId: WorkspaceId, senderId: string) {
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
