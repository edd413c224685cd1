import { expect, it } from '@jest/globals';
import { newId, type SendMessage } from '@watchword/contracts';
import { FakeClock, waitUntil } from '@watchword/testing';
import { deliveryReport, otpCommand } from './commands.kit.js';
import { codeIn, refused, UNANSWERED } from './dispatch.kit.js';
import { kit, resetCarriers, useKit } from './one-dispatch.kit.js';

const clock = new FakeClock('2026-11-20T08:00:00.000Z');
useKit({ clock });
resetCarriers();

async function sent(resendMax = 3) {
  const created_at = new Date(clock.now()).toISOString();
  const command = otpCommand({ created_at, network: newId() }, { resend_max: resendMax });
  await kit.send(command);
  await kit.until(command.message_id, 'sent');
  const request = kit.africasTalking.submits.find((one) => one.messageId === command.message_id);
  return { command, id: command.message_id, code: codeIn(request) };
}

const of = ({ workspace_id, test_mode, message_id: otp_id }: SendMessage) => ({
  workspace_id,
  test_mode,
  otp_id,
});
const asMessage = ({ workspace_id, test_mode, message_id }: SendMessage) => ({
  workspace_id,
  test_mode,
  message_id,
  kind: 'otp' as const,
});
const reserve = (command: SendMessage, resend_id = newId()) =>
  kit.calls.reserveResend({ ...of(command), resend_id });

/** Returns the command of a resend that was reserved and charged. */
async function resendOf(command: SendMessage): Promise<SendMessage> {
  const message_id = newId();
  const result = await reserve(command, message_id);
  if (result.outcome !== 'reserved') throw new Error(`not reserved: ${result.outcome}`);
  const resend = {
    otp_id: command.message_id,
    code_length: 6,
    expires_at: command.otp?.expires_at ?? '',
    remaining: result.remaining,
  };
  return { ...command, message_id, credits: 7, otp: null, resend };
}

const cipherOf = async (id: string) => (await kit.stored(id))['code_cipher'];
const refundedIds = async () => (await kit.refundCommands()).map(({ message_id }) => message_id);

it('a resend sends the same code by the next provider, once when its command comes twice', async () => {
  const { command, id, code } = await sent();
  const resend = await resendOf(command);
  await kit.send(resend, resend);
  await kit.send(resend);
  await waitUntil('a submit', () => kit.twilio.submits.length > 0);
  expect(kit.twilio.submits.map(codeIn)).toEqual([code]);
  expect(kit.africasTalking.submits).toHaveLength(1);
  await kit.report(deliveryReport({ message_id: id, provider: 'twilio' }));
  await kit.until(id, 'delivered');
  const [first, second, ...others] = await kit.events(id);
  expect([first, second, others]).toMatchObject([
    { type: 'message.sent' },
    { type: 'message.delivered' },
    [],
  ]);
  expect(first?.details).not.toHaveProperty('resends');
  const { message_id: resend_id, credits } = resend;
  expect(second?.details?.resends).toMatchObject([{ resend_id, credits }]);
});

it('a resend is refunded alone when every provider refuses it', async () => {
  const { command, id } = await sent();
  for (const provider of [kit.africasTalking, kit.twilio]) {
    provider.answer = () => refused('carrier_rejected');
  }
  const resend = await resendOf(command);
  await kit.send(resend);
  await waitUntil('its refund', async () => (await refundedIds()).includes(resend.message_id));
  expect(await refundedIds()).not.toContain(id);
  expect((await kit.stored(id))['state']).toBe('sent');
  await kit.send(resend);
  expect((await refundedIds()).filter((one) => one === resend.message_id)).toHaveLength(1);
});

it('a resend is refunded when the code was verified before it was sent', async () => {
  const { command, code } = await sent();
  const resend = await resendOf(command);
  await kit.calls.verifyOtp({ ...of(command), code, idempotency: null });
  await kit.send(resend);
  expect(await refundedIds()).toContain(resend.message_id);
  expect(kit.twilio.submits).toEqual([]);
});

it('a resend whose process died goes on with the same code', async () => {
  const { command, id, code } = await sent();
  kit.twilio.answer = () => new Promise(() => undefined);
  await kit.send(await resendOf(command));
  await waitUntil('a submit', () => kit.twilio.submits.length > 0);
  const orphan = 'UPDATE attempts SET held_by = $1 WHERE message_id = $2 AND resend = 1';
  await kit.database.pool.query(orphan, [newId(), id]);
  await waitUntil('two submits', () => kit.africasTalking.submits.length === 2);
  expect(kit.africasTalking.submits.map(codeIn)).toEqual([code, code]);
});

it('the encrypted code is deleted when it is verified, cancelled or expired', async () => {
  const [one, other, third] = [await sent(), await sent(), await sent()];
  expect(await cipherOf(one.id)).not.toBeNull();
  await kit.calls.verifyOtp({ ...of(one.command), code: one.code, idempotency: null });
  await kit.calls.cancelMessage({ ...asMessage(other.command), idempotency: null });
  clock.advance(600_000);
  await kit.until(third.id, 'expired');
  for (const { id } of [one, other, third]) expect(await cipherOf(id)).toBeNull();
});

it('decisions 3: a cancellation during a submit is settled by the answer, and no other provider is asked', async () => {
  let answer: (() => void) | undefined;
  kit.africasTalking.answer = () =>
    new Promise((resolve) => (answer = () => resolve(refused('no_route'))));
  const created_at = new Date(clock.now()).toISOString();
  const command = otpCommand({ created_at, network: newId() });
  await kit.send(command);
  await waitUntil('a submit', () => kit.africasTalking.submits.length > 0);
  const cancelled = await kit.calls.cancelMessage({
    ...asMessage(command),
    idempotency: null,
  });
  expect(cancelled).toMatchObject({ settled: false, message: { state: 'accepted' } });
  expect(await refundedIds()).not.toContain(command.message_id);
  answer?.();
  await waitUntil('its refund', async () => (await refundedIds()).includes(command.message_id));
  await kit.refund(command.message_id);
  const [event, ...others] = await kit.events(command.message_id);
  expect(others).toEqual([]);
  expect(event).toMatchObject({
    type: 'message.cancelled',
    message: { state: 'cancelled', reason: 'cancelled', refunded: true },
  });
  expect(kit.twilio.submits).toEqual([]);
});

it('a cancellation is not refunded when a report proves that a carrier accepted the message', async () => {
  kit.africasTalking.answer = () => UNANSWERED;
  let answer: (() => void) | undefined;
  kit.twilio.answer = () => new Promise((resolve) => (answer = () => resolve(refused('no_route'))));
  const created_at = new Date(clock.now()).toISOString();
  const command = otpCommand({ created_at, network: newId() });
  const { message_id } = command;
  await kit.send(command);
  await waitUntil('the second submit', () => answer !== undefined);
  await kit.calls.cancelMessage({ ...asMessage(command), idempotency: null });
  await kit.report(deliveryReport({ message_id, provider_message_id: null }));
  answer?.();
  const types = async () => (await kit.events(message_id)).map(({ type }) => type);
  await waitUntil('its end', async () => (await types()).includes('message.cancelled'));
  expect(await types()).toEqual(['message.sent', 'message.cancelled']);
  expect(await kit.stored(message_id)).toMatchObject({ state: 'cancelled', refunded: false });
  expect(await refundedIds()).not.toContain(message_id);
});
