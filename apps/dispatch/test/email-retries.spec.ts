import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { EmailOutcome } from '@watchword/carriers';
import { UnsendableContent } from '@watchword/email';
import { EmailContentStore } from '../src/emails/email-content.store.js';
import { ACCEPTED, useEmailKit, UNANSWERED, UNREACHABLE, WORKSPACE } from './email.kit.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const LASTING: EmailOutcome = {
  outcome: 'refused',
  temporary: false,
  rawCode: '535 5.7.8',
  rawMessage: 'Bad credentials',
};
const FULL_MAILBOX: EmailOutcome = {
  outcome: 'deferred',
  rawCode: '452 4.2.2',
  rawMessage: 'Mailbox full',
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

describe('an email that no provider takes now', () => {
  it('decisions 20: waits where one of them may come back, though another refuses for good', async () => {
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

  it('decisions 20: fails at once where all refuse for good, and after 24 hours where none comes back', async () => {
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

  it('decisions 20: bounces as mailbox_full when the receiver answers that for 24 hours', async () => {
    emails.world.smtp.answer = () => FULL_MAILBOX;
    const sent = command();
    await emails.kit.send(sent);
    for (const [index, waitMs] of WAITS.entries()) {
      await answered(sent.message_id, index + 1);
      emails.clock.advance(waitMs);
    }
    await until(sent.message_id, 'bounced');
    const bounce = { type: 'transient', sub_type: 'mailbox_full', code: '452 4.2.2' };
    expect((await record(sent.message_id)).recipients).toMatchObject([{ bounce }]);
  });
});

describe('an email whose hand-over has no answer', () => {
  it('decisions 20: is handed over three times at most, and counts as sent', async () => {
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

  it('decisions 20: goes to no other provider, however long its own refuses it', async () => {
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

  it('waits five minutes and has two tries where the provider replaces its Message-ID', async () => {
    emails.world.smtp.answer = () => LASTING;
    emails.world.ses.answer = () => UNANSWERED;
    const sent = command();
    await emails.kit.send(sent);
    await answered(sent.message_id, 2);
    emails.world.smtp.answer = () => ACCEPTED;
    emails.clock.advance(4 * MINUTE_MS);
    await emails.kit.sweep();
    await answered(sent.message_id, 2);
    emails.clock.advance(MINUTE_MS);
    await until(sent.message_id, 'sent');
    expect(emails.world.smtp.submits).toHaveLength(1);
    expect(emails.world.ses.submits).toHaveLength(2);
    expect(await refunded(sent.message_id)).toBe(false);
  });

  it.each(['suppressed', 'unverified', 'refused'])(
    'decisions 20: is never failed: %s',
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
});

describe('an email that is not composed', () => {
  it('is tried again after a fault of ours', async () => {
    const { compose } = emails.world.composer;
    emails.world.composer.compose = async () => {
      throw new Error('The composing thread ended.');
    };
    const [byThread, byDatabase] = [command(), command()];
    await emails.kit.send(byThread);
    await answered(byThread.message_id, 2);
    emails.world.composer.compose = compose;
    const find = jest.spyOn(EmailContentStore.prototype, 'find');
    find.mockRejectedValue(new Error('PostgreSQL is away'));
    await emails.kit.send(byDatabase);
    await answered(byDatabase.message_id, 2);
    find.mockRestore();
    expect(emails.world.smtp.submits).toEqual([]);
    emails.clock.advance(MINUTE_MS);
    await until(byThread.message_id, 'sent');
    await until(byDatabase.message_id, 'sent');
  });

  it('fails where its content is missing or makes no message', async () => {
    const missing = command(undefined, {}, { content_sha256: 'missing' });
    await emails.kit.send(missing);
    await until(missing.message_id, 'failed');
    emails.world.composer.compose = async () => {
      throw new UnsendableContent('no');
    };
    const unsendable = command();
    await emails.kit.send(unsendable);
    await until(unsendable.message_id, 'failed');
    await emails.kit.refund(unsendable.message_id);
    expect((await record(unsendable.message_id)).error_code).toBe('content_rejected');
  });
});
