import { Inject, Injectable } from '@nestjs/common';
import type { DestinationFinding, DestinationQuestion, WorkspaceId } from '@watchword/contracts';
import { DATABASE } from '@watchword/platform';
import { plainArray, type Queryable, statement } from '@watchword/postgres';
import { foldSenderId } from '@watchword/telephony';

const judge = statement(
  'dispatch_judge_numbers',
  `SELECT sender, refusal, whitelisted, network
   FROM dispatch.judge_numbers($1::uuid[], $2::text[], $3::text[], $4::text[], $5)`,
  'once',
);

/** What the lists of this installation say, and whether the sender may pass a registry. */
export interface ListedFinding extends DestinationFinding {
  readonly whitelisted: boolean;
}

/** A number that sent STOP to a sender ID of a workspace. */
export interface OptOut {
  readonly id: string;
  readonly address: string;
  readonly sender_id: string | null;
  readonly created_at: string;
}

export interface OptOutPosition {
  readonly createdAt: string;
  readonly id: string;
}

/** Registries, opt-outs and networks of ported numbers, by number. */
@Injectable()
export class DestinationStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  async judge(questions: readonly DestinationQuestion[], at: Date): Promise<ListedFinding[]> {
    if (questions.length === 0) return [];
    const { rows } = await this.database.query<ListedFinding>(judge, [
      plainArray(questions.map((one) => one.workspace_id)),
      questions.map(({ sender_id: senderId }) => senderId && foldSenderId(senderId)),
      questions.map((one) => one.country_code),
      questions.map((one) => one.destination),
      at,
    ]);
    return rows;
  }

  async stage(
    uploadId: string,
    countryCode: string,
    numbers: readonly string[],
    at: Date,
  ): Promise<void> {
    await this.database.query(
      `INSERT INTO dnd_uploads (upload_id, destination, country_code, created_at)
       SELECT $1, number, $2, $4 FROM unnest($3::text[]) AS number ON CONFLICT DO NOTHING`,
      [uploadId, countryCode, numbers, at],
    );
  }

  /**
   * Replaces the country's list, and returns how many numbers it has now. Call it in a transaction.
   * The lock is a statement of its own, so that the next one sees the list that was published before.
   */
  async publish(uploadId: string, countryCode: string): Promise<number> {
    await this.database.query(
      `SELECT pg_advisory_xact_lock(hashtextextended('dnd list:' || $1, 0))`,
      [countryCode],
    );
    await this.database.query(
      `DELETE FROM dnd_numbers WHERE origin = 'list' AND country_code = $1`,
      [countryCode],
    );
    const { rowCount } = await this.database.query(
      `INSERT INTO dnd_numbers (destination, origin, country_code, expires_at)
       SELECT destination, 'list', country_code, 'infinity' FROM dnd_uploads
       WHERE upload_id = $1 AND country_code = $2 ORDER BY destination
       ON CONFLICT (destination, origin) DO UPDATE SET country_code = excluded.country_code`,
      [uploadId, countryCode],
    );
    await this.database.query('DELETE FROM dnd_uploads WHERE upload_id = $1', [uploadId]);
    return rowCount;
  }

  /** Deletes learned numbers and networks after their time, and uploads that were never published. */
  async purge(at: Date, uploadsBefore: Date): Promise<void> {
    await this.database.query(
      `DELETE FROM dnd_numbers WHERE origin = 'learned' AND expires_at <= $1`,
      [at],
    );
    await this.database.query(
      `DELETE FROM number_networks WHERE learned_at <= $1::timestamptz - interval '90 days'`,
      [at],
    );
    await this.database.query('DELETE FROM dnd_uploads WHERE created_at < $1', [uploadsBefore]);
  }

  /** Does nothing where the number has opted out already. */
  async optOut(
    id: string,
    workspaceId: WorkspaceId,
    destination: string,
    senderId: string | null,
    at: Date,
  ): Promise<void> {
    await this.database.query(
      `INSERT INTO opt_outs (id, workspace_id, destination, sender_id, folded, created_at)
       VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
      [id, workspaceId, destination, senderId ?? '', foldSenderId(senderId), at],
    );
  }

  /** Opens folded sender IDs for the number, in every workspace. */
  async optIn(destination: string, folded: readonly string[]): Promise<void> {
    await this.database.query(`DELETE FROM opt_outs WHERE destination = $1 AND folded = ANY ($2)`, [
      destination,
      folded,
    ]);
  }

  async deleteOptOuts(
    workspaceId: WorkspaceId,
    destination: string,
    senderId: string | null,
  ): Promise<number> {
    const { rowCount } = await this.database.query(
      `DELETE FROM opt_outs WHERE workspace_id = $1 AND destination = $2
         AND ($3::text IS NULL OR folded = $3)`,
      [workspaceId, destination, senderId && foldSenderId(senderId)],
    );
    return rowCount;
  }

  async listOptOuts(
    workspaceId: WorkspaceId,
    limit: number,
    before: OptOutPosition | null,
  ): Promise<OptOut[]> {
    type Row = { id: string; destination: string; sender_id: string; created_at: Date };
    const { rows } = await this.database.query<Row>(
      `SELECT id, destination, sender_id, created_at FROM opt_outs
       WHERE workspace_id = $1 AND ($2::timestamptz IS NULL OR (created_at, id) < ($2, $3::uuid))
       ORDER BY created_at DESC, id DESC LIMIT $4`,
      [workspaceId, before?.createdAt ?? null, before?.id ?? null, limit],
    );
    return rows.map((row) => ({
      id: row.id,
      address: row.destination,
      sender_id: row.sender_id === '' ? null : row.sender_id,
      created_at: row.created_at.toISOString(),
    }));
  }
}
