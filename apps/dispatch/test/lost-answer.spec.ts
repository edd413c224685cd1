import { beforeEach, expect, it } from '@jest/globals';
import { waitUntil } from '@watchword/testing';
import { deliveryReport, smsCommand } from './commands.kit.js';
import { UNANSWERED } from './dispatch.kit.js';
import { kit, useKit } from './one-dispatch.kit.js';

/** A carrier with receipts that carry only its own id, such as Africa's Talking. */
let tail = 0;
useKit();
beforeEach(() => {
  kit.twilio.submits.length = 0;
  kit.africasTalking.answer = () => UNANSWERED;
});

const newNumber = () => `+23480312345${String((tail += 1)).padStart(2, '0')}`;

async function unanswered(destination: string): Promise<string> {
  const command = smsCommand({ destination });
  await kit.send(command);
  await waitUntil('the attempt is ambiguous', async () => {
    const { rows } = await kit.database.pool.query(
      `SELECT FROM attempts WHERE message_id = $1 AND outcome = 'ambiguous'`,
      [command.message_id],
    );
    return rows.length === 1 || undefined;
  });
  return command.message_id;
}

const receipt = (destination: string, id: string) =>
  kit.report(
    deliveryReport({
      provider: 'africas_talking',
      provider_message_id: id,
      message_id: null,
      destination,
      received_at: new Date().toISOString(),
    }),
  );

it('a lost answer is settled by the receipt, and the message is not sent twice', async () => {
  const destination = newNumber();
  const id = await unanswered(destination);
  await receipt(destination, 'ATXid_lost');
  await kit.until(id, 'delivered');
  const { rows } = await kit.database.pool.query(
    `SELECT provider, outcome, was_ambiguous, provider_message_id FROM attempts
       WHERE message_id = $1`,
    [id],
  );
  expect(rows).toEqual([
    {
      provider: 'africas_talking',
      outcome: 'accepted',
      was_ambiguous: true,
      provider_message_id: 'ATXid_lost',
    },
  ]);
  expect(kit.twilio.submits).toEqual([]);
});
