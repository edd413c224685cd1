import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { newId } from '@watchword/contracts';
import { eventually } from '@watchword/testing';
import { ACCEPTED, emailEvents, EmailKit, stateOf } from './email.kit.js';

const MINUTE_MS = 60_000;

let kit: EmailKit['kit'];
let world: EmailKit['world'];
let clock: EmailKit['clock'];
let command: EmailKit['command'];

beforeEach(async () => {
  ({ kit, world, clock, command } = await EmailKit.start());
});
afterEach(() => kit.close());

async function attemptsOf(emailId: string) {
  const { rows } = await kit.database.pool.query<{ outcome: string; was_ambiguous: boolean }>(
    'SELECT outcome, was_ambiguous FROM email_attempts WHERE email_id = $1 ORDER BY number',
    [emailId],
  );
  return rows;
}

it('decisions 20: an email whose process died during the hand-over is ambiguous, and is handed over once more', async () => {
  let isHanging = true;
  world.smtp.answer = () => (isHanging ? new Promise(() => undefined) : ACCEPTED);
  const sent = command();
  await kit.send(sent);
  await eventually(() => expect(world.smtp.submits).toHaveLength(1));
  isHanging = false;
  // As if another process had begun it and died: it no longer reports that it is alive.
  await kit.database.pool.query('UPDATE email_attempts SET held_by = $1', [newId()]);
  await eventually(async () => {
    expect(await attemptsOf(sent.message_id)).toEqual([
      { outcome: 'ambiguous', was_ambiguous: true },
    ]);
  });
  expect(world.smtp.submits).toHaveLength(1);
  clock.advance(MINUTE_MS);
  await eventually(async () => {
    expect(await stateOf(kit.database, sent.message_id)).toBe('sent');
  });
  expect(await attemptsOf(sent.message_id)).toEqual([
    { outcome: 'ambiguous', was_ambiguous: true },
    { outcome: 'accepted', was_ambiguous: false },
  ]);
  expect(world.smtp.submits).toHaveLength(2);
});

it('decisions 20: two processes hand each scheduled copy over once', async () => {
  await kit.start();
  const send_at = new Date(clock.now() + MINUTE_MS).toISOString();
  const commands = Array.from({ length: 40 }, (_, index) =>
    command([`a${index}@example.com`, `b${index}@example.com`], { send_at }),
  );
  await kit.send(...commands);
  clock.advance(MINUTE_MS);
  await eventually(async () => {
    const { rows } = await kit.database.pool.query(
      `SELECT FROM email_recipients WHERE state = 'sent'`,
    );
    expect(rows).toHaveLength(80);
  });
  const submitted = world.smtp.submits.map(({ to }) => to);
  expect(submitted).toHaveLength(80);
  expect(new Set(submitted).size).toBe(80);
  const types = await emailEvents(kit.database, commands[0]!.message_id);
  expect(types.map(({ type }) => type)).toEqual(['email.queued', 'email.sent', 'email.sent']);
});
