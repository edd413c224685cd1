import { expect, it } from '@jest/globals';
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

it('STOP opts a number out of the sender that wrote last, and START opts it in again', async () => {
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

it('decisions 28: STOP and START apply to a sender ID in each of its spellings', async () => {
  const acme = await sent('Acme');
  await kit.inbound(inbound('stop', 'A.C.M.E'));
  for (const spelling of ['Acme', ' Acme', 'Acme.', 'A-cme']) {
    expect(await refusal(acme, spelling)).toBe('opted_out');
  }
  await kit.inbound(inbound('start', 'ＡＣＭＥ'));
  expect(await refusal(acme, 'Acme')).toBeNull();
});

it('decisions 28: STOP opts out in the workspace that sent last from the sender, START opts in in every workspace', async () => {
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

it('decisions 28: START to a number opts in to each sender that the account of the number carried', async () => {
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

it('an inbound message from a number that received nothing changes nothing', async () => {
  await kit.inbound({ ...inbound('stop'), from: '+2348031239999' });
  expect(await refusal(newId(), 'Acme')).toBeNull();
});
