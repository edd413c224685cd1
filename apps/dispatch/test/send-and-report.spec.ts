import { describe, expect, it } from '@jest/globals';
import { Value } from '@sinclair/typebox/value';
import { SmsRecordFields } from '@watchword/contracts';
import { waitUntil } from '@watchword/testing';
import { deliveryReport, otpCommand, smsCommand } from './commands.kit.js';
import { accepted, codeIn, refused, UNANSWERED } from './dispatch.kit.js';
import { kit, resetCarriers, typesOf, useKit } from './one-dispatch.kit.js';

useKit();
resetCarriers();

describe('a message', () => {
  it('is sent, delivered and announced in order', async () => {
    const command = otpCommand();
    await kit.send(command);
    const id = command.message_id;
    await kit.until(id, 'sent');
    const provider_message_id = `africas_talking-${id}`;
    await kit.report(deliveryReport({ provider_message_id }));
    await kit.until(id, 'delivered');
    expect(await typesOf(id)).toEqual(['message.sent', 'message.delivered']);
    const { message } = await kit.calls.getMessage({
      workspace_id: command.workspace_id,
      test_mode: command.test_mode,
      message_id: id,
      kind: 'otp',
    });
    expect(message).toMatchObject({
      state: 'delivered',
      provider: 'africas_talking',
      provider_message_id,
      body: null,
      encoding: 'GSM-7',
      metadata: { order: 7 },
      otp: { code_length: 6, attempt_count: 0, max_attempts: 5, verified_at: null },
      provider_attempts: [{ provider: 'africas_talking', ok: true, provider_message_id }],
    });
    expect(message?.timeline.map(({ status }) => status)).toEqual(['queued', 'sent', 'delivered']);
    expect(codeIn(kit.africasTalking.submits[0])).toMatch(/^\d{6}$/);
  });

  it('is one message, however often its command comes', async () => {
    const command = smsCommand();
    await kit.send(command, command);
    await kit.send(command);
    await kit.until(command.message_id, 'sent');
    expect(kit.africasTalking.submits).toHaveLength(1);
    expect(await typesOf(command.message_id)).toEqual(['message.sent']);
  });
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

describe('failover', () => {
  it.each([
    ['no_route', 'sent', 2],
    ['provider_unavailable', 'sent', 3],
    ['content_rejected', 'sent', 2],
    ['dnd_active', 'sent', 2],
    ['opted_out', 'failed', 1],
    ['invalid_number', 'failed', 1],
    ['message_invalid', 'failed', 1],
  ] as const)('%s: %s after %d attempts', async (reason, state, attempts) => {
    kit.africasTalking.answer = () => refused(reason);
    const command = smsCommand({ country_code: 'KE', network: `network_of_${reason}` });
    await kit.send(command);
    await kit.until(command.message_id, state);
    expect(kit.africasTalking.submits.length + kit.twilio.submits.length).toBe(attempts);
  });

  it('tries the next provider with the same code when an OTP is not answered', async () => {
    kit.africasTalking.answer = () => UNANSWERED;
    const command = otpCommand({ network: 'airtel_ng' });
    await kit.send(command);
    await kit.until(command.message_id, 'sent');
    expect(codeIn(kit.twilio.submits[0])).toBe(codeIn(kit.africasTalking.submits[0]));
    const { rows } = await kit.database.pool.query(
      'SELECT outcome FROM attempts WHERE message_id = $1 ORDER BY number',
      [command.message_id],
    );
    expect(rows).toEqual([{ outcome: 'ambiguous' }, { outcome: 'accepted' }]);
  });

  it('keeps on record what was ambiguous when a receipt proves it accepted after all', async () => {
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

  it('waits for a receipt when an SMS is not answered, and does not send it twice', async () => {
    kit.africasTalking.answer = () => UNANSWERED;
    const command = smsCommand({ network: 'glo_ng' });
    await kit.send(command);
    const id = command.message_id;
    await kit.report(deliveryReport({ message_id: id, provider_message_id: 'told-by-receipt' }));
    await kit.until(id, 'delivered');
    expect(kit.twilio.submits).toHaveLength(0);
    expect(await typesOf(id)).toEqual(['message.sent', 'message.delivered']);
    expect((await kit.stored(id))['provider_message_id']).toBe('told-by-receipt');
  });
});

describe('a failure', () => {
  it('is public when its refund is in the ledger, and not before', async () => {
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

  it('stays a failure when a delivery comes late', async () => {
    const command = smsCommand();
    const id = command.message_id;
    await kit.send(command);
    await kit.until(id, 'sent');
    const provider_message_id = `africas_talking-${id}`;
    await kit.report(
      deliveryReport({ provider_message_id, state: 'failed', reason: 'absent_subscriber' }),
      deliveryReport({ provider_message_id }),
    );
    await kit.refund(id);
    const stored = await kit.stored(id);
    expect([stored['state'], stored['refunded']]).toEqual(['failed', true]);
    const { rows } = await kit.database.pool.query(
      'SELECT late_delivery FROM attempts WHERE message_id = $1',
      [id],
    );
    expect(rows).toEqual([{ late_delivery: true }]);
    expect(await typesOf(id)).toEqual(['message.sent', 'message.failed']);
  });
});
