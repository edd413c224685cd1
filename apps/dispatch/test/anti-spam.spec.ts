import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type SendMessage } from '@watchword/contracts';
import { smsCommand } from './commands.kit.js';
import { type Kit, startKit } from './dispatch.kit.js';
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

describe('block', () => {
  it('stops a flagged message before any provider, and gives all of it back', async () => {
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

  it('lets through what is not flagged, and keeps the verdict', async () => {
    const command = sms('block', HARMLESS);
    await kit.send(command);
    await kit.until(command.message_id, 'sent');
    expect(await record(command)).toMatchObject({
      antispam: { label: 'clean', flagged: false, action: 'none' },
      metadata: { order: 7 },
    });
  });
});

describe('tag', () => {
  it('delivers a flagged message with a tag in its metadata', async () => {
    const command = sms('tag');
    await kit.send(command);
    await kit.until(command.message_id, 'sent');
    expect(submitsOf(command)).toMatchObject([{ body: PHISHING }]);
    const { metadata, antispam, state } = await record(command);
    const { label, score, reasons } = antispam ?? {};
    expect([state, label, antispam?.['action']]).toEqual(['sent', 'phishing', 'tag']);
    expect(metadata).toEqual({ order: 7, antispam: { label, score, reasons } });
    expect(await kit.events(command.message_id)).toMatchObject([
      { type: 'message.sent', message: { metadata, antispam } },
    ]);
  });
});

describe('off', () => {
  it('does nothing', async () => {
    const command = sms('off');
    await kit.send(command);
    await kit.until(command.message_id, 'sent');
    expect(await record(command)).toMatchObject({ antispam: null, metadata: { order: 7 } });
  });
});

describe('a text that was not sent', () => {
  const actionOn = async (antiSpam: 'off' | 'tag' | 'block', text = PHISHING) => {
    const request = { text, country_code: 'NG', sender_id: null, anti_spam: antiSpam };
    return (await kit.calls.screenText(request)).action;
  };

  it('is judged as a send would be, and nothing of it is kept', async () => {
    const count = async () =>
      (await kit.database.pool.query('SELECT count(*) AS messages FROM messages')).rows[0];
    const before = await count();
    expect(await actionOn('block')).toBe('block');
    expect(await actionOn('tag')).toBe('tag');
    expect(await actionOn('off')).toBe('none');
    expect(await actionOn('block', HARMLESS)).toBe('none');
    expect(await count()).toEqual(before);
  });
});

describe('test mode', () => {
  const to = (digits: string, change: Partial<SendMessage> = {}) =>
    sms('off', HARMLESS, {
      test_mode: true,
      country_code: 'US',
      network: null,
      destination: `+120255501${digits}`,
      ...change,
    });
  let simulated: Kit;
  beforeAll(async () => {
    simulated = await startKit({ simulated: true });
  });
  afterAll(() => simulated?.close());

  it('blocks NN 40 at once with every setting, and asks billing for nothing', async () => {
    const command = to('40');
    await simulated.send(command);
    await simulated.until(command.message_id, 'blocked');
    expect(await simulated.stored(command.message_id)).toMatchObject({
      reason: 'antispam_blocked',
      refunded: true,
      antispam: {
        label: 'spam',
        score: 1,
        flagged: true,
        action: 'block',
        reasons: ['test_number'],
        model: 'test',
      },
    });
    expect((await simulated.events(command.message_id)).map(({ type }) => type)).toEqual([
      'message.blocked',
    ]);
    expect(await simulated.refundCommands()).toEqual([]);
  });
});
