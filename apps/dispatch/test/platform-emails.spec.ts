/**
 * Emails of the platform are sent like every email, without a charge, a refund or an event. ADR 38.
 */
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import {
  type MessageId,
  newId,
  PLATFORM_WORKSPACE_ID,
  type SendPlatformEmail,
  TOPICS,
  type WorkspaceId,
} from '@watchword/contracts';
import { eventually, FakeClock } from '@watchword/testing';
import { type Kit, startKit } from './dispatch.kit.js';
import {
  ACCEPTED,
  DEFERRED,
  emailEvents,
  emailReport,
  EmailWorld,
  NO_SUCH_USER,
  stateOf,
  storeContents,
} from './email.kit.js';

let kit: Kit;
let world: EmailWorld;
let clock: FakeClock;
let contentSha256: string;

beforeAll(async () => {
  clock = new FakeClock(Date.now());
  world = new EmailWorld();
  kit = await startKit({ clock, email: world });
  const contents = [{ html: '<p>Hi</p>', text: 'Hi', attachments: [] }];
  const sha256 = await storeContents(kit, contents, { workspaceId: PLATFORM_WORKSPACE_ID });
  contentSha256 = sha256[0]!;
});

beforeEach(() => {
  world.entries.length = 0;
  world.status = 'verified';
  world.smtp.answer = () => ACCEPTED;
  world.smtp.submits.length = 0;
});

afterAll(() => kit.close());

async function ask(): Promise<MessageId> {
  const command: SendPlatformEmail = {
    message_id: newId(),
    purpose: 'password_reset',
    from: 'Acme <accounts@acme.example>',
    from_domain: 'acme.example',
    to: 'ada@example.com',
    subject: 'Set a new password for Acme',
    content_sha256: contentSha256,
    created_at: new Date(clock.now()).toISOString(),
  };
  // Twice, as the bus may deliver.
  await kit.platformEmails(command, command);
  await kit.platformEmails(command);
  return command.message_id;
}

const until = (id: string, state: string) =>
  eventually(async () => expect(await stateOf(kit.database, id)).toBe(state));

async function rowOf(id: string) {
  const { rows } = await kit.database.pool.query<{
    workspace_id: WorkspaceId;
    refunded: boolean | null;
    settled_at: Date | null;
  }>('SELECT workspace_id, refunded, settled_at FROM emails WHERE id = $1', [id]);
  return rows[0];
}

async function expectSilence(id: string): Promise<void> {
  expect(await emailEvents(kit.database, id)).toEqual([]);
  const { rows } = await kit.database.pool.query(
    'SELECT FROM message_queue WHERE topic = $1 AND message_id = $2',
    [TOPICS.refundCommands.name, id],
  );
  expect(rows).toEqual([]);
}

it('is sent once for the platform, signed for its domain, and delivered by a report', async () => {
  const id = await ask();
  await until(id, 'sent');
  expect(world.smtp.submits).toHaveLength(1);
  await kit.emailReports(emailReport(id, 'delivered'));
  await until(id, 'delivered');
  expect(await rowOf(id)).toEqual({
    workspace_id: PLATFORM_WORKSPACE_ID,
    refunded: null,
    settled_at: null,
  });
  await expectSilence(id);
});

it('is tried again after a deferral, like every email', async () => {
  world.smtp.answer = () => DEFERRED;
  const id = await ask();
  await eventually(async () => {
    const { rows } = await kit.database.pool.query(
      `SELECT FROM email_attempts WHERE email_id = $1 AND outcome = 'deferred'`,
      [id],
    );
    expect(rows).not.toEqual([]);
  });
  world.smtp.answer = () => ACCEPTED;
  clock.advance(3_600_000);
  await until(id, 'sent');
});

it('that bounces suppresses the address for the platform', async () => {
  world.smtp.answer = () => NO_SUCH_USER;
  const id = await ask();
  await until(id, 'bounced');
  expect(world.entries).toMatchObject([
    { workspaceId: PLATFORM_WORKSPACE_ID, address: 'ada@example.com' },
  ]);
  const next = await ask();
  await until(next, 'failed');
  await expectSilence(next);
});

it('that fails is settled at once, and asks for no refund', async () => {
  world.status = 'failed';
  const id = await ask();
  await until(id, 'failed');
  expect(await rowOf(id)).toMatchObject({ refunded: false, settled_at: expect.any(Date) });
  await expectSilence(id);
});
