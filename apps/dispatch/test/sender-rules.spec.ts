import { afterEach, describe, expect, it } from '@jest/globals';
import { type SendMessage, type SenderRule, type SenderRules } from '@watchword/contracts';
import { eventually, FakeClock } from '@watchword/testing';
import { otpCommand, smsCommand } from './commands.kit.js';
import { kit, resetCarriers, useKit } from './one-dispatch.kit.js';

/** Rules of senders that changed between the acceptance of a scheduled message and its time. */
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

const clock = new FakeClock(Date.now() - (Date.now() % MINUTE_MS));
useKit({ clock });
resetCarriers();

const text = (ms: number) => new Date(ms).toISOString();
const rule = (change: Partial<SenderRule> = {}): SenderRule => ({
  alphanumeric: 'allowed',
  length_min: 3,
  reserved_words: [],
  quiet_hours: null,
  last_checked: '2026-11-22',
  ...change,
});
const replace = (of: SenderRule, enforcement: SenderRules['enforcement'] = 'off') =>
  kit.calls.replaceSenderRules({ rules: { enforcement, countries: { NG: of } } });

async function scheduled(category?: 'promotional'): Promise<SendMessage> {
  const base = smsCommand({
    family: 'b',
    created_at: text(clock.now()),
    send_at: text(clock.now() + HOUR_MS),
  });
  const sms = { ...base, sms: base.sms && { ...base.sms, ...(category && { category }) } };
  await kit.send(sms);
  return sms;
}

/** Quiet hours that begin half an hour before the message is due, and end two hours after it. */
function aroundDue(): SenderRule {
  const due = clock.now() + HOUR_MS;
  const [from, to] = [due - HOUR_MS / 2, due + 2 * HOUR_MS].map((ms) => text(ms).slice(11, 16));
  return rule({ quiet_hours: { time_zone: 'UTC', windows: [{ from: from!, to: to! }] } });
}

const setting = ({ workspace_id }: SendMessage, quiet_hours?: 'off' | 'refuse' | 'delay') =>
  kit.account({
    type: 'workspace.updated',
    workspace_id,
    name: 'Acme',
    quiet_hours,
    occurred_at: text(clock.now()),
  });
const record = async ({ workspace_id, test_mode, message_id }: SendMessage) =>
  (await kit.calls.getMessage({ workspace_id, test_mode, message_id, kind: 'sms' })).message;

describe('a scheduled promotional message in quiet hours', () => {
  it.each(['delay', 'refuse'] as const)('waits for their end with "%s"', async (quiet) => {
    const sms = await scheduled('promotional');
    await setting(sms, quiet);
    const end = clock.now() + 3 * HOUR_MS;
    await replace(aroundDue());
    clock.advance(HOUR_MS);
    await eventually(async () => expect((await record(sms))?.send_at).toBe(text(end)));
    expect(await record(sms)).toMatchObject({ state: 'scheduled', category: 'promotional' });
    expect(kit.africasTalking.submits).toEqual([]);
    clock.advance(2 * HOUR_MS);
    await kit.until(sms.message_id, 'sent');
    expect(kit.africasTalking.submits).toHaveLength(1);
  });

  it.each(['off', undefined] as const)('is sent where the setting is %s', async (quiet) => {
    const sms = await scheduled('promotional');
    await setting(sms, quiet);
    await replace(aroundDue());
    clock.advance(HOUR_MS);
    await kit.until(sms.message_id, 'sent');
  });

  it('is sent where it is transactional', async () => {
    const sms = await scheduled();
    await setting(sms, 'delay');
    await replace(aroundDue());
    clock.advance(HOUR_MS);
    await kit.until(sms.message_id, 'sent');
  });
});

describe("a scheduled message against its country's rule", () => {
  it.each<[SenderRules['enforcement'], Partial<SenderRule>, 'rejected' | 'sent']>([
    ['enforce', { alphanumeric: 'forbidden' }, 'rejected'],
    ['enforce', { reserved_words: ['ACME'] }, 'rejected'],
    ['enforce', { length_min: 5 }, 'rejected'],
    ['enforce', { alphanumeric: 'replaced' }, 'sent'],
    ['enforce', { alphanumeric: 'replaced', length_min: 5 }, 'sent'],
    ['enforce', { alphanumeric: 'replaced', reserved_words: ['ACME'] }, 'sent'],
    ['log', { alphanumeric: 'forbidden' }, 'sent'],
    ['off', { alphanumeric: 'forbidden' }, 'sent'],
  ])('%s %j: %s', async (enforcement, change, state) => {
    const sms = await scheduled();
    await replace(rule(change), enforcement);
    clock.advance(HOUR_MS);
    await kit.until(sms.message_id, state);
    if (state === 'sent') return;
    await kit.refund(sms.message_id);
    expect(await record(sms)).toMatchObject({ error_code: 'sender_id_rejected', refunded: true });
  });
});

describe('an account with a number', () => {
  const NUMBER = '+2347000123';
  const OWN = 'Watchword';
  const otp = () => otpCommand({ sender_id: null, created_at: text(clock.now()) });
  const named = () => smsCommand();
  const unnamed = () => smsCommand({ sender_id: null });

  afterEach(() => {
    kit.africasTalking.senderNumber = null;
    kit.africasTalking.defaultSenderId = OWN;
  });

  async function handedOver(command: SendMessage): Promise<(string | null)[]> {
    await kit.send(command);
    await kit.until(command.message_id, 'sent');
    return kit.africasTalking.submits.map(({ senderId }) => senderId);
  }

  it.each<[SenderRules['enforcement'], SenderRule['alphanumeric'], string | null, string]>([
    ['enforce', 'replaced', NUMBER, NUMBER],
    ['enforce', 'replaced', null, 'Acme'],
    ['enforce', 'allowed', NUMBER, 'Acme'],
    ['log', 'replaced', NUMBER, 'Acme'],
  ])('%s, %s, number %s: hands over %s', async (enforcement, alphanumeric, number, sender) => {
    kit.africasTalking.senderNumber = number;
    await replace(rule({ alphanumeric }), enforcement);
    const sms = named();
    expect(await handedOver(sms)).toEqual([sender]);
    expect((await record(sms))?.sender_id).toBe('Acme');
  });

  it.each<[string, () => SendMessage, string, SenderRules['enforcement'], string | null]>([
    ['a one-time password', otp, OWN, 'enforce', NUMBER],
    ['a text', unnamed, OWN, 'enforce', NUMBER],
    ['a one-time password, log', otp, OWN, 'log', null],
    ['a text, log', unnamed, OWN, 'log', null],
    ["a one-time password, account's own a number", otp, '+2347000999', 'enforce', null],
  ])('without a sender ID: %s', async (_, make, own, mode, sender) => {
    kit.africasTalking.senderNumber = NUMBER;
    kit.africasTalking.defaultSenderId = own;
    await replace(rule({ alphanumeric: 'replaced' }), mode);
    expect(await handedOver(make())).toEqual([sender]);
  });
});
