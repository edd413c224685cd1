import { afterEach, expect, it } from '@jest/globals';
import type { SendMessage } from '@watchword/contracts';
import { FakeClock } from '@watchword/testing';
import { AMERICAN, smsCommand } from './commands.kit.js';
import { accepted, type Kit, refused, startKit } from './dispatch.kit.js';

/** Circuits and slots: how one failing or hanging carrier affects the messages of the others. */
let kit: Kit;

afterEach(() => kit.close());

const batch = (count: number, change: Partial<SendMessage> = {}) =>
  Array.from({ length: count }, () => smsCommand(change));

const attempts = async (id: string) => {
  const { rows } = await kit.database.pool.query<{ provider: string; reason: string | null }>(
    'SELECT provider, reason FROM attempts WHERE message_id = $1 ORDER BY number',
    [id],
  );
  return rows.map(({ provider, reason }) => `${provider} ${reason ?? 'ok'}`);
};

it('one message of a batch probes an open circuit, and its outcome alone closes it', async () => {
  const clock = new FakeClock(Date.now());
  kit = await startKit({ clock });
  const first = smsCommand();
  kit.africasTalking.answer = () => refused('provider_rejected');
  await kit.send(first);
  await kit.until(first.message_id, 'sent');
  clock.advance(15_000);

  let answer: () => void = () => undefined;
  kit.africasTalking.submits.length = 0;
  kit.africasTalking.answer = ({ messageId }) =>
    new Promise((resolve) => (answer = () => resolve(accepted(`at-${messageId}`))));
  const [probe, ...others] = batch(60);
  await kit.send(probe!, ...others);
  for (const { message_id } of others) await kit.until(message_id, 'sent');
  expect(kit.africasTalking.submits.map(({ messageId }) => messageId)).toEqual([probe!.message_id]);
  for (const { message_id } of others) expect(await attempts(message_id)).toEqual(['twilio ok']);
  answer();
  await kit.until(probe!.message_id, 'sent');

  kit.africasTalking.answer = ({ messageId }) => accepted(`at-${messageId}`);
  const later = smsCommand();
  await kit.send(later);
  await kit.until(later.message_id, 'sent');
  expect(await attempts(later.message_id)).toEqual(['africas_talking ok']);
});

it('a carrier that hangs uses only its own slots', async () => {
  const capacity = { concurrency: 4, messagesPerSecond: null, waitingMax: 4 };
  kit = await startKit({ capacity });
  const held: (() => void)[] = [];
  kit.africasTalking.answer = ({ messageId }) =>
    new Promise((resolve) => held.push(() => resolve(accepted(messageId))));
  const stuck = batch(8);
  const spilled = batch(4);
  await kit.send(...stuck);
  await kit.send(...spilled);
  const american = { destination: AMERICAN, country_code: 'US', network: null };
  const elsewhere = smsCommand(american);
  await kit.send(elsewhere);
  for (const { message_id } of [...spilled, elsewhere]) await kit.until(message_id, 'sent');
  expect(await attempts(spilled[0]!.message_id)).toEqual([
    'africas_talking throttled',
    'twilio ok',
  ]);
  expect(kit.africasTalking.submits).toHaveLength(4);
  kit.africasTalking.answer = ({ messageId }) => accepted(messageId);
  for (const end of held) end();
  for (const { message_id } of stuck) await kit.until(message_id, 'sent');
});
