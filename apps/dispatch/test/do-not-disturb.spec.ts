import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newId, type SendMessage, type WorkspaceId } from '@watchword/contracts';
import { eventually } from '@watchword/testing';
import { DestinationStore } from '../src/registrations/do-not-disturb/destination.store.js';
import { otpCommand, smsCommand } from './commands.kit.js';
import { type Kit, refused, startKit } from './dispatch.kit.js';

const NUMBER = '+2348031234567';

let kit: Kit;
let store: DestinationStore;

beforeAll(async () => {
  kit = await startKit();
  store = new DestinationStore(kit.database.pool);
});
afterAll(() => kit.close());

const refusal = async (workspaceId: WorkspaceId, senderId: string | null, destination = NUMBER) => {
  const { findings } = await kit.calls.judgeDestinations({
    questions: [
      { workspace_id: workspaceId, sender_id: senderId, country_code: 'NG', destination },
    ],
  });
  return findings[0]?.refusal;
};
const upload = async (...numbers: string[]) => {
  const named = { upload_id: newId(), country_code: 'NG' };
  await kit.calls.stageDndNumbers({ ...named, numbers });
  return (await kit.calls.publishDndList(named)).numbers;
};

const DAY_MS = 86_400_000;
const AFTER_30_DAYS = () => new Date(Date.now() + 30 * DAY_MS + 60_000);

it('a carrier that refuses a live SMS puts the number on the Do Not Disturb list for 30 days', async () => {
  const destination = '+2348030000001';
  kit.twilio.answer = () => refused('dnd_active');
  kit.africasTalking.answer = () => refused('dnd_active');
  const otp = otpCommand({ destination });
  const test = smsCommand({ destination, test_mode: true });
  const sms = smsCommand({ destination });
  for (const command of [otp, test]) await kit.send(command);
  await eventually(async () => {
    for (const { message_id: id } of [otp, test]) {
      expect((await kit.stored(id))['reason']).not.toBeNull();
    }
  });
  expect(await refusal(newId(), null, destination)).toBeNull();
  await kit.send(sms);
  await kit.until(sms.message_id, 'failed');
  expect(await refusal(newId(), null, destination)).toBe('dnd');
  await upload();
  expect(await refusal(newId(), null, destination)).toBe('dnd');
  await store.purge(new Date(Date.now() + 30 * DAY_MS - 60_000), new Date());
  expect(await refusal(newId(), null, destination)).toBe('dnd');
  await store.purge(AFTER_30_DAYS(), new Date());
  expect(await refusal(newId(), null, destination)).toBeNull();
});

const destination = '+2348030000003';
const optsOut = () => ({ ...refused('opted_out'), optsOut: true as const });
const optOutsOf = async (workspaceId: WorkspaceId) => {
  const found = await store.listOptOuts(workspaceId, 10, null);
  return found.map(({ sender_id: sender }) => sender);
};
const failed = async (...commands: readonly SendMessage[]) => {
  for (const command of commands) await kit.send(command);
  await eventually(async () => {
    for (const { message_id: id } of commands) {
      expect((await kit.stored(id))['reason']).toBe('opted_out');
    }
  });
};

it('a carrier that refuses a number as opted out of a sender creates an opt-out, and START deletes it', async () => {
  kit.africasTalking.answer = optsOut;
  const sms = smsCommand({ destination, sender_id: 'Acme' });
  const { workspace_id: workspaceId } = sms;
  await failed(sms);
  await failed(smsCommand({ destination, sender_id: 'ACME', workspace_id: workspaceId }));
  expect(await optOutsOf(workspaceId)).toEqual(['Acme']);
  expect(await refusal(workspaceId, 'acme', destination)).toBe('opted_out');
  expect(await refusal(workspaceId, 'Other', destination)).toBeNull();
  expect(await refusal(newId(), 'Acme', destination)).toBeNull();
  await kit.inbound({
    ...{ inbound_id: newId(), provider: 'twilio', provider_message_id: newId() },
    ...{ from: destination, to: 'Acme', keyword: 'start' },
    received_at: new Date().toISOString(),
  });
  expect(await optOutsOf(workspaceId)).toEqual([]);
});
