/**
 * Emails of the platform are sent like every email, without a charge, a refund or an event. ADR 38.
 */
import { beforeAll, expect, it } from '@jest/globals';
import {
  type MessageId,
  newId,
  PLATFORM_WORKSPACE_ID,
  type SendPlatformEmail,
  TOPICS,
  type WorkspaceId,
} from '@watchword/contracts';
import { emailEvents, emailReport, storeContents, useEmailKit } from './email.kit.js';

const emails = useEmailKit();
const { until } = emails;
let contentSha256: string;

beforeAll(async () => {
  const contents = [{ html: '<p>Hi</p>', text: 'Hi', attachments: [] }];
  const sha256 = await storeContents(emails.kit, contents, { workspaceId: PLATFORM_WORKSPACE_ID });
  contentSha256 = sha256[0]!;
});

async function ask(): Promise<MessageId> {
  const command: SendPlatformEmail = {
    message_id: newId(),
    purpose: 'password_reset',
    from: 'Acme <accounts@acme.example>',
    from_domain: 'acme.example',
    to: 'ada@example.com',
    subject: 'Set a new password for Acme',
    content_sha256: contentSha256,
    created_at: new Date(emails.clock.now()).toISOString(),
  };
  // Twice, as the bus may deliver.
  await emails.kit.platformEmails(command, command);
  await emails.kit.platformEmails(command);
  return command.message_id;
}

async function rowOf(id: string) {
  const { rows } = await emails.kit.database.pool.query<{
    workspace_id: WorkspaceId;
    refunded: boolean | null;
    settled_at: Date | null;
  }>('SELECT workspace_id, refunded, settled_at FROM emails WHERE id = $1', [id]);
  return rows[0];
}

async function expectSilence(id: string): Promise<void> {
  expect(await emailEvents(emails.kit.database, id)).toEqual([]);
  const { rows } = await emails.kit.database.pool.query(
    'SELECT FROM message_queue WHERE topic = $1 AND message_id = $2',
    [TOPICS.refundCommands.name, id],
  );
  expect(rows).toEqual([]);
}

it('an email of the platform is sent once, signed for its domain, and delivered by a report', async () => {
  const id = await ask();
  await until(id, 'sent');
  expect(emails.world.smtp.submits).toHaveLength(1);
  await emails.kit.emailReports(emailReport(id, 'delivered'));
  await until(id, 'delivered');
  expect(await rowOf(id)).toEqual({
    workspace_id: PLATFORM_WORKSPACE_ID,
    refunded: null,
    settled_at: null,
  });
  await expectSilence(id);
});

it('an email of the platform that fails is settled at once, without a refund', async () => {
  emails.world.status = 'failed';
  const id = await ask();
  await until(id, 'failed');
  expect(await rowOf(id)).toMatchObject({ refunded: false, settled_at: expect.any(Date) });
  await expectSilence(id);
});
