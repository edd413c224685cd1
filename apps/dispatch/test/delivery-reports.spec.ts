import { expect, it } from '@jest/globals';
import { eventually } from '@watchword/testing';
import { deliveryReport, smsCommand } from './commands.kit.js';
import { accepted } from './dispatch.kit.js';
import { kit, resetCarriers, typesOf, useKit } from './one-dispatch.kit.js';

useKit();
resetCarriers();

it('a delivery report that overtakes the answer with an unknown id is parked and matched', async () => {
  let answer: (() => void) | undefined;
  kit.africasTalking.answer = ({ messageId }) =>
    new Promise((resolve) => {
      answer = () => resolve(accepted(`slow-${messageId}`));
    });
  const command = smsCommand();
  const id = command.message_id;
  await kit.send(command);
  await kit.report(deliveryReport({ provider_message_id: `slow-${id}` }));
  expect((await kit.stored(id))['state']).toBe('accepted');
  answer?.();
  await kit.until(id, 'delivered');
  await eventually(async () => {
    const { rows } = await kit.database.pool.query('SELECT report_id FROM parked_reports');
    expect(rows).toEqual([]);
  });
});

it('a delivery report that overtakes the answer shows that the carrier took the message', async () => {
  let answer: (() => void) | undefined;
  kit.africasTalking.answer = ({ messageId }) =>
    new Promise((resolve) => {
      answer = () => resolve(accepted(`slow-${messageId}`));
    });
  const command = smsCommand();
  const { workspace_id, test_mode, message_id } = command;
  await kit.send(command);
  await kit.report(deliveryReport({ message_id, provider_message_id: `slow-${message_id}` }));
  await kit.until(message_id, 'delivered');
  const ask = { workspace_id, test_mode, message_id, kind: 'sms' } as const;
  const { message } = await kit.calls.getMessage(ask);
  expect(message?.provider_attempts).toMatchObject([{ ok: true }]);
  answer?.();
});

it.each([
  ['delivered', 'failed', ['message.sent', 'message.delivered'], false],
  ['failed', 'delivered', ['message.sent', 'message.failed'], true],
] as const)(
  'a message that a report says is %s stays so after a report that it is %s',
  async (first, second, types, late_delivery) => {
    const command = smsCommand();
    const id = command.message_id;
    await kit.send(command);
    await kit.until(id, 'sent');
    const report = (state: 'delivered' | 'failed') =>
      deliveryReport({
        ...{ provider_message_id: `africas_talking-${id}`, state },
        reason: state === 'failed' ? 'absent_subscriber' : null,
      });
    await kit.report(report(first), report(first), report(second));
    // Billing refunds a failure only. The same event about a delivered message changes nothing.
    await kit.refund(id);
    const refunded = first === 'failed' ? true : null;
    expect(await kit.stored(id)).toMatchObject({ state: first, refunded });
    expect(await typesOf(id)).toEqual(types);
    const { rows } = await kit.database.pool.query(
      'SELECT late_delivery FROM attempts WHERE message_id = $1',
      [id],
    );
    expect(rows).toEqual([{ late_delivery }]);
  },
);
