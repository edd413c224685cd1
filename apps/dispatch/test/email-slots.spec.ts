import { afterEach, expect, it } from '@jest/globals';
import type { SendMessage } from '@watchword/contracts';
import { eventually } from '@watchword/testing';
import { ACCEPTED, EmailKit, UNREACHABLE } from './email.kit.js';

/** Circuits and slots: how one failing or hanging provider affects the emails of the others. */
let emails: EmailKit;

afterEach(() => emails.kit.close());

const SMALL = { concurrency: 2, messagesPerSecond: null, waitingMax: 2 };

const some = (count: number, change: Partial<SendMessage> = {}) =>
  Array.from({ length: count }, () => emails.command(undefined, change));

const send = (...commands: SendMessage[]) => emails.kit.send(...commands);

async function allSent(commands: readonly SendMessage[]): Promise<void> {
  for (const { message_id: id } of commands) await emails.until(id, 'sent');
}

/** Returns `provider outcome` of each attempt. */
async function attempts({ message_id: id }: SendMessage): Promise<string[]> {
  const { rows } = await emails.kit.database.pool.query<{ provider: string; result: string }>(
    `SELECT provider, CASE outcome WHEN 'accepted' THEN 'ok' ELSE raw_code END AS result
     FROM email_attempts WHERE email_id = $1 ORDER BY number`,
    [id],
  );
  return rows.map(({ provider, result }) => `${provider} ${result}`);
}

const unanswered = (held: (() => void)[], answer: typeof ACCEPTED | typeof UNREACHABLE) => () =>
  new Promise<typeof answer>((resolve) => held.push(() => resolve(answer)));

it('an email provider that hangs uses only its own slots, and the copies that wait for it go to another', async () => {
  emails = await EmailKit.start({ capacity: SMALL });
  const { world } = emails;
  const held: (() => void)[] = [];
  world.smtp.answer = unanswered(held, ACCEPTED);
  const stuck = some(4);
  await send(...stuck);
  await eventually(() => expect(held).toHaveLength(2));
  const spilled = some(4);
  await send(...spilled);
  await allSent(spilled);
  expect(await attempts(spilled[0]!)).toEqual(['smtp NO_SLOT', 'ses ok']);
  const asked = new Set(world.smtp.submits.map(({ emailId }) => emailId));
  const waiting = stuck.filter(({ message_id: id }) => !asked.has(id));
  await allSent(waiting);
  expect(await attempts(waiting[0]!)).toEqual(['smtp NO_SLOT', 'ses ok']);
  expect(held).toHaveLength(2);
  world.smtp.answer = () => ACCEPTED;
  for (const end of held) end();
  await allSent(stuck);
});
