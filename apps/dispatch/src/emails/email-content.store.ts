import { createHash } from 'node:crypto';
import { EMAIL_CONTENT_DAYS, type EmailContent, type WorkspaceId } from '@watchword/contracts';
import { crashPoint } from '@watchword/observability';
import type { KeyRing } from '@watchword/platform';
import { type Queryable, statement } from '@watchword/postgres';

/** Purpose of the key that encrypts contents. */
export const EMAIL_CONTENT_PURPOSE = 'watchword/email-content';

/**
 * A content that is stored again counts as new, so the purge keeps it for the acceptance that
 * follows.
 */
const store = statement(
  'dispatch_store_email_contents',
  `INSERT INTO email_contents (workspace_id, sha256, content_cipher, stored_at)
   SELECT $1, sha256, content_cipher, $4
   FROM unnest($2::text[], $3::bytea[]) AS given (sha256, content_cipher) ORDER BY sha256
   ON CONFLICT (workspace_id, sha256) DO UPDATE SET stored_at = excluded.stored_at`,
);

const find = statement(
  'dispatch_find_email_contents',
  `SELECT content.workspace_id AS "workspaceId", content.sha256, content_cipher AS "cipher"
   FROM (SELECT DISTINCT * FROM unnest($1::uuid[], $2::text[]) AS w (workspace_id, sha256)) AS wanted
   JOIN email_contents AS content USING (workspace_id, sha256)`,
);

/**
 * A reference counts as long as its content is kept, and while the email waits to be sent. Emails of a
 * suspended workspace are held as commands, which name their contents.
 */
const purge = statement(
  'dispatch_purge_email_contents',
  `DELETE FROM email_contents AS content WHERE (workspace_id, sha256) IN (
     SELECT workspace_id, sha256 FROM email_contents AS old
     WHERE stored_at < $1::timestamptz - interval '24 hours' AND NOT EXISTS (
       SELECT FROM emails AS email
       WHERE email.workspace_id = old.workspace_id AND email.content_sha256 = old.sha256
         AND (coalesce(email.send_at, email.created_at)
                > $1::timestamptz - interval '${EMAIL_CONTENT_DAYS} days'
              OR email.status IN ('queued', 'scheduled')))
       AND NOT EXISTS (
         SELECT FROM held_commands AS held
         WHERE held.workspace_id = old.workspace_id AND strpos(held.command, old.sha256) > 0)
     ORDER BY stored_at LIMIT $2)
     AND stored_at < $1::timestamptz - interval '24 hours'`,
);
const PURGED_AT_ONCE = 200;

export interface ContentRef {
  readonly workspaceId: WorkspaceId;
  readonly sha256: string;
}

interface FoundRow extends ContentRef {
  readonly cipher: Buffer;
}

/** Stores texts and attachments once per workspace and hash, encrypted and bound to both. */
export class EmailContentStore {
  constructor(
    private readonly database: Queryable,
    private readonly cipher: KeyRing,
  ) {}

  /** Returns one hash per content, in order. */
  async store(
    workspaceId: WorkspaceId,
    contents: readonly EmailContent[],
    at: Date,
  ): Promise<string[]> {
    const texts = contents.map(canonical);
    const hashes = texts.map((text) => createHash('sha256').update(text).digest('hex'));
    const byHash = new Map(hashes.map((hash, index) => [hash, texts[index]!]));
    const sealed = [...byHash].map(([hash, text]) =>
      this.cipher.seal(text, keyOfContent({ workspaceId, sha256: hash })),
    );
    crashPoint('dispatch.email-content.before-commit');
    await this.database.query(store, [workspaceId, [...byHash.keys()], sealed, at]);
    crashPoint('dispatch.email-content.after-commit');
    return hashes;
  }

  /** Returns contents by `keyOfContent`. Purged ones are absent. */
  async find(wanted: readonly ContentRef[]): Promise<Map<string, EmailContent>> {
    if (wanted.length === 0) return new Map();
    const { rows } = await this.database.query<FoundRow>(find, [
      wanted.map(({ workspaceId }) => workspaceId),
      wanted.map(({ sha256 }) => sha256),
    ]);
    return new Map(rows.map((row) => [keyOfContent(row), this.opened(row)]));
  }

  /**
   * Deletes contents that are older than a day and not referred to. Returns whether there may be
   * more.
   */
  async purge(now: Date): Promise<boolean> {
    const { rowCount } = await this.database.query(purge, [now, PURGED_AT_ONCE]);
    return rowCount === PURGED_AT_ONCE;
  }

  private opened({ cipher, ...ref }: FoundRow): EmailContent {
    return JSON.parse(this.cipher.open(cipher, keyOfContent(ref))) as EmailContent;
  }
}

export function keyOfContent({ workspaceId, sha256 }: ContentRef): string {
  return `${workspaceId} ${sha256}`;
}

/** Orders the members, so that equal contents have one hash. */
function canonical({ html, text, attachments }: EmailContent): string {
  return JSON.stringify({
    html,
    text,
    attachments: attachments.map((one) => ({
      filename: one.filename,
      content: one.content,
      content_type: one.content_type,
      content_id: one.content_id,
    })),
  });
}
