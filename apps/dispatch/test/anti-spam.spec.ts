import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dispatchCalls, type ScreenTextRequest, type SendMessage } from '@watchword/contracts';
import { createLogger } from '@watchword/observability';
import { TcpRpc } from '@watchword/rpc';
import { otpCommand, smsCommand } from './commands.kit.js';
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

  it('is the same for a command that comes twice', async () => {
    const command = sms('block');
    await kit.send(command, command);
    await kit.send(command);
    await kit.refund(command.message_id);
    await kit.refund(command.message_id);
    expect(await typesOf(command)).toEqual(['message.blocked']);
    const refunds = (await kit.refundCommands()).map(({ message_id: id }) => id);
    expect(refunds.filter((id) => id === command.message_id)).toHaveLength(1);
  });

  it('goes by each message of a batch', async () => {
    const [bad, good, off] = [sms('block'), sms('block', HARMLESS), sms('off')];
    await kit.send(bad, good, off);
    await kit.until(bad.message_id, 'blocked');
    await kit.until(good.message_id, 'sent');
    await kit.until(off.message_id, 'sent');
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

  it('leaves the caller’s own key alone', async () => {
    const command = sms('tag', PHISHING, { metadata: { antispam: 'mine' } });
    await kit.send(command);
    await kit.until(command.message_id, 'sent');
    expect((await record(command)).metadata).toMatchObject({
      antispam: 'mine',
      svc_antispam: { label: 'phishing' },
    });
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

  it('is judged the same over TCP, letter by letter, with other callers beside it', async () => {
    const secret = 'a secret of at least thirty-two characters';
    const logger = createLogger({ service: 'spec', level: 'silent' });
    const near = new TcpRpc({ sharedSecrets: [secret], logger });
    near.serve(dispatchCalls, kit.calls);
    const address = `127.0.0.1:${await near.listen('127.0.0.1', 0)}`;
    const far = new TcpRpc({ sharedSecrets: [secret], logger, addresses: { dispatch: [address] } });
    try {
      const { screenText } = far.client(dispatchCalls);
      const texts = [PHISHING, HARMLESS, `${PHISHING} 🎉 ñ \u2028 "quoted"`, 'x'.repeat(1_600)];
      const settings = ['off', 'tag', 'block'] as const;
      const requests = texts.flatMap((text) =>
        settings.map((anti_spam) => ({ text, country_code: 'NG', sender_id: null, anti_spam })),
      );
      const there = await Promise.all(requests.map((request) => screenText(request)));
      expect(there).toEqual(await Promise.all(requests.map((one) => kit.calls.screenText(one))));
      expect(there.slice(0, 3)).toEqual([
        { action: 'none' },
        { action: 'tag' },
        { action: 'block' },
      ]);
      const wrong = { ...requests[0], anti_spam: 'perhaps' } as unknown as ScreenTextRequest;
      await expect(screenText(wrong)).rejects.toThrow('dispatch.screenText was called with');
      await near.close();
      await expect(screenText(requests[0] as ScreenTextRequest)).rejects.toMatchObject({
        name: 'ServiceUnavailable',
        service: 'dispatch',
      });
    } finally {
      await Promise.all([near.close(), far.close()]);
    }
  });
});

describe('one-time passwords', () => {
  it('are never judged', async () => {
    const template = 'Your account is blocked: send your PIN and {code} to https://bit.ly/3xY';
    const command = otpCommand({}, { template });
    await kit.send(command);
    await kit.until(command.message_id, 'sent');
    expect((await kit.stored(command.message_id))['antispam']).toBeNull();
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

  it('tags NN 41, and delivers it', async () => {
    const command = to('41');
    await simulated.send(command);
    await simulated.until(command.message_id, 'delivered');
    expect(await simulated.stored(command.message_id)).toMatchObject({
      metadata: { order: 7, antispam: { label: 'spam', score: 1, reasons: ['test_number'] } },
    });
  });

  it('judges other texts as live mode does', async () => {
    const command = to('00');
    const flagged = {
      ...command,
      sms: command.sms && { ...command.sms, body: PHISHING, anti_spam: 'block' as const },
    };
    await simulated.send(flagged);
    await simulated.until(command.message_id, 'blocked');
  });

  it('knows no such numbers in live mode', async () => {
    const command = sms('off', HARMLESS, { destination: '+2348030000040' });
    await kit.send(command);
    await kit.until(command.message_id, 'sent');
  });
});
