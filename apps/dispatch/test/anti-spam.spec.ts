import { expect, it } from '@jest/globals';
import { type SendMessage } from '@watchword/contracts';
import { smsCommand } from './commands.kit.js';
import { kit, useKit } from './one-dispatch.kit.js';

const PHISHING = 'Your account is blocked. Verify it within 24hrs: https://bit.ly/3xY';
const HARMLESS = 'Your parcel is here.';

useKit();

function sms(
  antiSpam: 'off' | 'tag' | 'block',
  body = PHISHING,
  change: Partial<SendMessage> = {},
): SendMessage {
  const command = smsCommand(change);
  return { ...command, sms: command.sms && { ...command.sms, body, anti_spam: antiSpam } };
}

async function record({ workspace_id, message_id }: SendMessage) {
  const { message } = await kit.calls.getMessage({
    workspace_id,
    test_mode: false,
    message_id,
    kind: 'sms',
  });
  if (!message) throw new Error('there is no such message');
  return message;
}

const submitsOf = ({ message_id: id }: SendMessage) =>
  kit.africasTalking.submits.filter(({ messageId }) => messageId === id);
const typesOf = async ({ message_id: id }: SendMessage) =>
  (await kit.events(id)).map(({ type }) => type);

it('a message that anti-spam blocks goes to no provider, and is blocked in public once its refund is in the ledger', async () => {
  const command = sms('block');
  await kit.send(command);
  await kit.until(command.message_id, 'blocked');
  expect(submitsOf(command)).toEqual([]);
  const refunds = (await kit.refundCommands()).filter(
    ({ message_id: id }) => id === command.message_id,
  );
  expect(refunds).toMatchObject([{ reason: 'antispam_blocked' }]);

  const before = await record(command);
  expect(before).toMatchObject({ state: 'accepted', reason: null, antispam: null });
  expect(before.timeline).toMatchObject([{ status: 'queued' }]);
  expect(await typesOf(command)).toEqual([]);

  await kit.refund(command.message_id);
  const after = await record(command);
  const antispam = {
    label: 'phishing',
    flagged: true,
    action: 'block',
    model: 'rules',
    reasons: expect.arrayContaining(['url_shortener', 'account_threat', 'urgency']),
  };
  expect(after).toMatchObject({
    state: 'blocked',
    reason: 'antispam_blocked',
    refunded: true,
    antispam,
    metadata: { order: 7 },
    provider_attempts: [],
  });
  expect(after.timeline).toEqual([
    { status: 'queued', timestamp: command.created_at },
    {
      status: 'blocked',
      timestamp: expect.any(String),
      reason: 'antispam_blocked',
      refunded: true,
    },
  ]);
  const [event, ...others] = await kit.events(command.message_id);
  expect(others).toEqual([]);
  expect(event).toMatchObject({
    type: 'message.blocked',
    message: { state: 'blocked', reason: 'antispam_blocked', refunded: true, antispam },
  });
});

it('a message that anti-spam does not flag is sent with its verdict', async () => {
  const command = sms('block', HARMLESS);
  await kit.send(command);
  await kit.until(command.message_id, 'sent');
  expect(await record(command)).toMatchObject({
    antispam: { label: 'clean', flagged: false, action: 'none' },
    metadata: { order: 7 },
  });
});
