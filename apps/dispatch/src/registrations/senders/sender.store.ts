import {
  type SenderApplication,
  type SenderRecord,
  type SenderReview,
  type SenderStatus,
  type WorkspaceId,
} from '@watchword/contracts';
import type { Queryable } from '@watchword/postgres';
import { foldSenderId } from '@watchword/telephony';
import { overallStatus } from './sender.machine.js';

interface Row extends Omit<SenderApplication, 'countries'> {
  id: string;
  workspace_id: WorkspaceId;
  sender_id: string;
  created_at: Date;
  updated_at: Date;
  reviews: SenderReview[];
}

export interface ReviewFilter {
  readonly workspaceId: WorkspaceId | null;
  readonly status: SenderStatus | null;
  readonly country: string | null;
  readonly limit: number;
  readonly beforeId: string | null;
}

const SELECT = `
  SELECT id, workspace_id, sender_id, registered_entity, registration_doc_url, use_case,
    sample_message, notes, created_at, updated_at, reviews.list AS reviews
  FROM sender_ids CROSS JOIN LATERAL (
    SELECT coalesce(json_agg(json_build_object(
      'country', country, 'status', status, 'rejection_reason', rejection_reason,
      'dnd_whitelisted', dnd_whitelisted, 'reviewed_at',
      to_char(reviewed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    ) ORDER BY place, country), '[]') AS list,
      bool_or(status = 'pending') AS has_pending,
      array_agg(status) AS statuses, array_agg(country) AS countries
    FROM sender_reviews WHERE sender_reviews.sender_row_id = sender_ids.id
  ) AS reviews`;

/** The same as `overallStatus` in sender.machine.ts. */
const HAS_STATUS = `CASE
    WHEN has_pending THEN 'pending' WHEN 'active' = ANY (statuses) THEN 'active'
    WHEN 'approved' = ANY (statuses) THEN 'approved'
    WHEN 'suspended' = ANY (statuses) THEN 'suspended' ELSE 'rejected' END`;

/** The status in the country that a list is filtered by. */
const STATUS_IN_COUNTRY = `(SELECT status FROM sender_reviews
    WHERE sender_row_id = sender_ids.id AND country = $4)`;

/** Sender IDs of workspaces, with one review per country. */
export class SenderStore {
  constructor(private readonly database: Queryable) {}

  /** Locks the workspace, so that requests run one after the other and duplicates are seen. */
  async hold(workspaceId: WorkspaceId): Promise<void> {
    await this.database.query(
      `SELECT pg_advisory_xact_lock(hashtextextended('senders:' || $1, 0))`,
      [workspaceId],
    );
  }

  async insert(
    id: string,
    workspaceId: WorkspaceId,
    senderId: string,
    application: SenderApplication,
    at: Date,
  ): Promise<void> {
    await this.database.query(
      `INSERT INTO sender_ids (id, workspace_id, sender_id, registered_entity,
         registration_doc_url, use_case, sample_message, notes, created_at, updated_at, folded)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10)`,
      [id, workspaceId, senderId, ...textsOf(application), at, foldSenderId(senderId)],
    );
    await this.addReviews(id, application.countries);
  }

  /** Adds reviews. An existing country keeps its review and joins this request. */
  async addReviews(id: string, countries: readonly string[]): Promise<void> {
    await this.database.query(
      `INSERT INTO sender_reviews (sender_row_id, country, status, dnd_whitelisted, place)
       SELECT $1, country, 'pending', false, place
       FROM unnest($2::text[]) WITH ORDINALITY AS asked (country, place)
       ON CONFLICT (sender_row_id, country) DO UPDATE SET place = excluded.place`,
      [id, countries],
    );
  }

  async removeReviews(id: string, countries: readonly string[]): Promise<void> {
    await this.database.query(
      'DELETE FROM sender_reviews WHERE sender_row_id = $1 AND country = ANY ($2)',
      [id, countries],
    );
  }

  async list(workspaceId: WorkspaceId): Promise<SenderRecord[]> {
    const { rows } = await this.database.query<Row>(
      `${SELECT} WHERE workspace_id = $1 ORDER BY id DESC`,
      [workspaceId],
    );
    return rows.map(recordOf);
  }

  async listToReview(filter: ReviewFilter): Promise<SenderRecord[]> {
    const { workspaceId, status, country, beforeId, limit } = filter;
    const { rows } = await this.database.query<Row>(
      `${SELECT}
       WHERE ($1::uuid IS NULL OR workspace_id = $1) AND ($2::uuid IS NULL OR id < $2)
         AND ($4::text IS NULL OR $4 = ANY (reviews.countries))
         AND ($3::text IS NULL
           OR $3 = CASE WHEN $4 IS NULL THEN ${HAS_STATUS} ELSE ${STATUS_IN_COUNTRY} END)
       ORDER BY id DESC LIMIT $5`,
      [workspaceId, beforeId, status, country, limit],
    );
    return rows.map(recordOf);
  }

  /** Locks the sender ID until the transaction ends. */
  async take(id: string, workspaceId: WorkspaceId | null): Promise<SenderRecord | null> {
    const { rowCount } = await this.database.query(
      `SELECT FROM sender_ids WHERE id = $1 AND ($2::uuid IS NULL OR workspace_id = $2)
       FOR UPDATE`,
      [id, workspaceId],
    );
    if (rowCount === 0) return null;
    const { rows } = await this.database.query<Row>(`${SELECT} WHERE id = $1`, [id]);
    return rows[0] ? recordOf(rows[0]) : null;
  }

  async changeTexts(id: string, application: SenderApplication, at: Date): Promise<void> {
    await this.database.query(
      `UPDATE sender_ids SET registered_entity = $2, registration_doc_url = $3, use_case = $4,
         sample_message = $5, notes = $6, updated_at = $7 WHERE id = $1`,
      [id, ...textsOf(application), at],
    );
  }

  async decide(
    id: string,
    countries: readonly string[],
    decision: { status: SenderStatus; reason: string | null; dndWhitelisted: boolean | null },
    at: Date,
  ): Promise<void> {
    const { status, reason, dndWhitelisted } = decision;
    const isAgainst = status === 'rejected' || status === 'suspended';
    await this.database.query(
      `UPDATE sender_reviews SET status = $3, rejection_reason = $4, reviewed_at = $6,
         dnd_whitelisted = coalesce($5, dnd_whitelisted)
       WHERE sender_row_id = $1 AND country = ANY ($2)`,
      [id, countries, status, isAgainst ? reason : null, dndWhitelisted, at],
    );
    await this.database.query('UPDATE sender_ids SET updated_at = $2 WHERE id = $1', [id, at]);
  }
}

function textsOf(application: SenderApplication): (string | null)[] {
  const { registered_entity, registration_doc_url, use_case, sample_message, notes } = application;
  return [registered_entity, registration_doc_url, use_case, sample_message, notes];
}

function recordOf(row: Row): SenderRecord {
  const { reviews } = row;
  const newest = reviews
    .filter(({ rejection_reason: reason }) => reason !== null)
    .toSorted((a, b) => (b.reviewed_at ?? '').localeCompare(a.reviewed_at ?? ''))[0];
  return {
    id: row.id,
    workspace_id: row.workspace_id,
    sender_id: row.sender_id,
    status: overallStatus(reviews),
    countries: reviews.map(({ country }) => country),
    reviews,
    registered_entity: row.registered_entity,
    registration_doc_url: row.registration_doc_url,
    use_case: row.use_case,
    sample_message: row.sample_message,
    notes: row.notes,
    rejection_reason: newest?.rejection_reason ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
