import { Inject, Injectable } from '@nestjs/common';
import {
  type Language,
  newId,
  type PlatformEmailPurpose,
  type SendPlatformEmail,
  TOPICS,
  type UserId,
  type WorkspaceId,
} from '@watchword/contracts';
import { DATABASE } from '@watchword/platform';
import type { Queryable } from '@watchword/postgres';

export interface NewEmailRequest {
  readonly purpose: PlatformEmailPurpose;
  /** In lower case. It may have no account. */
  readonly email: string;
  readonly language: Language;
}

export interface EmailRequest extends NewEmailRequest {
  readonly id: string;
  readonly askedAt: Date;
  /** No other process takes the request before this time. */
  readonly dueAt: Date;
}

/** Seconds for which a dead process keeps a request from the others. */
const LEASE_SECONDS = 30;

/** Emails to users that were requested and are not sent to dispatch yet. */
@Injectable()
export class EmailRequestStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  within(transaction: Queryable): EmailRequestStore {
    return new EmailRequestStore(transaction);
  }

  async insert({ purpose, email, language }: NewEmailRequest, at: Date): Promise<void> {
    await this.database.query(
      `INSERT INTO email_requests (id, purpose, email, language, asked_at, due_at)
       VALUES ($1, $2, $3, $4, $5, $5)`,
      [newId(), purpose, email, language, at],
    );
  }

  /** One for the person and for each owner of the workspace whose address is confirmed. */
  async insertNotices(workspaceId: WorkspaceId, userId: UserId, at: Date): Promise<void> {
    await this.database.query(
      `INSERT INTO email_requests (id, purpose, email, language, asked_at, due_at)
       SELECT gen_random_uuid(), 'saved_card_deleted', users.email,
         CASE workspaces.settings ->> 'default_language' WHEN 'fr' THEN 'fr' ELSE 'en' END, $3, $3
       FROM users JOIN workspaces ON workspaces.id = $1
       WHERE email_confirmed_at IS NOT NULL AND (users.id = $2 OR EXISTS (
         SELECT FROM memberships
         WHERE workspace_id = $1 AND user_id = users.id AND role = 'owner'))`,
      [workspaceId, userId, at],
    );
  }

  /** Returns the oldest requests, leased to this process. */
  async claimDue(at: Date, limit: number): Promise<EmailRequest[]> {
    const { rows } = await this.database.query<EmailRequest>(
      `WITH claimed AS (
         UPDATE email_requests SET due_at = $1::timestamptz + interval '${LEASE_SECONDS} seconds'
         WHERE id IN (
           SELECT id FROM email_requests WHERE due_at <= $1
           ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED)
         RETURNING id, purpose, email, language, asked_at, due_at)
       SELECT id, purpose, email, language, asked_at AS "askedAt", due_at AS "dueAt"
       FROM claimed ORDER BY asked_at, id`,
      [at, limit],
    );
    return rows;
  }

  async delete({ id }: EmailRequest): Promise<void> {
    await this.database.query('DELETE FROM email_requests WHERE id = $1', [id]);
  }

  /** Replaces the request by the command. Returns false when another process did. */
  async fulfil(request: EmailRequest, command: SendPlatformEmail): Promise<boolean> {
    const { rowCount } = await this.database.query(
      `WITH taken AS (
         DELETE FROM email_requests WHERE id = $1 AND due_at = $2 RETURNING id)
       INSERT INTO message_queue (topic, reader, key, message_id, type, occurred_at, payload)
       SELECT topic, reader, $4, $4, 'svc.send-platform-email.v1', $5, $6
       FROM taken JOIN message_queue_readers ON topic = $3`,
      [
        ...[request.id, request.dueAt, TOPICS.platformEmails.name],
        ...[command.message_id, command.created_at, JSON.stringify(command)],
      ],
    );
    return rowCount > 0;
  }
}
