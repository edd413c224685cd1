import { createHash } from 'node:crypto';
import {
  EMAIL_CONTENT_DAYS,
  type EmailContent,
  type StoredBytesBound,
  TEST_EMAIL_CONTENT_DAYS,
  type WorkspaceId,
} from '@watchword/contracts';
import { crashPoint } from '@watchword/observability';
import type { KeyRing } from '@watchword/platform';
import { type Queryable, statement } from '@watchword/postgres';

/** Purpose of the key that encrypts contents. */
export const EMAIL_CONTENT_PURPOSE = 'watchword/email-content';

/**
 * `$3` holds all ciphers one after another, `$4` where each begins and `$5` how long it is: the driver
 * writes an array of bytes as text, which takes six times as long for a large attachment.
 */
const store = statement(
  'dispatch_store_email_contents',
  `SELECT dispatch.store_email_contents($1, $2::text[], ARRAY(
     SELECT substring($3::bytea FROM start FOR length)
     FROM unnest($4::int[], $5::int[]) AS cipher (start, length) ORDER BY start
   ), $6, $7, $8, $9) AS stored`,
);

const release = statement(
  'dispatch_release_email_contents',
  'SELECT dispatch.release_email_contents($1, $2::text[])',
);

const find = statement(
  'dispatch_find_email_contents',
  `SELECT content.workspace_id AS "workspaceId", content.sha256, content_cipher AS "cipher"
   FROM (SELECT DISTINCT * FROM unnest($1::uuid[], $2::text[]) AS w (workspace_id, sha256)) AS wanted
   JOIN email_contents AS content USING (workspace_id, sha256)`,
);

const purge = statement(
  'dispatch_purge_email_contents',
  `SELECT dispatch.purge_email_contents($1, '${EMAIL_CONTENT_DAYS} days', '${TEST_EMAIL_CONTENT_DAYS} days', $2)
     AS count`,
);
const PURGED_AT_ONCE = 200;

const largest = statement(
  'dispatch_largest_stored_bytes',
  `SELECT workspace_id AS "workspaceId", test_mode AS "testMode", bytes::float8 AS bytes
   FROM stored_bytes WHERE bytes > 0 ORDER BY bytes DESC LIMIT $1`,
);

/** The contents of a workspace in one mode. */
export interface StoredBytes {
  readonly workspaceId: WorkspaceId;
  readonly testMode: boolean;
  readonly bytes: number;
}

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

  /** Returns one hash per content, in order. Null: they would exceed the bound, and none is stored. */
  async store(
    workspaceId: WorkspaceId,
    contents: readonly EmailContent[],
    { testMode, bound, at }: { testMode: boolean; bound: StoredBytesBound | null; at: Date },
  ): Promise<string[] | null> {
    const texts = contents.map(canonical);
    const hashes = texts.map((text) => createHash('sha256').update(text).digest('hex'));
    const byHash = new Map(hashes.map((hash, index) => [hash, texts[index]!]));
    const sealed = [...byHash].map(([hash, text]) =>
      this.cipher.seal(text, keyOfContent({ workspaceId, sha256: hash })),
    );
    crashPoint('dispatch.email-content.before-commit');
    const { rows } = await this.database.query<{ stored: boolean }>(store, [
      workspaceId,
      [...byHash.keys()],
      Buffer.concat(sealed),
      startsOf(sealed),
      sealed.map(({ length }) => length),
      testMode,
      bound?.bytes_max ?? null,
      bound?.both_modes ?? false,
      at,
    ]);
    crashPoint('dispatch.email-content.after-commit');
    return rows[0]?.stored ? hashes : null;
  }

  /** Gives back what a refused send stored. */
  async release(workspaceId: WorkspaceId, hashes: readonly string[]): Promise<void> {
    await this.database.query(release, [workspaceId, [...new Set(hashes)]]);
  }

  /** Returns the workspaces that store most, largest first. */
  async largest(count: number): Promise<StoredBytes[]> {
    return (await this.database.query<StoredBytes>(largest, [count])).rows;
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
    const { rows } = await this.database.query<{ count: number }>(purge, [now, PURGED_AT_ONCE]);
    return rows[0]?.count === PURGED_AT_ONCE;
  }

  private opened({ cipher, ...ref }: FoundRow): EmailContent {
    return JSON.parse(this.cipher.open(cipher, keyOfContent(ref))) as EmailContent;
  }
}

export function keyOfContent({ workspaceId, sha256 }: ContentRef): string {
  return `${workspaceId} ${sha256}`;
}

/** Returns where each begins when they are one after another. SQL counts bytes from 1. */
function startsOf(parts: readonly Buffer[]): number[] {
  let next = 1;
  return parts.map(({ length }) => {
    const start = next;
    next += length;
    return start;
  });
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
