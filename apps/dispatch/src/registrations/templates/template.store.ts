import type { SmsTemplate, WorkspaceId } from '@watchword/contracts';
import type { Queryable } from '@watchword/postgres';

export interface NewTemplate {
  readonly id: string;
  readonly workspaceId: WorkspaceId;
  readonly name: string;
  readonly slug: string;
  readonly body: string;
  readonly variables: readonly string[];
  readonly createdAt: Date;
}

export interface TemplateChange {
  readonly name?: string | undefined;
  readonly body?: string | undefined;
  readonly variables?: readonly string[] | undefined;
}

interface Row extends Omit<SmsTemplate, 'created_at' | 'updated_at'> {
  created_at: Date;
  updated_at: Date;
}

const COLUMNS =
  'id, workspace_id AS project_id, name, slug, body, variables, version, created_at, updated_at';

const DIFFERS = '(name, body) <> (coalesce($3, name), coalesce($4, body))';

/** Templates of workspaces. */
export class TemplateStore {
  constructor(private readonly database: Queryable) {}

  /** Locks the workspace, so that creations run one after the other: they choose different slugs and are counted. */
  async hold(workspaceId: WorkspaceId): Promise<void> {
    await this.database.query(
      `SELECT pg_advisory_xact_lock(hashtextextended('templates:' || $1, 0))`,
      [workspaceId],
    );
  }

  /** Returns the workspace's slugs that begin with the text. */
  async slugs(workspaceId: WorkspaceId, beginning: string): Promise<Set<string>> {
    const { rows } = await this.database.query<{ slug: string }>(
      'SELECT slug FROM templates WHERE workspace_id = $1 AND starts_with(slug, $2)',
      [workspaceId, beginning],
    );
    return new Set(rows.map(({ slug }) => slug));
  }

  async count(workspaceId: WorkspaceId): Promise<number> {
    const { rows } = await this.database.query<{ count: number }>(
      'SELECT count(*)::integer AS count FROM templates WHERE workspace_id = $1',
      [workspaceId],
    );
    return rows[0]!.count;
  }

  async insert(template: NewTemplate): Promise<SmsTemplate> {
    const { id, workspaceId, name, slug, body, variables, createdAt } = template;
    const { rows } = await this.database.query<Row>(
      `INSERT INTO templates
         (id, workspace_id, name, slug, body, variables, version, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, 1, $7, $7) RETURNING ${COLUMNS}`,
      [id, workspaceId, name, slug, body, variables, createdAt],
    );
    return recordOf(rows[0]!);
  }

  async list(
    workspaceId: WorkspaceId,
    limit: number,
    beforeId: string | null,
  ): Promise<SmsTemplate[]> {
    const { rows } = await this.database.query<Row>(
      `SELECT ${COLUMNS} FROM templates
       WHERE workspace_id = $1 AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`,
      [workspaceId, beforeId, limit],
    );
    return rows.map(recordOf);
  }

  async find(
    workspaceId: WorkspaceId,
    by: 'id' | 'slug',
    value: string,
  ): Promise<SmsTemplate | null> {
    const { rows } = await this.database.query<Row>(
      `SELECT ${COLUMNS} FROM templates WHERE workspace_id = $1 AND ${by} = $2`,
      [workspaceId, value],
    );
    return rows[0] ? recordOf(rows[0]) : null;
  }

  /** Raises the version if the name or the body differs. Returns null when there is no template. */
  async change(
    workspaceId: WorkspaceId,
    id: string,
    { name, body, variables }: TemplateChange,
    at: Date,
  ): Promise<SmsTemplate | null> {
    const { rows } = await this.database.query<Row>(
      `UPDATE templates SET name = coalesce($3, name), body = coalesce($4, body),
         variables = coalesce($5, variables), version = version + (${DIFFERS})::integer,
         updated_at = CASE WHEN ${DIFFERS} THEN $6 ELSE updated_at END
       WHERE workspace_id = $1 AND id = $2 RETURNING ${COLUMNS}`,
      [workspaceId, id, name ?? null, body ?? null, variables ?? null, at],
    );
    return rows[0] ? recordOf(rows[0]) : null;
  }

  async delete(workspaceId: WorkspaceId, id: string): Promise<boolean> {
    const { rowCount } = await this.database.query(
      'DELETE FROM templates WHERE workspace_id = $1 AND id = $2',
      [workspaceId, id],
    );
    return rowCount === 1;
  }
}

function recordOf(row: Row): SmsTemplate {
  return {
    ...row,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
