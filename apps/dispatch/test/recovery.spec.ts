import { expect, it } from '@jest/globals';
import { newId } from '@watchword/contracts';
import { DatabaseUnavailable, type Statement } from '@watchword/postgres';
import { otpCommand, smsCommand } from './commands.kit.js';
import { accepted, codeIn } from './dispatch.kit.js';
import { kit, useKit } from './one-dispatch.kit.js';

useKit();

/** As if the process had died: its work belongs to a sender that is not alive. */
const orphan = (...ids: string[]) =>
  kit.database.pool.query('UPDATE attempts SET held_by = $1 WHERE message_id = ANY ($2)', [
    newId(),
    ids,
  ]);

const attempts = async (id: string) =>
  (
    await kit.database.pool.query<{ provider: string; outcome: string }>(
      'SELECT provider, outcome FROM attempts WHERE message_id = $1 ORDER BY number',
      [id],
    )
  ).rows;

/** Makes the next write of messages succeed, and its answer get lost with the connection. */
function loseNextAnswer(): void {
  const { pool } = kit.database;
  const { query } = pool;
  pool.query = async <Row>(asked: Statement | string, values?: readonly unknown[]) => {
    const outcome = await query<Row>(asked, values);
    if (typeof asked === 'string' || asked.name !== 'dispatch_add_messages') return outcome;
    pool.query = query;
    throw new DatabaseUnavailable(true, new Error('the connection was cut'));
  };
}

it('a message whose write was committed without an answer is sent when its command comes again', async () => {
  kit.africasTalking.answer = ({ messageId }) => Promise.resolve(accepted(messageId));
  kit.africasTalking.query = async (id) => accepted(`asked-${id}`);
  const command = smsCommand();
  loseNextAnswer();
  await expect(kit.send(command)).rejects.toThrow('the database is unavailable');
  await kit.send(command);
  expect(await kit.stored(command.message_id)).toMatchObject({ state: 'accepted' });
  await kit.database.pool.query(
    `UPDATE attempts SET started_at = started_at - interval '1 minute' WHERE message_id = $1`,
    [command.message_id],
  );
  await kit.until(command.message_id, 'sent');
  expect(await attempts(command.message_id)).toEqual([
    { provider: 'africas_talking', outcome: 'accepted' },
  ]);
});

it('decisions 9: an attempt of a dead process is ambiguous, and an OTP goes on with the next provider and the same code', async () => {
  let first = '';
  kit.africasTalking.answer = (request) => {
    first = codeIn(request);
    return new Promise(() => undefined);
  };
  const command = otpCommand();
  await kit.send(command);
  await orphan(command.message_id);
  await kit.until(command.message_id, 'sent');
  expect(await attempts(command.message_id)).toEqual([
    { provider: 'africas_talking', outcome: 'ambiguous' },
    { provider: 'twilio', outcome: 'accepted' },
  ]);
  expect(codeIn(kit.twilio.submits[0])).toBe(first);
});

it('a carrier that can be asked is asked about the attempt of a dead process, and the message is not sent twice', async () => {
  kit.africasTalking.answer = () => new Promise(() => undefined);
  kit.africasTalking.query = async (id) => accepted(`asked-${id}`);
  const command = smsCommand();
  await kit.send(command);
  await orphan(command.message_id);
  await kit.until(command.message_id, 'sent');
  expect(await attempts(command.message_id)).toEqual([
    { provider: 'africas_talking', outcome: 'accepted' },
  ]);
  expect(kit.twilio.submits.filter((one) => one.messageId === command.message_id)).toEqual([]);
});

it('an attempt is left alone while its process lives', async () => {
  let answer: (() => void) | undefined;
  kit.africasTalking.answer = ({ messageId }) =>
    new Promise((resolve) => (answer = () => resolve(accepted(messageId))));
  const command = smsCommand();
  await kit.send(command);
  const other = await kit.start();
  await other.stop();
  expect(await attempts(command.message_id)).toEqual([
    { provider: 'africas_talking', outcome: null },
  ]);
  answer?.();
  await kit.until(command.message_id, 'sent');
});
