import { beforeEach, expect, it } from '@jest/globals';
import {
  type AntiSpamAllow,
  newId,
  type SendMessage,
  type WorkspaceId,
} from '@watchword/contracts';
import { foldSenderId } from '@watchword/telephony';
import { FakeClock, waitUntil } from '@watchword/testing';
import { smsCommand } from './commands.kit.js';
import { kit, useKit } from './one-dispatch.kit.js';

/**
 * Variant B: messages that wait for `send_at`, are cancelled, or are refused before any attempt.
 */
const HOUR_MS = 3_600_000;

const clock = new FakeClock(Date.now());
useKit({ clock });

beforeEach(() => {
  kit.africasTalking.submits.length = 0;
});

function command(change: Partial<SendMessage> = {}): SendMessage {
  const created_at = new Date(clock.now()).toISOString();
  const credit_price = { amount: 100, currency: 'NGN' };
  return smsCommand({ family: 'b', created_at, credit_price, ...change });
}

async function scheduled(change: Partial<SendMessage> = {}): Promise<SendMessage> {
  const send_at = new Date(clock.now() + HOUR_MS).toISOString();
  const sms = command({ send_at, ...change });
  await kit.send(sms, sms);
  expect(await kit.stored(sms.message_id)).toMatchObject({ state: 'scheduled', provider: null });
  return sms;
}

const scope = ({ workspace_id, test_mode, message_id }: SendMessage) => ({
  workspace_id,
  test_mode,
  message_id,
  kind: 'sms' as const,
});
const record = async (sms: SendMessage) => (await kit.calls.getMessage(scope(sms))).message;
const cancel = (sms: SendMessage, idempotency: { scope: string; key: string } | null = null) =>
  kit.calls.cancelMessage({
    ...scope(sms),
    idempotency: idempotency && { ...idempotency, fingerprint: 'f' },
  });
const types = async (id: string) => (await kit.events(id)).map(({ type }) => type);
const waiting = async (id: string) => {
  const text = 'SELECT FROM scheduled_messages WHERE message_id = $1';
  return (await kit.database.pool.query(text, [id])).rowCount === 1;
};

const standing = (
  workspace_id: WorkspaceId,
  enforced_countries?: string[] | null,
  shared_sender_ids?: string[] | null,
  anti_spam?: 'off' | 'tag' | 'block',
  anti_spam_allow?: AntiSpamAllow,
) =>
  kit.account({
    type: 'workspace.updated',
    workspace_id,
    name: 'Acme',
    enforced_countries,
    shared_sender_ids,
    anti_spam,
    anti_spam_allow,
    occurred_at: new Date(clock.now()).toISOString(),
  });

it('decisions 18: a message with send_at is sent once when it is due, by one of several processes', async () => {
  const sms = await scheduled();
  const id = sms.message_id;
  expect(await record(sms)).toMatchObject({
    state: 'scheduled',
    timeline: [],
    send_at: sms.send_at,
    cost: { amount_kobo: 500, currency: 'NGN' },
  });
  expect(await types(id)).toEqual([]);
  const others = [await kit.start(), await kit.start()];
  clock.advance(HOUR_MS);
  await kit.until(id, 'sent');
  expect(kit.africasTalking.submits.filter(({ messageId }) => messageId === id)).toHaveLength(1);
  expect(await types(id)).toEqual(['message.queued', 'message.sent']);
  const { timeline } = (await record(sms))!;
  expect(timeline.map(({ status }) => status)).toEqual(['queued', 'sent']);
  expect(timeline[0]!.timestamp >= sms.send_at!).toBe(true);
  for (const other of others) await other.stop();
});

it('decisions 18: a message with send_at is due after a restart', async () => {
  const sms = await scheduled();
  const other = await kit.start();
  await other.stop();
  clock.advance(HOUR_MS);
  await kit.until(sms.message_id, 'sent');
});

it('a message with send_at is cancelled with its refund, is never sent, and its command is deleted', async () => {
  const sms = await scheduled();
  const id = sms.message_id;
  const key = { scope: 's', key: newId() };
  expect(await cancel(sms, key)).toMatchObject({
    outcome: 'cancelled',
    settled: false,
    message: { state: 'scheduled' },
  });
  expect((await kit.refundCommands()).map(({ message_id }) => message_id)).toContain(id);
  await kit.refund(id);
  expect(await cancel(sms, key)).toMatchObject({
    settled: true,
    replayed: true,
    message: { state: 'cancelled', refunded: true },
  });
  expect(await cancel(sms)).toEqual({ outcome: 'conflict' });
  expect(await types(id)).toEqual(['message.cancelled']);
  clock.advance(HOUR_MS);
  await waitUntil('the end of the command', async () => !(await waiting(id)));
  expect(kit.africasTalking.submits).toEqual([]);
});

it.each<[string, string, (sms: SendMessage) => Promise<unknown>]>([
  ['its country is switched off', 'no_route', (sms) => standing(sms.workspace_id, ['KE'])],
  [
    'its sender ID needs a registration',
    'sender_id_rejected',
    (sms) => standing(sms.workspace_id, null, ['Other']),
  ],
  [
    'its prefix is blocked',
    'fraud_blocked',
    (sms) =>
      kit.database.pool.query(
        `INSERT INTO prefix_records (workspace_id, prefix, state, first_flagged_at, since, ends_at,
           otp_count, verified_count)
         VALUES ($1, $2, 'blocked', now(), now(), NULL, 30, 0)`,
        [sms.workspace_id, sms.destination.slice(1, 7)],
      ),
  ],
  [
    'its recipient has opted out',
    'opted_out',
    (sms) =>
      kit.database.pool.query(
        `INSERT INTO opt_outs (id, workspace_id, destination, sender_id, folded, created_at)
         VALUES ($1, $2, $3, $4, $5, now())`,
        [newId(), sms.workspace_id, sms.destination, sms.sender_id, foldSenderId(sms.sender_id!)],
      ),
  ],
])(
  'decisions 18, 25: a scheduled message is refused and refunded when %s by its time',
  async (_, error_code, change) => {
    const sms = await scheduled();
    await change(sms);
    clock.advance(HOUR_MS);
    await kit.until(sms.message_id, 'rejected');
    await kit.refund(sms.message_id);
    expect(await record(sms)).toMatchObject({ error_code, refunded: true, provider_attempts: [] });
    expect(await types(sms.message_id)).toEqual(['message.rejected']);
    expect(kit.africasTalking.submits).toEqual([]);
  },
);

const TEMPLATE = newId();

function phishing(template_id?: string): SendMessage['sms'] {
  const { sms: content } = command();
  const body = 'Your account is blocked. Verify it within 24hrs: https://bit.ly/3xY';
  return content && { ...content, body, anti_spam: 'off', template_id };
}

it.each<[string, Partial<AntiSpamAllow>, string]>([
  ['its template', { template_ids: [TEMPLATE] }, 'sent'],
  ['another one of each', { sender_ids: ['Other'], template_ids: [newId()] }, 'blocked'],
])(
  'a scheduled message that anti-spam flags is judged by the allow-list of its time, which lists %s',
  async (_, lists, state) => {
    const sms = await scheduled({ sender_id: 'Acme', sms: phishing(TEMPLATE) });
    const allow = { sender_ids: [], template_ids: [], domains: [], ...lists };
    await standing(sms.workspace_id, null, null, 'block', allow);
    clock.advance(HOUR_MS);
    await kit.until(sms.message_id, state);
  },
);

it.each([
  ['block', 'blocked', { order: 7 }],
  ['tag', 'sent', { order: 7, antispam: { label: 'phishing' } }],
] as const)(
  'interface 1.5: a scheduled message that anti-spam flags has its verdict in record and event, with the action %s',
  async (action, state, metadata) => {
    const sms = await scheduled({ sms: phishing() });
    await standing(sms.workspace_id, null, null, action);
    clock.advance(HOUR_MS);
    await kit.until(sms.message_id, state);
    if (action === 'block') await kit.refund(sms.message_id);
    const verdict = { antispam: { label: 'phishing', flagged: true, action }, metadata };
    expect(await record(sms)).toMatchObject({ state, ...verdict });
    const event = (await kit.events(sms.message_id)).find(
      ({ type }) => type === `message.${state}`,
    );
    expect(event).toMatchObject({ message: verdict });
  },
);

it('a message without send_at cannot be cancelled once an attempt is on record', async () => {
  const sms = command();
  await kit.send(sms);
  expect(await cancel(sms)).toEqual({ outcome: 'conflict' });
  expect(await cancel({ ...sms, message_id: newId() })).toEqual({ outcome: 'not_found' });
});
