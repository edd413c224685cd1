import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  type AntiSpamAllow,
  newId,
  type SendMessage,
  type WorkspaceId,
} from '@watchword/contracts';
import { foldSenderId } from '@watchword/telephony';
import { eventually, FakeClock, waitUntil } from '@watchword/testing';
import { NIGERIAN, otpCommand, smsCommand } from './commands.kit.js';
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

const walls = ({ workspace_id, test_mode, message_id }: SendMessage) => ({
  workspace_id,
  test_mode,
  message_id,
  kind: 'sms' as const,
});
const record = async (sms: SendMessage) => (await kit.calls.getMessage(walls(sms))).message;
const cancel = (sms: SendMessage, idempotency: { scope: string; key: string } | null = null) =>
  kit.calls.cancelMessage({
    ...walls(sms),
    idempotency: idempotency && { ...idempotency, fingerprint: 'f' },
  });
const types = async (id: string) => (await kit.events(id)).map(({ type }) => type);
const waiting = async (id: string) => {
  const text = 'SELECT FROM scheduled_messages WHERE message_id = $1';
  return (await kit.database.pool.query(text, [id])).rowCount === 1;
};

/** More than one batch of the sweep, and more than there is room for. */
const BURST = 1_200;
const submitsOf = (messages: readonly SendMessage[]) => {
  const ids = new Set(messages.map(({ message_id: id }) => id));
  return kit.africasTalking.submits.filter(({ messageId }) => ids.has(messageId)).length;
};
const queued = async (workspaceId: WorkspaceId): Promise<number> => {
  const text = `SELECT count(*)::int AS n FROM message_queue WHERE payload LIKE '%"message.queued"%'
    AND payload LIKE '%' || $1 || '%'`;
  return (await kit.database.pool.query<{ n: number }>(text, [workspaceId])).rows[0]!.n;
};

const standing = (
  workspace_id: WorkspaceId,
  enforced_countries?: string[] | null,
  shared_sender_ids?: string[] | null,
  anti_spam?: 'off' | 'block',
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

describe('a message with send_at', () => {
  it('decisions 18: waits, and is sent once when it is due, by one of several processes', async () => {
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

  it('decisions 18: is due after a restart', async () => {
    const sms = await scheduled();
    const other = await kit.start();
    await other.stop();
    clock.advance(HOUR_MS);
    await kit.until(sms.message_id, 'sent');
  });

  it('decisions 18: is sent once, though the clock jumps by an hour, back and forth', async () => {
    const sms = await scheduled();
    const later = await scheduled({ send_at: new Date(clock.now() + 3 * HOUR_MS).toISOString() });
    const other = await kit.start();
    for (const jump of [HOUR_MS, -HOUR_MS, HOUR_MS, -2 * HOUR_MS, HOUR_MS, HOUR_MS]) {
      clock.advance(jump);
      await kit.sweep();
    }
    await kit.until(sms.message_id, 'sent');
    const submitted = (id: string) =>
      kit.africasTalking.submits.filter(({ messageId }) => messageId === id).length;
    expect([submitted(sms.message_id), submitted(later.message_id)]).toEqual([1, 0]);
    expect(await types(sms.message_id)).toEqual(['message.queued', 'message.sent']);
    expect(await kit.stored(later.message_id)).toMatchObject({ state: 'scheduled' });
    await cancel(later);
    await other.stop();
  });

  it('is announced at its moment, however many are due then and however slow the carrier is', async () => {
    const send_at = new Date(clock.now() + HOUR_MS).toISOString();
    const workspace_id = newId();
    const burst = Array.from({ length: BURST }, () => command({ send_at, workspace_id }));
    await kit.send(...burst);
    let open = () => {};
    const opened = new Promise<void>((resolve) => (open = resolve));
    const { answer } = kit.africasTalking;
    kit.africasTalking.answer = async (request) => {
      await opened;
      return answer(request);
    };
    clock.advance(HOUR_MS);
    await eventually(async () => expect(await queued(workspace_id)).toBe(BURST));
    // A message that waits for its turn delays no other.
    const other = command();
    await kit.send(other);
    await eventually(async () => expect(submitsOf([other])).toBe(1));
    expect(submitsOf(burst)).toBeLessThan(BURST);
    kit.africasTalking.answer = answer;
    open();
    for (const { message_id: id } of burst) await kit.until(id, 'sent');
    expect(submitsOf(burst)).toBe(BURST);
    expect(await queued(workspace_id)).toBe(BURST);
  });

  it('that lies in the past is sent at once', async () => {
    const sms = command({ send_at: new Date(clock.now() - 1_000).toISOString() });
    await kit.send(sms);
    await kit.until(sms.message_id, 'sent');
  });

  it('is cancelled with its refund, is never sent, and its command is forgotten', async () => {
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

  it('decisions 18: is checked again when it is due', async () => {
    const sms = await scheduled();
    await kit.database.pool.query(
      `INSERT INTO opt_outs (id, workspace_id, destination, sender_id, folded, created_at)
       VALUES ($1, $2, $3, $4, $5, now())`,
      [newId(), sms.workspace_id, sms.destination, sms.sender_id, foldSenderId(sms.sender_id!)],
    );
    clock.advance(HOUR_MS);
    await kit.until(sms.message_id, 'rejected');
    await kit.refund(sms.message_id);
    expect(await record(sms)).toMatchObject({
      state: 'rejected',
      error_code: 'opted_out',
      refunded: true,
      provider_attempts: [],
    });
    expect(await types(sms.message_id)).toEqual(['message.rejected']);
  });

  it('is refused when its country was switched off after acceptance', async () => {
    const sms = await scheduled();
    await standing(sms.workspace_id, ['KE', 'GH']);
    clock.advance(HOUR_MS);
    await kit.until(sms.message_id, 'rejected');
    await kit.refund(sms.message_id);
    expect(await record(sms)).toMatchObject({ error_code: 'no_route', refunded: true });
    expect(kit.africasTalking.submits).toEqual([]);
  });

  it.each([
    ['lists its country', ['NG', 'KE']],
    ['enforces no list any more', null],
    ['says nothing of countries', undefined],
  ])('is sent when the last word of the workspace %s', async (_title, countries) => {
    const sms = await scheduled();
    await standing(sms.workspace_id, ['KE']);
    await standing(sms.workspace_id, countries);
    clock.advance(HOUR_MS);
    await kit.until(sms.message_id, 'sent');
  });

  it('is refused when its sender ID needs a registration by now', async () => {
    const sms = await scheduled();
    await standing(sms.workspace_id, null, ['Other']);
    clock.advance(HOUR_MS);
    await kit.until(sms.message_id, 'rejected');
    await kit.refund(sms.message_id);
    expect(await record(sms)).toMatchObject({ error_code: 'sender_id_rejected', refunded: true });
    expect(kit.africasTalking.submits).toEqual([]);
  });

  it.each([
    ['is shared by the platform', (name: string) => [name.toUpperCase()]],
    ['needs no registration any more', () => null],
  ])('is sent when its sender ID %s', async (_title, shared) => {
    const sms = await scheduled();
    await standing(sms.workspace_id, null, []);
    await standing(sms.workspace_id, null, shared(sms.sender_id!));
    clock.advance(HOUR_MS);
    await kit.until(sms.message_id, 'sent');
  });
});

describe('anti-spam of a message with send_at', () => {
  const PHISHING = 'Your account is blocked. Verify it within 24hrs: https://bit.ly/3xY';

  it.each([
    ['off', 'block', 'rejected'],
    ['block', 'off', 'sent'],
    ['block', undefined, 'rejected'],
    ['off', undefined, 'sent'],
  ] as const)('%s at acceptance and %s when it is due: %s', async (before, now, state) => {
    const { sms: content } = command();
    const sms = await scheduled({
      sms: content && { ...content, body: PHISHING, anti_spam: before },
    });
    await standing(sms.workspace_id, null, null, before === 'off' ? 'block' : 'off');
    await standing(sms.workspace_id, null, null, now);
    clock.advance(HOUR_MS);
    await kit.until(sms.message_id, state === 'sent' ? state : 'blocked');
  });
});

describe('the allow-list when a message with send_at is due', () => {
  const TEMPLATE = newId();

  it.each<[string, Partial<AntiSpamAllow>, string]>([
    ['its sender ID', { sender_ids: ['acme'] }, 'sent'],
    ['its template', { template_ids: [TEMPLATE] }, 'sent'],
    ['its only link', { domains: ['bit.ly'] }, 'sent'],
    ['another one of each', { sender_ids: ['Other'], template_ids: [newId()] }, 'blocked'],
  ])('lists %s', async (_, lists, state) => {
    const { sms: content } = command();
    const body = 'Your account is blocked. Verify it within 24hrs: https://bit.ly/3xY';
    const sms = await scheduled({
      ...{ sender_id: 'Acme' },
      sms: content && { ...content, body, anti_spam: 'off', template_id: TEMPLATE },
    });
    const allow = { sender_ids: [], template_ids: [], domains: [], ...lists };
    await standing(sms.workspace_id, null, null, 'block', allow);
    clock.advance(HOUR_MS);
    await kit.until(sms.message_id, state);
  });
});

describe('a message without send_at', () => {
  it('of variant B is announced as queued, and of variant A is not', async () => {
    const sms = command();
    const other = command({ family: 'a' });
    await kit.send(sms, other);
    await kit.until(sms.message_id, 'sent');
    await kit.until(other.message_id, 'sent');
    expect(await types(sms.message_id)).toEqual(['message.queued', 'message.sent']);
    expect(await types(other.message_id)).toEqual(['message.sent']);
  });

  it('cannot be cancelled once an attempt is on record', async () => {
    const sms = command();
    await kit.send(sms);
    expect(await cancel(sms)).toEqual({ outcome: 'conflict' });
    expect(await cancel({ ...sms, message_id: newId() })).toEqual({ outcome: 'not_found' });
  });

  it.each([
    ['42', 'dnd_active'],
    ['43', 'sender_id_rejected'],
    ['44', 'invalid_number'],
  ])('to test number NN %s is rejected with %s before any attempt', async (digits, reason) => {
    const destination = `${NIGERIAN.slice(0, 7)}00000${digits}`;
    const sms = command({ test_mode: true, destination });
    await kit.send(sms);
    expect(await record(sms)).toMatchObject({
      state: 'rejected',
      reason,
      refunded: true,
      provider_attempts: [],
    });
    expect(await types(sms.message_id)).toEqual(['message.queued', 'message.rejected']);
    const otp = otpCommand({ test_mode: true, destination });
    await kit.send(otp);
    expect(await kit.stored(otp.message_id)).toMatchObject({ state: 'failed', reason });
    expect(await types(otp.message_id)).toEqual(['message.failed']);
  });
});
