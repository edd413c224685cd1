import { expect, it } from '@jest/globals';
import {
  type IdempotencyClaim,
  type MessageEvent,
  newId,
  type SendMessage,
} from '@watchword/contracts';
import type { Static } from '@sinclair/typebox';
import { eventually, FakeClock } from '@watchword/testing';
import { deliveryReport, otpCommand } from './commands.kit.js';
import { accepted, codeIn, refused, UNANSWERED, wrongCode } from './dispatch.kit.js';
import { kit, resetCarriers, typesOf, useKit } from './one-dispatch.kit.js';

const START = '2026-11-20T08:00:00.000Z';
const clock = new FakeClock(START);
useKit({ clock });
resetCarriers();

async function sent(otp: Partial<NonNullable<SendMessage['otp']>> = {}) {
  const created_at = new Date(clock.now()).toISOString();
  const command = otpCommand({ created_at, network: newId() }, otp);
  await kit.send(command);
  await kit.until(command.message_id, 'sent');
  const request = kit.africasTalking.submits.find((one) => one.messageId === command.message_id);
  return { command, id: command.message_id, code: codeIn(request) };
}

function verify(
  command: SendMessage,
  code: string,
  idempotency: Static<typeof IdempotencyClaim> | null = null,
) {
  const { workspace_id, test_mode, message_id: otp_id } = command;
  return kit.calls.verifyOtp({ workspace_id, test_mode, otp_id, code, idempotency });
}

const read = async (command: SendMessage) =>
  (
    await kit.calls.getMessage({
      workspace_id: command.workspace_id,
      test_mode: command.test_mode,
      message_id: command.message_id,
      kind: 'otp',
    })
  ).message;

it('a verification counts wrong codes and accepts the right code once', async () => {
  const { command, id, code } = await sent();
  expect(await verify(command, wrongCode(code))).toEqual({
    outcome: 'checked',
    valid: false,
    status: 'sent',
    attempts_used: 1,
    attempts_remaining: 4,
    replayed: false,
  });
  await kit.report(deliveryReport({ message_id: id }));
  expect(await verify(command, 'not even digits')).toMatchObject({ status: 'sent' });
  expect(await verify(command, code)).toMatchObject({
    valid: true,
    status: 'verified',
    attempts_used: 3,
  });
  expect(await verify(command, code)).toEqual({ outcome: 'otp_already_verified' });
  expect(await typesOf(id)).toEqual(['message.sent', 'message.delivered', 'message.verified']);
  expect((await read(command))?.timeline.map(({ status }) => status)).toEqual([
    'queued',
    'sent',
    'delivered',
    'verified',
  ]);
});

it.each([
  ['right', 'verified', 'message.verified'],
  ['last wrong', 'failed', 'message.failed'],
])(
  'a code that is verified before the carrier answers is sent all the same: %s code',
  async (kind, end, event) => {
    const call = Promise.withResolvers<void>();
    kit.africasTalking.answer = async ({ messageId }) => {
      await call.promise;
      return accepted(messageId);
    };
    const created_at = new Date(clock.now()).toISOString();
    const command = otpCommand({ created_at, network: newId() }, { max_attempts: 1 });
    const { message_id: id } = command;
    await kit.send(command);
    const called = () => kit.africasTalking.submits.find((one) => one.messageId === id);
    await eventually(() => expect(called()).toBeDefined());
    const code = codeIn(called());
    await verify(command, kind === 'right' ? code : wrongCode(code));
    expect(await read(command)).toMatchObject({ state: end, sent_at: null });
    call.resolve();
    await eventually(async () => expect(await typesOf(id)).toEqual([event, 'message.sent']));
    const { timeline, provider_attempts } = (await read(command))!;
    expect(timeline.map(({ status }) => status)).toEqual(['queued', 'sent', end]);
    expect(provider_attempts).toMatchObject([{ ok: true }]);
    const [, { message, details }] = (await kit.events(id)) as [unknown, MessageEvent];
    expect(message).toMatchObject({ state: end, sent_at: expect.any(String) });
    expect(details?.timeline).toEqual(timeline);
  },
);

it('the budget of wrong codes is exact across processes', async () => {
  const { command, code } = await sent();
  const first = kit.calls;
  const other = await kit.start();
  const second = kit.calls;
  expect(second).not.toBe(first);
  const results = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      (index % 2 === 0 ? first : second).verifyOtp({
        workspace_id: command.workspace_id,
        test_mode: command.test_mode,
        otp_id: command.message_id,
        code: wrongCode(code),
        idempotency: null,
      }),
    ),
  );
  const used = results.flatMap((one) => (one.outcome === 'checked' ? [one.attempts_used] : []));
  expect(used.toSorted()).toEqual([1, 2, 3, 4, 5]);
  await other.stop();
});

it('an expired code has one event and no refund', async () => {
  const { command, id } = await sent({ ttl_seconds: 30 });
  clock.advance(30_000);
  await kit.until(id, 'expired');
  expect(await typesOf(id)).toEqual(['message.sent', 'message.expired']);
  expect(await read(command)).toMatchObject({ state: 'expired', reason: null, refunded: null });
  expect(await verify(command, '000000')).toEqual({ outcome: 'otp_expired' });
});

it.each([
  ['accepted', 'expired', null],
  ['refused', 'failed', 'expired'],
  ['unanswered', 'failed', 'expired'],
])(
  'a submit during which the code expires and that is %s ends as %s',
  async (kind, state, reason) => {
    kit.africasTalking.answer = ({ messageId }) => {
      clock.advance(31_000);
      if (kind === 'accepted') return accepted(messageId);
      return kind === 'refused' ? refused('no_route') : UNANSWERED;
    };
    const created_at = new Date(clock.now()).toISOString();
    const command = otpCommand({ created_at, network: newId() }, { ttl_seconds: 30 });
    await kit.send(command);
    await kit.until(command.message_id, state);
    expect((await kit.stored(command.message_id))['reason']).toBe(reason);
    expect(kit.twilio.submits).toHaveLength(0);
  },
);
