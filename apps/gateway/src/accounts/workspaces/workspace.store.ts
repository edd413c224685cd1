import { Inject, Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { ApiError, type OperatorSettingsPatch, type WorkspaceId } from '@watchword/contracts';
import { DATABASE } from '@watchword/platform';
import type { DatabasePool, Queryable } from '@watchword/postgres';
import { announce, holdSharedSenderIds } from './announce-workspaces.js';
import { checkOtpText } from '../settings/otp-text-settings.policy.js';
import {
  changeSettings,
  type SettingsAuthor,
  type StoredSettings,
} from '../settings/setting-roles.policy.js';
import { effectiveSettings } from '../settings/workspace-settings.policy.js';
import type { Wording, Workspace, WorkspaceOrigin } from './workspace.js';

export interface NewWorkspace {
  id: WorkspaceId;
  name: string;
  billingCountry: string;
  settings: StoredSettings;
  origin: WorkspaceOrigin;
  trialCreditsPending: number;
}

export interface WorkspaceChange {
  name?: string;
  settings?: OperatorSettingsPatch;
  /** Reason to suspend it. Null ends a suspension. */
  suspension?: string | null;
  /** The wording beside which the change was judged. Another one by now is a conflict. */
  judgedBeside?: Wording | undefined;
}

interface WorkspaceRow extends StoredSettings {
  id: WorkspaceId;
  name: string;
  billing_country: string;
  origin: WorkspaceOrigin;
  trial_credits_pending: number;
  suspended_at: Date | null;
  suspension_reason: string | null;
  created_at: Date;
}

const COLUMNS = `id, name, billing_country, settings AS chosen, setting_floors AS floors, origin, trial_credits_pending,
  suspended_at, suspension_reason, created_at`;

/** Workspaces at rest. An event in the same transaction announces each change. */
@Injectable()
export class WorkspaceStore {
  constructor(@Inject(DATABASE) private readonly database: DatabasePool) {}

  /**
   * Inserts a workspace. `alongside` joins the transaction. A repetition with the same id changes
   * nothing.
   */
  insert(
    workspace: NewWorkspace,
    alongside: (transaction: Queryable) => Promise<void>,
  ): Promise<Workspace> {
    return this.database.transaction(async (transaction) => {
      await holdSharedSenderIds(transaction);
      const { id, name, billingCountry, settings, origin, trialCreditsPending } = workspace;
      const { rowCount } = await transaction.query(
        `INSERT INTO workspaces
           (id, name, billing_country, settings, setting_floors, origin, trial_credits_pending)
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO NOTHING`,
        [id, name, billingCountry, ...columnsOf(settings), origin, trialCreditsPending],
      );
      const written = (await read(transaction, id)) as Workspace;
      if (rowCount === 1) await announce(transaction, 'workspace.created', [written]);
      await alongside(transaction);
      return written;
    });
  }

  find(id: WorkspaceId): Promise<Workspace | null> {
    return read(this.database, id);
  }

  /** Lists workspaces before `beforeId`, newest first. */
  async list(limit: number, beforeId: string | null): Promise<Workspace[]> {
    const { rows } = await this.database.query<WorkspaceRow>(
      `SELECT ${COLUMNS} FROM workspaces WHERE $1::uuid IS NULL OR id < $1
       ORDER BY id DESC LIMIT $2`,
      [beforeId, limit],
    );
    return rows.map(fromRow);
  }

  /**
   * Changes a workspace. Returns null for an unknown one. Concurrent changes run one after the
   * other. Refuses a name and settings that contradict each other, and what is not the author's.
   */
  change(
    id: WorkspaceId,
    patch: WorkspaceChange,
    author: SettingsAuthor,
  ): Promise<Workspace | null> {
    return this.database.transaction(async (transaction) => {
      await holdSharedSenderIds(transaction);
      const { rows } = await transaction.query<WorkspaceRow>(
        `SELECT ${COLUMNS} FROM workspaces WHERE id = $1 FOR UPDATE`,
        [id],
      );
      const row = rows[0];
      if (!row) return null;
      checkJudged(fromRow(row), patch.judgedBeside);
      const name = patch.name ?? row.name;
      const stored = changeSettings(row, patch.settings ?? {}, author);
      const renamed = name === row.name ? undefined : name;
      checkOtpText({ name, settings: stored.chosen }, { name: renamed, settings: patch.settings });
      const { suspension = row.suspension_reason } = patch;
      const changed = await transaction.query<WorkspaceRow>(
        `UPDATE workspaces SET name = $2, settings = $3, setting_floors = $4, suspension_reason = $5,
           suspended_at = CASE WHEN $5::text IS NOT NULL THEN coalesce(suspended_at, now()) END
         WHERE id = $1 RETURNING ${COLUMNS}`,
        [id, name, ...columnsOf(stored), suspension],
      );
      const written = fromRow(changed.rows[0] as WorkspaceRow);
      await announce(transaction, 'workspace.updated', [written]);
      return written;
    });
  }

  /** Marks the workspace as confirmed; its trial credits are granted. */
  async confirm(id: WorkspaceId): Promise<Workspace> {
    const { rows } = await this.database.query<WorkspaceRow>(
      `UPDATE workspaces
       SET confirmed_at = coalesce(confirmed_at, now()), trial_credits_pending = 0
       WHERE id = $1 RETURNING ${COLUMNS}`,
      [id],
    );
    return fromRow(rows[0] as WorkspaceRow);
  }
}

/**
 * Announces each workspace that enforces registered sender IDs, with the shared ones that hold now. The
 * caller has locked the shared ones.
 */
export async function announceEnforcing(transaction: Queryable): Promise<void> {
  const { rows } = await transaction.query<WorkspaceRow>(
    `SELECT ${COLUMNS} FROM workspaces
     WHERE 'enforce' IN (settings ->> 'sender_id_enforcement', setting_floors ->> 'sender_id_enforcement')
     ORDER BY id FOR SHARE`,
  );
  await announce(transaction, 'workspace.updated', rows.map(fromRow));
}

async function read(database: Queryable, id: WorkspaceId): Promise<Workspace | null> {
  const { rows } = await database.query<WorkspaceRow>(
    `SELECT ${COLUMNS} FROM workspaces WHERE id = $1`,
    [id],
  );
  return rows[0] ? fromRow(rows[0]) : null;
}

function columnsOf({ chosen, floors }: StoredSettings): string[] {
  return [JSON.stringify(chosen), JSON.stringify(floors)];
}

function fromRow(row: WorkspaceRow): Workspace {
  return {
    id: row.id,
    name: row.name,
    billingCountry: row.billing_country,
    settings: effectiveSettings(row.billing_country, row),
    floors: row.floors,
    origin: row.origin,
    trialCreditsPending: row.trial_credits_pending,
    suspension:
      row.suspended_at && row.suspension_reason !== null
        ? { at: row.suspended_at, reason: row.suspension_reason }
        : null,
    createdAt: row.created_at,
  };
}

/** Two changes at once, each judged beside the former state, could together name a bank. */
function checkJudged({ name, settings }: Workspace, judgedBeside: Wording | undefined): void {
  if (judgedBeside === undefined) return;
  if (isDeepStrictEqual({ name, texts: settings.otp_text }, judgedBeside)) return;
  throw new ApiError('conflict');
}
