import { beforeEach, expect, it } from '@jest/globals';
import type { EmailOutcome } from '@watchword/carriers';
import { routes } from '@watchword/contracts';
import { ACCEPTED, useEmailKit, UNANSWERED, UNREACHABLE, WORKSPACE } from './email.kit.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const LASTING: EmailOutcome = {
  outcome: 'refused',
  temporary: false,
  rawCode: '535 5.7.8',
  rawMessage: 'Bad credentials',
};

const emails = useEmailKit();
const { answered, command, record, until } = emails;

/** Each provider that failed in the test before takes its probe. */
beforeEach(async () => {
  for (const _provider of emails.world.providers.keys()) {
    emails.clock.advance(MINUTE_MS);
    const probe = command();
    await emails.kit.send(probe);
    await until(probe.message_id, 'sent');
  }
  for (const { submits } of emails.world.providers.values()) submits.length = 0;
});

const refunded = async (emailId: string) =>
  (await emails.kit.refundCommands()).some(({ message_id: id }) => id === emailId);

const WAITS = [
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  ...Array<number>(4).fill(6 * HOUR_MS),
];

it('decisions 20: an email waits while one provider fails temporarily, though another refuses permanently', async () => {
  emails.world.smtp.answer = () => UNREACHABLE;
  emails.world.ses.answer = () => LASTING;
  const sent = command();
  await emails.kit.send(sent);
  await answered(sent.message_id, 2);
  emails.world.smtp.answer = () => ACCEPTED;
  emails.clock.advance(MINUTE_MS);
  await until(sent.message_id, 'sent');
  expect(await refunded(sent.message_id)).toBe(false);
});

it('decisions 20: an email fails at once when all providers refuse permanently, and after 24 hours of temporary failures', async () => {
  emails.world.smtp.answer = () => LASTING;
  emails.world.ses.answer = () => LASTING;
  const first = command();
  await emails.kit.send(first);
  await until(first.message_id, 'failed');
  emails.world.smtp.answer = () => UNREACHABLE;
  const second = command();
  await emails.kit.send(second);
  for (const [index, waitMs] of WAITS.entries()) {
    await answered(second.message_id, 2 * (index + 1));
    expect((await record(second.message_id)).status).toBe('queued');
    emails.clock.advance(waitMs);
  }
  await until(second.message_id, 'failed');
  expect(await refunded(second.message_id)).toBe(true);
});

it('decisions 20: an email whose hand-over has no answer is handed over three times at most, and counts as sent', async () => {
  emails.world.smtp.answer = () => UNANSWERED;
  const sent = command();
  await emails.kit.send(sent);
  await answered(sent.message_id, 1);
  emails.clock.advance(MINUTE_MS);
  await answered(sent.message_id, 2);
  emails.clock.advance(MINUTE_MS);
  await emails.kit.sweep();
  await answered(sent.message_id, 2);
  emails.clock.advance(5 * MINUTE_MS);
  await until(sent.message_id, 'sent');
  emails.clock.advance(24 * HOUR_MS);
  await emails.kit.sweep();
  await answered(sent.message_id, 3);
  expect(await refunded(sent.message_id)).toBe(false);
});

it('decisions 20: an email whose hand-over has no answer goes to no other provider', async () => {
  emails.world.smtp.answer = () => UNANSWERED;
  const sent = command();
  await emails.kit.send(sent);
  await answered(sent.message_id, 1);
  emails.world.smtp.answer = () => UNREACHABLE;
  emails.clock.advance(MINUTE_MS);
  await answered(sent.message_id, 2);
  emails.clock.advance(MINUTE_MS);
  await answered(sent.message_id, 3);
  emails.world.smtp.answer = () => ACCEPTED;
  emails.clock.advance(5 * MINUTE_MS);
  await until(sent.message_id, 'sent');
  expect(emails.world.ses.submits).toEqual([]);
  expect(emails.world.smtp.submits).toHaveLength(4);
  const raw = new Set(emails.world.smtp.submits.map((one) => one.raw.toString()));
  expect(raw.size).toBe(1);
});

it.each(['suppressed', 'unverified', 'refused'])(
  'decisions 20: an email whose hand-over had no answer never fails, also when it is %s later',
  async (cause) => {
    emails.world.smtp.answer = () => UNANSWERED;
    const sent = command(['eve@example.com']);
    await emails.kit.send(sent);
    await answered(sent.message_id, 1);
    if (cause === 'suppressed') {
      const entry = { origin: 'complaint', scope: 'all', at: new Date() } as const;
      emails.world.entries.push({ workspaceId: WORKSPACE, address: 'eve@example.com', ...entry });
    }
    if (cause === 'unverified') emails.world.status = 'failed';
    emails.world.smtp.answer = () => LASTING;
    emails.world.ses.answer = () => LASTING;
    emails.clock.advance(MINUTE_MS);
    await until(sent.message_id, 'sent');
    expect(await refunded(sent.message_id)).toBe(false);
  },
);

it('a drained email provider gets no email, and an email waits while all providers are drained', async () => {
  const drain = (id: string, isDrained = true) =>
    emails.kit.serve(routes.changeCarrier, {
      parameters: { id },
      body: { state: isDrained ? 'drained' : 'active' },
    });
  await drain('smtp');
  const other = command();
  await emails.kit.send(other);
  await until(other.message_id, 'sent');
  await drain('ses');
  const waiting = command();
  await emails.kit.send(waiting);
  await until(waiting.message_id, 'queued');
  expect(emails.world.smtp.submits).toEqual([]);
  expect(emails.world.ses.submits).toHaveLength(1);
  await drain('ses', false);
  emails.clock.advance(MINUTE_MS);
  await until(waiting.message_id, 'sent');
  expect(emails.world.smtp.submits).toEqual([]);
  await drain('smtp', false);
});
