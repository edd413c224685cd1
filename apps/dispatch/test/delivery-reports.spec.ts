import { expect, it } from '@jest/globals';
import type { DeliveryReport } from '@watchword/contracts';
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

it('a delivery report that says the opposite of the first changes nothing', async () => {
  const command = smsCommand();
  const id = command.message_id;
  await kit.send(command);
  await kit.until(id, 'sent');
  const provider_message_id = `africas_talking-${id}`;
  await kit.report(
    deliveryReport({ provider_message_id }),
    deliveryReport({ provider_message_id }),
    deliveryReport({ provider_message_id, state: 'failed', reason: 'network_error' }),
  );
  expect((await kit.stored(id))['state']).toBe('delivered');
  expect(await typesOf(id)).toEqual(['message.sent', 'message.delivered']);
});

it('delivery reports in any order give the same final state', async () => {
  const ids: string[] = [];
  const reports: DeliveryReport[] = [];
  for (let index = 0; index < 300; index += 1) {
    const command = smsCommand();
    ids.push(command.message_id);
    await kit.send(command);
    const provider_message_id = `africas_talking-${command.message_id}`;
    reports.push(
      deliveryReport({ provider_message_id, message_id: command.message_id, state: 'enroute' }),
      deliveryReport({ provider_message_id }),
      deliveryReport({ message_id: command.message_id }),
    );
  }
  reports.sort(() => Math.random() - 0.5);
  const chunks = Array.from({ length: 9 }, (_, index) =>
    reports.slice(index * 100, index * 100 + 100),
  );
  await Promise.all(chunks.map((chunk) => kit.report(...chunk)));
  for (const id of ids) await kit.until(id, 'delivered');
  for (const id of ids.slice(0, 40)) {
    expect(await typesOf(id)).toEqual(['message.sent', 'message.delivered']);
  }
});
