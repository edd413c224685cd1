import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import {
  type EmailContent,
  newId,
  type StoredBytesBound,
  type WorkspaceId,
} from '@watchword/contracts';
import { KeyRing } from '@watchword/platform';
import { EMAIL_CONTENT_PURPOSE, EmailContentStore } from '../src/emails/email-content.store.js';
import { emailCommand, stateOf, storeContents, useEmailKit } from './email.kit.js';
import { eventually } from '@watchword/testing';

const emails = useEmailKit();
const DAY_MS = 86_400_000;

const contentOf = (bytes: number): EmailContent => ({
  html: null,
  text: randomBytes(bytes / 2).toString('hex'),
  attachments: [],
});

const store = (
  workspaceId: WorkspaceId,
  contents: EmailContent[],
  { testMode = false, bound = null as StoredBytesBound | null } = {},
) =>
  emails.kit.calls.storeEmailContents({
    workspace_id: workspaceId,
    test_mode: testMode,
    contents,
    bound,
  });

const release = (workspaceId: WorkspaceId, sha256: string[]) =>
  emails.kit.calls.releaseEmailContents({ workspace_id: workspaceId, sha256 });

/** What is counted by mode, as long as it is what is stored. */
async function storedBy(workspaceId: WorkspaceId): Promise<{ live: number; test: number }> {
  const { rows } = await emails.kit.database.pool.query<{ live: number; test: number }>(
    `SELECT coalesce(sum(bytes) FILTER (WHERE NOT test_mode), 0)::integer AS live,
       coalesce(sum(bytes) FILTER (WHERE test_mode), 0)::integer AS test
     FROM stored_bytes WHERE workspace_id = $1
     UNION
     SELECT coalesce(sum(octet_length(content_cipher)) FILTER (WHERE NOT test_mode), 0)::integer,
       coalesce(sum(octet_length(content_cipher)) FILTER (WHERE test_mode), 0)::integer
     FROM email_contents WHERE workspace_id = $1`,
    [workspaceId],
  );
  expect(rows).toHaveLength(1);
  return rows[0]!;
}

it('a content counts once, and as a live one when a live send stores it too', async () => {
  const workspaceId = newId<WorkspaceId>();
  const [one, other] = [contentOf(1_000), contentOf(2_000)];
  await storeContents(emails.kit, [one, one, other], { workspaceId, testMode: true });
  const before = await storedBy(workspaceId);
  expect(before).toMatchObject({ live: 0 });
  expect(before.test).toBeGreaterThan(3_000);
  await storeContents(emails.kit, [one], { workspaceId });
  const after = await storedBy(workspaceId);
  expect(after.live + after.test).toBe(before.test);
  expect(after.live).toBeLessThan(after.test);
});

it('decisions 28: contents that a refused send stored are deleted, unless another send holds them', async () => {
  const workspaceId = newId<WorkspaceId>();
  const shared = contentOf(1_000);
  const [kept] = await storeContents(emails.kit, [shared], { workspaceId });
  const left = await storedBy(workspaceId);
  const refused = await storeContents(emails.kit, [shared, contentOf(500)], { workspaceId });
  await release(workspaceId, refused);
  expect(await storedBy(workspaceId)).toEqual(left);
  await release(workspaceId, [kept!]);
  expect(await storedBy(workspaceId)).toEqual({ live: 0, test: 0 });
});

it('contents beyond a bound, of one mode or of both, are not stored', async () => {
  const workspaceId = newId<WorkspaceId>();
  const ofMode = { bytes_max: 5_000, both_modes: false };
  const ofBoth = { bytes_max: 5_000, both_modes: true };
  const test = { testMode: true, bound: ofMode };
  const first = contentOf(3_000);
  expect(await store(workspaceId, [first], test)).toHaveProperty('sha256');
  expect(await store(workspaceId, [contentOf(10), contentOf(3_000)], test)).toEqual({
    verdict: 'full',
  });
  expect(await store(workspaceId, [first], test)).toHaveProperty('sha256');
  expect(await store(workspaceId, [contentOf(3_000)], { bound: ofBoth })).toEqual({
    verdict: 'full',
  });
  expect(await store(workspaceId, [contentOf(3_000)], { bound: ofMode })).toHaveProperty('sha256');
  expect(await store(workspaceId, [first], { bound: ofMode })).toEqual({ verdict: 'full' });
});

it('decisions 28: concurrent sends of a workspace do not exceed its bound', async () => {
  const workspaceId = newId<WorkspaceId>();
  const bound = { bytes_max: 10_000, both_modes: true };
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      store(workspaceId, [contentOf(2_000)], { testMode: index % 2 === 0, bound }),
    ),
  );
  expect(answers.filter((answer) => 'sha256' in answer)).toHaveLength(4);
  const { live, test } = await storedBy(workspaceId);
  expect(live + test).toBeLessThanOrEqual(10_000);
});

it('decisions 28: contents of test emails are kept for a day, and then their record says that they are gone', async () => {
  const workspaceId = newId<WorkspaceId>();
  const contents = [contentOf(1_000)];
  const [ofTest] = await storeContents(emails.kit, contents, { workspaceId, testMode: true });
  const [ofLive] = await storeContents(emails.kit, [contentOf(500)], { workspaceId });
  const command = emailCommand(
    ['ada@example.com'],
    {
      workspace_id: workspaceId,
      test_mode: true,
      created_at: new Date(emails.clock.now()).toISOString(),
    },
    { content_sha256: ofTest! },
  );
  const live = emailCommand(
    ['ada@example.com'],
    { workspace_id: workspaceId, created_at: new Date(emails.clock.now()).toISOString() },
    { content_sha256: ofLive! },
  );
  await emails.kit.send(command);
  await emails.kit.send(live);
  await eventually(async () => {
    expect(await stateOf(emails.kit.database, live.message_id)).toBe('sent');
    expect(await stateOf(emails.kit.database, command.message_id)).toBe('sent');
  });
  const ring = new KeyRing(['0f'.repeat(32)], EMAIL_CONTENT_PURPOSE);
  const contentStore = new EmailContentStore(emails.kit.database.pool, ring);
  emails.clock.advance(DAY_MS + 60_000);
  await contentStore.purge(new Date(emails.clock.now()));
  const stored = await storedBy(workspaceId);
  expect(stored.test).toBe(0);
  expect(stored.live).toBeGreaterThan(500);
  const asked = { workspace_id: workspaceId, test_mode: true, email_id: command.message_id };
  expect((await emails.kit.calls.getEmail(asked)).email).toMatchObject({
    text: null,
    content_expired: true,
  });
});
