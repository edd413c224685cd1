import { describe, expect, it } from '@jest/globals';
import { newId } from '@watchword/contracts';
import { ACCEPTED, DEFERRED, emailReport, useEmailKit } from './email.kit.js';

const ERASED = 'erased@erased.invalid';
const emails = useEmailKit();
const { command, record, until } = emails;

const freshAddress = () => `Ada.${newId()}@example.com`;
const asked = (to: string) => ({ to, after: null });
const counted = (to: string) => ({ ...asked(to), before: '2100-01-01T00:00:00.000Z' });
const open = async (to: string) => (await emails.kit.calls.countOpenMessages(counted(to))).count;
const erase = (to: string) => emails.kit.calls.eraseMessages({ ...asked(to), erased: ERASED });

async function rows(emailId: string) {
  const { rows: all } = await emails.kit.database.pool.query<{ text: string }>(
    `SELECT email::text AS text FROM emails AS email WHERE id = $1
     UNION ALL SELECT one::text FROM email_recipients AS one WHERE email_id = $1
     UNION ALL SELECT one::text FROM email_attempts AS one WHERE email_id = $1`,
    [emailId],
  );
  return all.map(({ text }) => text.toLowerCase()).join('\n');
}

describe('an erasure of an address', () => {
  it('takes it out of an email, with the words that nobody else got', async () => {
    const address = freshAddress();
    const bounce = { type: 'permanent', sub_type: 'no_email', code: '550 5.1.1' } as const;
    emails.world.smtp.answer = () => ({
      ...{ outcome: 'bounced', suppress: true },
      bounce: { ...bounce, message: `No such user: ${address}` },
    });
    const words = { subject: `For ${address}`, headers: { 'X-For': address } };
    const sent = command([address], { metadata: { to: address } }, { ...words, tags: ['Ada'] });
    await emails.kit.send(sent);
    await until(sent.message_id, 'bounced');
    expect(await erase(address.toLowerCase())).toEqual({ count: 1, next: null });
    expect(await record(sent.message_id)).toMatchObject({
      status: 'bounced',
      to: [ERASED],
      ...{ subject: '', headers: {}, tags: [], metadata: {}, text: null, content_expired: true },
      recipients: [{ address: ERASED, bounce: { code: '550 5.1.1', message: null } }],
      credits: sent.credits,
    });
    expect(await rows(sent.message_id)).not.toContain(address.toLowerCase());
    expect(await erase(address)).toEqual({ count: 0, next: null });
  });

  it('leaves other recipients their email', async () => {
    const address = freshAddress();
    const words = { to: [`Ada <${address}>`], cc: ['bob@example.com'] };
    const sent = command([address, 'bob@example.com'], {}, words);
    await emails.kit.send(sent);
    await until(sent.message_id, 'sent', 1);
    await until(sent.message_id, 'sent', 0);
    await erase(address);
    expect(await record(sent.message_id)).toMatchObject({
      ...{ to: [ERASED], cc: ['bob@example.com'], subject: 'Your receipt', text: 'Hi' },
      recipients: [{ address: ERASED }, { address: 'bob@example.com' }],
    });
  });

  it('waits for the copies of others, which name the address', async () => {
    const address = freshAddress();
    emails.world.smtp.answer = ({ to }) => (to === 'bob@example.com' ? DEFERRED : ACCEPTED);
    const sent = command([address, 'bob@example.com']);
    await emails.kit.send(sent);
    await until(sent.message_id, 'sent', 0);
    await emails.answered(sent.message_id, 2);
    expect(await open(address)).toBe(1);
    expect(await erase(address)).toMatchObject({ count: 0 });
  });

  it('waits for emails that are held, in any case of letters', async () => {
    const address = freshAddress();
    const [workspace_id, occurred_at] = [newId(), new Date(emails.clock.now()).toISOString()];
    const suspended = { type: 'workspace.updated', name: 'Acme', suspended: true } as const;
    await emails.kit.account({ ...suspended, workspace_id, occurred_at });
    await emails.kit.send(command([address], { workspace_id }));
    expect(await open(address.toLowerCase())).toBe(1);
    const second = { ...counted(address), after: newId() };
    expect(await emails.kit.calls.countOpenMessages(second)).toMatchObject({ count: 0 });
    expect(await erase(address)).toEqual({ count: 0, next: null });
  });

  it('waits for a copy that has not left, and suppresses nothing afterwards', async () => {
    const address = freshAddress();
    const send_at = new Date(emails.clock.now() + 3_600_000).toISOString();
    const sent = command([address], { send_at });
    await emails.kit.send(sent);
    expect(await open(address)).toBe(1);
    expect(await erase(address)).toEqual({ count: 0, next: null });
    emails.clock.advance(3_600_000);
    await until(sent.message_id, 'sent');
    expect(await open(address)).toBe(0);
    expect(await erase(address)).toEqual({ count: 1, next: null });
    const complained = { complaint: { type: 'abuse' } };
    await emails.kit.emailReports(emailReport(sent.message_id, 'complained', complained));
    await until(sent.message_id, 'complained');
    expect(emails.world.entries).toEqual([]);
    expect(await rows(sent.message_id)).not.toContain(address.toLowerCase());
  });

  it('cancels a scheduled email that has no other recipient', async () => {
    const address = freshAddress();
    const send_at = new Date(emails.clock.now() + 3_600_000).toISOString();
    const [alone, shared] = [
      command([address], { send_at }),
      command([address, freshAddress()], { send_at }),
    ];
    await emails.kit.send(alone, shared);
    const cancel = () => emails.kit.calls.cancelScheduledMessages(asked(address));
    expect(await cancel()).toEqual({ count: 1, next: null });
    await until(alone.message_id, 'cancelled');
    expect(await erase(address)).toEqual({ count: 1, next: null });
    expect([await open(address), await cancel()]).toEqual([1, { count: 0, next: null }]);
  });

  it('outlasts a late bounce that quotes the address, and an unsubscribe still counts', async () => {
    const address = freshAddress();
    const sent = command([address]);
    await emails.kit.send(sent);
    await until(sent.message_id, 'sent');
    await erase(address);
    const link = { workspace_id: sent.workspace_id, address };
    await emails.kit.emailReports(emailReport(sent.message_id, 'unsubscribed', link));
    const marketing = { address, origin: 'unsubscribe', scope: 'marketing' };
    expect(emails.world.entries).toMatchObject([marketing]);
    const bounce = {
      type: 'permanent',
      sub_type: 'no_email',
      code: '550',
      message: address,
    } as const;
    await emails.kit.emailReports(
      emailReport(sent.message_id, 'bounced', { bounce, suppress: true }),
    );
    await until(sent.message_id, 'bounced');
    expect(emails.world.entries).toHaveLength(1);
    expect(await rows(sent.message_id)).not.toContain(address.toLowerCase());
  });
});
