import { Inject, Injectable } from '@nestjs/common';
import type { KeyMode, KeyPermission, UserId, WorkspaceId } from '@watchword/contracts';
import { DATABASE } from '@watchword/platform';
import type { Queryable } from '@watchword/postgres';

export interface NewDeviceLogIn {
  readonly deviceCodeHash: string;
  readonly userCode: string;
  readonly clientName: string;
  readonly clientIp: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export type PendingDeviceLogIn = Omit<NewDeviceLogIn, 'deviceCodeHash'>;

export interface DeviceApproval {
  readonly workspaceId: WorkspaceId;
  readonly userId: UserId;
  readonly mode: KeyMode;
  readonly permission: KeyPermission;
}

export type ApprovedDevice = DeviceApproval & { readonly clientName: string };

/** The state of a log-in, and when its program polled before this poll. */
export interface PolledDevice {
  readonly status: 'pending' | 'approved' | 'denied';
  readonly userId: UserId | null;
  readonly workspaceId: WorkspaceId | null;
  readonly polledBefore: Date | null;
}

/** Expired rows that a new log-in deletes. */
const SWEPT_MAX = 100;

/** Log-ins of programs at rest, each until it is handed out or the sweep after its end. */
@Injectable()
export class DeviceLogInStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  /** Returns false when another log-in has the user code. */
  async insert(logIn: NewDeviceLogIn): Promise<boolean> {
    const { deviceCodeHash, userCode, clientName, clientIp, createdAt, expiresAt } = logIn;
    const { rowCount } = await this.database.query(
      `WITH expired AS (
         DELETE FROM device_log_ins WHERE device_code_hash IN (
           SELECT device_code_hash FROM device_log_ins WHERE expires_at <= $5
           LIMIT ${SWEPT_MAX} FOR UPDATE SKIP LOCKED))
       INSERT INTO device_log_ins
         (device_code_hash, user_code, client_name, client_ip, created_at, expires_at)
       VALUES (decode($1, 'hex'), $2, $3, $4, $5, $6) ON CONFLICT (user_code) DO NOTHING`,
      [deviceCodeHash, userCode, clientName, clientIp, createdAt, expiresAt],
    );
    return rowCount === 1;
  }

  async findPending(userCode: string, at: Date): Promise<PendingDeviceLogIn | null> {
    const { rows } = await this.database.query<PendingDeviceLogIn>(
      `SELECT user_code AS "userCode", client_name AS "clientName", client_ip AS "clientIp",
         created_at AS "createdAt", expires_at AS "expiresAt"
       FROM device_log_ins WHERE user_code = $1 AND status = 'pending' AND expires_at > $2`,
      [userCode, at],
    );
    return rows[0] ?? null;
  }

  /** Returns the client's name, or null when nothing waits for the code any more. */
  async approve(userCode: string, approval: DeviceApproval, at: Date): Promise<string | null> {
    const { workspaceId, userId, mode, permission } = approval;
    const { rows } = await this.database.query<{ clientName: string }>(
      `UPDATE device_log_ins
       SET status = 'approved', workspace_id = $3, user_id = $4, mode = $5, permission = $6
       WHERE user_code = $1 AND status = 'pending' AND expires_at > $2
       RETURNING client_name AS "clientName"`,
      [userCode, at, workspaceId, userId, mode, permission],
    );
    return rows[0]?.clientName ?? null;
  }

  async deny(userCode: string, at: Date): Promise<string | null> {
    const { rows } = await this.database.query<{ clientName: string }>(
      `UPDATE device_log_ins SET status = 'denied'
       WHERE user_code = $1 AND status = 'pending' AND expires_at > $2
       RETURNING client_name AS "clientName"`,
      [userCode, at],
    );
    return rows[0]?.clientName ?? null;
  }

  /** Notes the poll. Returns null for a code that is unknown, used or expired. */
  async poll(deviceCodeHash: string, at: Date): Promise<PolledDevice | null> {
    const { rows } = await this.database.query<PolledDevice>(
      `UPDATE device_log_ins AS polled SET polled_at = $2
       FROM (SELECT device_code_hash, polled_at FROM device_log_ins
             WHERE device_code_hash = decode($1, 'hex') AND expires_at > $2 FOR UPDATE) AS before
       WHERE polled.device_code_hash = before.device_code_hash
       RETURNING status, user_id AS "userId", workspace_id AS "workspaceId",
         before.polled_at AS "polledBefore"`,
      [deviceCodeHash, at],
    );
    return rows[0] ?? null;
  }

  /** Uses the approval up. Returns null when another poll did, or it has expired. */
  async take(deviceCodeHash: string, at: Date): Promise<ApprovedDevice | null> {
    const { rows } = await this.database.query<ApprovedDevice>(
      `DELETE FROM device_log_ins
       WHERE device_code_hash = decode($1, 'hex') AND status = 'approved' AND expires_at > $2
       RETURNING workspace_id AS "workspaceId", user_id AS "userId", mode, permission,
         client_name AS "clientName"`,
      [deviceCodeHash, at],
    );
    return rows[0] ?? null;
  }
}
