import type { WorkspaceSettingsPatch } from '@watchword/contracts';
import { type AccountEvent, newId, TOPICS } from '@watchword/contracts';
import type { DatabasePool, Queryable } from '@watchword/postgres';
import type { Workspace } from './workspace.js';
import { effectiveSettings, mergeSettings } from '../settings/workspace-settings.policy.js';

export interface NewWorkspace {
  id: string;
  name: string;
  billingCountry: string;
  settings: WorkspaceSettingsPatch;
}

interface WorkspaceRow {
  id: string;
  name: string;
  billing_country: string;
  settings: WorkspaceSettingsPatch;
  created_at: Date;
}

const COLUMNS = 'id, name, billing_country, settings, created_at';

/** Workspaces at rest. Every change is announced by an event of the same transaction. */
export class WorkspaceStore {
  constructor(private readonly database: DatabasePool) {}

  /** `alongside` joins the transaction. Asking again with the same id changes nothing. */
  insert(
    workspace: NewWorkspace,
    alongside: (transaction: Queryable) => Promise<void>,
  ): Promise<Workspace> {
    return this.database.transaction(async (transaction) => {
      const { id, name, billingCountry, settings } = workspace;
      const { rowCount } = await transaction.query(
        `INSERT INTO workspaces (id, name, billing_country, settings) VALUES ($1, $2, $3, $4)
         ON CONFLICT (id) DO NOTHING`,
        [id, name, billingCountry, JSON.stringify(settings)],
      );
      if (rowCount === 1) await announce(transaction, 'workspace.created', id, name);
      await alongside(transaction);
      return (await read(transaction, id)) as Workspace;
    });
  }

  find(id: string): Promise<Workspace | null> {
    return read(this.database, id);
  }

  /** Newest first, those before `beforeId`. */
  async list(limit: number, beforeId: string | null): Promise<Workspace[]> {
    const { rows } = await this.database.query<WorkspaceRow>(
      `SELECT ${COLUMNS} FROM workspaces WHERE $1::uuid IS NULL OR id < $1
       ORDER BY id DESC LIMIT $2`,
      [beforeId, limit],
    );
    return rows.map(fromRow);
  }

  /** Null when there is no such workspace. Concurrent changes come one after the other. */
  change(
    id: string,
    patch: { name?: string; settings?: WorkspaceSettingsPatch },
  ): Promise<Workspace | null> {
    return this.database.transaction(async (transaction) => {
      const { rows } = await transaction.query<WorkspaceRow>(
        `SELECT ${COLUMNS} FROM workspaces WHERE id = $1 FOR UPDATE`,
        [id],
      );
      const row = rows[0];
      if (!row) return null;
      const name = patch.name ?? row.name;
      const settings = mergeSettings(row.settings, patch.settings ?? {});
      await transaction.query('UPDATE workspaces SET name = $2, settings = $3 WHERE id = $1', [
        id,
        name,
        JSON.stringify(settings),
      ]);
      await announce(transaction, 'workspace.updated', id, name);
      return fromRow({ ...row, name, settings });
    });
  }
}

async function read(database: Queryable, id: string): Promise<Workspace | null> {
  const { rows } = await database.query<WorkspaceRow>(
    `SELECT ${COLUMNS} FROM workspaces WHERE id = $1`,
    [id],
  );
  return rows[0] ? fromRow(rows[0]) : null;
}

function fromRow(row: WorkspaceRow): Workspace {
  return {
    id: row.id,
    name: row.name,
    billingCountry: row.billing_country,
    settings: effectiveSettings(row.billing_country, row.settings),
    createdAt: row.created_at,
  };
}

async function announce(
  transaction: Queryable,
  type: AccountEvent['type'],
  workspaceId: string,
  name: string,
): Promise<void> {
  const occurredAt = new Date().toISOString();
  const event: AccountEvent = { type, workspace_id: workspaceId, name, occurred_at: occurredAt };
  await transaction.query(
    `INSERT INTO outbox (topic, key, message_id, type, occurred_at, payload)
     VALUES ($1, $2, $3, 'svc.account-event.v1', $4, $5)`,
    [TOPICS.accountEvents.name, workspaceId, newId(), occurredAt, JSON.stringify(event)],
  );
}
