import { expect, it } from '@jest/globals';
import { Value } from '@sinclair/typebox/value';
import { SmsRecordFields } from '@watchword/contracts';
import { waitUntil } from '@watchword/testing';
import { deliveryReport, otpCommand, smsCommand } from './commands.kit.js';
import { accepted, refused, UNANSWERED } from './dispatch.kit.js';
import { kit, resetCarriers, typesOf, useKit } from './one-dispatch.kit.js';

useKit();
resetCarriers();

it('a command that comes several times makes one message', async () => {
  const command = smsCommand();
  await kit.send(command, command);
  await kit.send(command);
  await kit.until(command.message_id, 'sent');
  expect(kit.africasTalking.submits).toHaveLength(1);
  expect(await typesOf(command.message_id)).toEqual(['message.sent']);
});

it('an SMS keeps each of `SmsFields` from its command to its record and events', async () => {
  // Booleans are made false, which a field that gets lost may be, too.
  const made = Object.entries<unknown>(Value.Create(SmsRecordFields));
  const fields = Object.fromEntries(made.map(([name, value]) => [name, value === false || value]));
  expect(Object.values(fields)).not.toContain(null);
  const command = smsCommand();
  Object.assign(command.sms ?? {}, fields);
  await kit.send(command);
  const { message_id, workspace_id } = command;
  await kit.until(message_id, 'sent');
  const asked = { workspace_id, test_mode: false, message_id, kind: 'sms' } as const;
  expect((await kit.calls.getMessage(asked)).message).toMatchObject(fields);
  expect((await kit.events(message_id))[0]?.details).toMatchObject(fields);
});

it('an attempt that a receipt proves accepted stays marked as once ambiguous', async () => {
  kit.africasTalking.answer = () => UNANSWERED;
  let answerSecond = () => {};
  kit.twilio.answer = ({ messageId }) =>
    new Promise((resolve) => (answerSecond = () => resolve(accepted(`second-${messageId}`))));
  const command = otpCommand({ network: 'mtn_ng' });
  const id = command.message_id;
  await kit.send(command);
  await waitUntil('a submit', () => kit.twilio.submits.length > 0);
  const first = { message_id: id, provider_message_id: `first-${id}`, state: 'enroute' as const };
  await kit.report(deliveryReport(first));
  await kit.until(id, 'sent');
  answerSecond();
  const attempts = () =>
    kit.database.pool.query(
      `SELECT outcome, was_ambiguous, provider_message_id FROM attempts
         WHERE message_id = $1 AND outcome IS NOT NULL ORDER BY number`,
      [id],
    );
  await waitUntil('two outcomes', async () => (await attempts()).rows.length === 2);
  expect((await attempts()).rows).toEqual([
    { outcome: 'accepted', was_ambiguous: true, provider_message_id: `first-${id}` },
    { outcome: 'accepted', was_ambiguous: false, provider_message_id: `second-${id}` },
  ]);
});

it('a failure is public when its refund is in the ledger, and not before', async () => {
  kit.africasTalking.answer = () => refused('opted_out');
  const command = smsCommand();
  const id = command.message_id;
  const view = async () =>
    (
      await kit.calls.getMessage({
        workspace_id: command.workspace_id,
        test_mode: command.test_mode,
        message_id: id,
        kind: 'sms',
      })
    ).message;
  await kit.send(command);
  await kit.until(id, 'failed');
  expect(await view()).toMatchObject({ state: 'accepted', reason: null, refunded: null });
  expect(await typesOf(id)).toEqual([]);
  const commands = await kit.refundCommands();
  expect(commands.filter(({ message_id }) => message_id === id)).toHaveLength(1);
  await kit.refund(id, id);
  await kit.refund(id);
  expect(await view()).toMatchObject({
    state: 'failed',
    reason: 'opted_out',
    refunded: true,
    error_code: 'opted_out',
  });
  expect((await view())?.timeline.at(-1)).toMatchObject({
    status: 'failed',
    reason: 'opted_out',
    refunded: true,
  });
  expect(await typesOf(id)).toEqual(['message.failed']);
});

it('a failed report of an earlier attempt does not fail a message that another provider carries', async () => {
  kit.africasTalking.answer = () => UNANSWERED;
  const command = otpCommand({ network: 'mtn_gh' });
  const id = command.message_id;
  await kit.send(command);
  await kit.until(id, 'sent');
  await kit.report(
    deliveryReport({ message_id: id, state: 'failed', reason: 'absent_subscriber' }),
  );
  expect((await kit.stored(id))['state']).toBe('sent');
  await kit.report(deliveryReport({ provider: 'twilio', message_id: id }));
  await kit.until(id, 'delivered');
});
