import { expect, it } from '@jest/globals';
import { routes, type SendMessage, type SenderRule, type SenderRules } from '@watchword/contracts';
import { eventually, FakeClock } from '@watchword/testing';
import { smsCommand } from './commands.kit.js';
import { kit, resetCarriers, useKit } from './one-dispatch.kit.js';

/** Rules of senders that changed between the acceptance of a scheduled message and its time. */
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

const clock = new FakeClock(Date.now() - (Date.now() % MINUTE_MS));
useKit({ clock });
resetCarriers();

const text = (ms: number) => new Date(ms).toISOString();
const replace = (change: Partial<SenderRule>, enforcement: SenderRules['enforcement'] = 'off') => {
  const usual = { alphanumeric: 'allowed' as const, length_min: 3, reserved_words: [] };
  const NG = { ...usual, quiet_hours: null, last_checked: '2026-11-22', ...change };
  return kit.serve(routes.putSenderRules, { body: { enforcement, countries: { NG } } });
};

async function scheduled(category?: 'promotional'): Promise<SendMessage> {
  const send_at = text(clock.now() + HOUR_MS);
  const base = smsCommand({ family: 'b', created_at: text(clock.now()), send_at });
  const sms = { ...base, sms: base.sms && { ...base.sms, ...(category && { category }) } };
  await kit.send(sms);
  return sms;
}

const record = async ({ workspace_id, test_mode, message_id }: SendMessage) =>
  (await kit.calls.getMessage({ workspace_id, test_mode, message_id, kind: 'sms' })).message;

it('a scheduled promotional message waits for the end of quiet hours, and a transactional one is sent', async () => {
  const [promotional, transactional] = [await scheduled('promotional'), await scheduled()];
  for (const { workspace_id } of [promotional, transactional]) {
    const settings = { name: 'Acme', quiet_hours: 'delay' as const };
    const occurred_at = text(clock.now());
    await kit.account({ type: 'workspace.updated', workspace_id, ...settings, occurred_at });
  }
  const end = clock.now() + 3 * HOUR_MS;
  const [from, to] = [clock.now() + HOUR_MS / 2, end].map((ms) => text(ms).slice(11, 16));
  await replace({ quiet_hours: { time_zone: 'UTC', windows: [{ from: from!, to: to! }] } });
  clock.advance(HOUR_MS);
  await kit.until(transactional.message_id, 'sent');
  await eventually(async () => expect((await record(promotional))?.send_at).toBe(text(end)));
  expect(await record(promotional)).toMatchObject({ state: 'scheduled', category: 'promotional' });
  clock.advance(2 * HOUR_MS);
  await kit.until(promotional.message_id, 'sent');
});

it.each<[SenderRules['enforcement'], Partial<SenderRule>, 'rejected' | 'sent']>([
  ['enforce', { alphanumeric: 'forbidden' }, 'rejected'],
  ['enforce', { reserved_words: ['ACME'] }, 'rejected'],
  ['enforce', { alphanumeric: 'replaced', length_min: 5 }, 'sent'],
  ['log', { alphanumeric: 'forbidden' }, 'sent'],
])(
  'with the enforcement %s a scheduled message whose country has the rule %j by its time is %s',
  async (enforcement, change, state) => {
    const sms = await scheduled();
    await replace(change, enforcement);
    clock.advance(HOUR_MS);
    await kit.until(sms.message_id, state);
    if (state === 'sent') return;
    await kit.refund(sms.message_id);
    expect(await record(sms)).toMatchObject({ error_code: 'sender_id_rejected', refunded: true });
  },
);

it.each<[SenderRules['enforcement'], SenderRule['alphanumeric'], string]>([
  ['enforce', 'replaced', '+2347000123'],
  ['enforce', 'allowed', 'Acme'],
  ['log', 'replaced', 'Acme'],
])(
  'with the enforcement %s and the rule %s an account with a number sends from %s',
  async (enforcement, alphanumeric, sender) => {
    kit.africasTalking.senderNumber = '+2347000123';
    await replace({ alphanumeric }, enforcement);
    const sms = smsCommand();
    await kit.send(sms);
    await kit.until(sms.message_id, 'sent');
    expect(kit.africasTalking.submits.map(({ senderId }) => senderId)).toEqual([sender]);
    expect((await record(sms))?.sender_id).toBe('Acme');
    kit.africasTalking.senderNumber = null;
  },
);
