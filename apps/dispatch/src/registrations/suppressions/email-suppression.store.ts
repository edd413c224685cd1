import {
  type EmailCategory,
  type EmailQuestion,
  type EmailSuppression,
  newId,
  type SuppressionOrigin,
  type SuppressionScope,
  type WorkspaceId,
} from '@watchword/contracts';
import { crashPoint } from '@watchword/observability';
import type { Queryable } from '@watchword/postgres';

export interface NewSuppression {
  readonly workspaceId: WorkspaceId;
  readonly address: string;
  readonly origin: SuppressionOrigin;
  readonly scope: SuppressionScope;
  readonly at: Date;
}

export interface SuppressionQuestion {
  readonly workspaceId: WorkspaceId;
  readonly address: string;
  readonly category: EmailCategory;
}

export interface AddedSuppression {
  readonly workspaceId: WorkspaceId;
  readonly suppression: EmailSuppression;
  /** False when the address was suppressed already. */
  readonly isNew: boolean;
}

export interface EmailVerdict {
  readonly isVerified: boolean;
  /** Addresses in the spelling of the question. */
  readonly suppressed: string[];
}

interface Row extends Omit<EmailSuppression, 'created_at'> {
  created_at: Date;
}

const COLUMNS = 'id, address, origin, scope, created_at';

/**
 * Addresses that workspaces send no email to. Letter case does not matter: it is folded here, because `lower()` follows
 * the collation of the database, and a Turkish one makes `INFO` another word than `info`.
 */
export class EmailSuppressionStore {
  constructor(private readonly database: Queryable) {}

  /** Writes one row per address and scope. A complaint replaces every other origin. */
  async add(entries: readonly NewSuppression[]): Promise<AddedSuppression[]> {
    const byKey = new Map(entries.map((entry) => [keyOf(entry), entry]));
    for (const entry of entries) {
      if (entry.origin === 'complaint') byKey.set(keyOf(entry), entry);
    }
    // In one order everywhere, so that no two callers block each other.
    const sorted = [...byKey.keys()].toSorted().map((key) => byKey.get(key) as NewSuppression);
    crashPoint('dispatch.email-suppression.before-write');
    const { rows } = await this.database.query<
      Row & { workspace_id: WorkspaceId; is_new: boolean }
    >(
      `INSERT INTO email_suppressions AS known (id, workspace_id, address, scope, origin, created_at)
       SELECT id, workspace_id, address, scope, origin, created_at
       FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::timestamptz[])
         AS entry (id, workspace_id, address, scope, origin, created_at)
       ON CONFLICT (workspace_id, address, scope) DO UPDATE
         SET origin = CASE excluded.origin WHEN 'complaint' THEN 'complaint' ELSE known.origin END
       RETURNING ${COLUMNS}, workspace_id, xmax = 0 AS is_new`,
      [
        sorted.map(() => newId()),
        sorted.map(({ workspaceId }) => workspaceId),
        sorted.map(({ address }) => address.toLowerCase()),
        sorted.map(({ scope }) => scope),
        sorted.map(({ origin }) => origin),
        sorted.map(({ at }) => at),
      ],
    );
    crashPoint('dispatch.email-suppression.after-write');
    return rows.map((row) => ({
      workspaceId: row.workspace_id,
      suppression: recordOf(row),
      isNew: row.is_new,
    }));
  }

  async list(
    workspaceId: WorkspaceId,
    limit: number,
    before: { created_at: string; id: string } | null,
  ): Promise<EmailSuppression[]> {
    const { rows } = await this.database.query<Row>(
      `SELECT ${COLUMNS} FROM email_suppressions
       WHERE workspace_id = $1 AND ($2::timestamptz IS NULL OR (created_at, id) < ($2, $3))
       ORDER BY created_at DESC, id DESC LIMIT $4`,
      [workspaceId, before?.created_at ?? null, before?.id ?? null, limit],
    );
    return rows.map(recordOf);
  }

  /** Deletes in every scope. Deletes nothing if there is a complaint, unless an operator asks. */
  async delete(
    workspaceId: WorkspaceId,
    address: string,
    isByOperator: boolean,
  ): Promise<'deleted' | 'not_found' | 'complaint'> {
    const { rows } = await this.database.query<{ known: number; deleted: number }>(
      `WITH found AS (
         SELECT id, origin FROM email_suppressions
         WHERE workspace_id = $1 AND address = $2 FOR UPDATE
       ), gone AS (
         DELETE FROM email_suppressions WHERE id IN (SELECT id FROM found)
           AND ($3 OR NOT EXISTS (SELECT FROM found WHERE origin = 'complaint'))
         RETURNING id
       ) SELECT (SELECT count(*)::integer FROM found) AS known,
           (SELECT count(*)::integer FROM gone) AS deleted`,
      [workspaceId, address.toLowerCase(), isByOperator],
    );
    if (rows[0]?.deleted) return 'deleted';
    return rows[0]?.known ? 'complaint' : 'not_found';
  }

  /** Returns whether each address is suppressed, in order. */
  async suppressed(questions: readonly SuppressionQuestion[]): Promise<boolean[]> {
    const { rows } = await this.database.query<{ is_suppressed: boolean }>(
      `SELECT EXISTS (
         SELECT FROM email_suppressions AS known
         WHERE known.workspace_id = question.workspace_id
           AND known.address = question.address
           AND (known.scope = 'all' OR question.category = 'marketing')
       ) AS is_suppressed
       FROM unnest($1::uuid[], $2::text[], $3::text[])
         WITH ORDINALITY AS question (workspace_id, address, category, index)
       ORDER BY index`,
      [
        questions.map(({ workspaceId }) => workspaceId),
        questions.map(({ address }) => address.toLowerCase()),
        questions.map(({ category }) => category),
      ],
    );
    return rows.map((row) => row.is_suppressed);
  }

  /** Returns what domains and suppressions say about emails, one verdict per question. */
  async judge(questions: readonly EmailQuestion[]): Promise<EmailVerdict[]> {
    const { rows } = await this.database.query<{
      index: number;
      is_verified: boolean;
      suppressed: string[];
    }>(
      `WITH question AS (
         SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[])
           WITH ORDINALITY AS question (workspace_id, domain, category, index)
       ), recipient AS (
         SELECT * FROM unnest($4::integer[], $5::text[], $6::text[]) AS recipient (index, address, folded)
       )
       SELECT question.index::integer - 1 AS index,
         EXISTS (
           SELECT FROM email_domains WHERE workspace_id = question.workspace_id
             AND name = question.domain AND status IN ('verified', 'temporary_failure')
         ) AS is_verified,
         ARRAY (
           SELECT recipient.address FROM recipient WHERE recipient.index = question.index - 1
             AND EXISTS (
               SELECT FROM email_suppressions AS known
               WHERE known.workspace_id = question.workspace_id
                 AND known.address = recipient.folded
                 AND (known.scope = 'all' OR question.category = 'marketing')
             )
         ) AS suppressed
       FROM question ORDER BY question.index`,
      [
        questions.map((question) => question.workspace_id),
        questions.map(({ domain }) => domain),
        questions.map(({ category }) => category),
        questions.flatMap(({ addresses }, index) => addresses.map(() => index)),
        questions.flatMap(({ addresses }) => addresses),
        questions.flatMap(({ addresses }) => addresses.map((one) => one.toLowerCase())),
      ],
    );
    return rows.map((row) => ({ isVerified: row.is_verified, suppressed: row.suppressed }));
  }
}

function keyOf({ workspaceId, address, scope }: NewSuppression): string {
  return `${workspaceId} ${address.toLowerCase()} ${scope}`;
}

function recordOf({ id, address, origin, scope, created_at: createdAt }: Row): EmailSuppression {
  return { id, address, origin, scope, created_at: createdAt.toISOString() };
}
