import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import {
  type EmailContent,
  newId,
  type StoredBytesBound,
  type WorkspaceId,
} from '@watchword/contracts';
import { storeContents, useEmailKit } from './email.kit.js';

const emails = useEmailKit();

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

it('decisions 28: the content of a refused email is deleted, unless another email uses it', async () => {
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

it('decisions 28: parallel emails of a workspace do not exceed its limit of stored bytes', async () => {
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
